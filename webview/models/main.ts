import '../shared/zod-without-eval';
import { registerControls } from '../shared/controls';
import { ModelsElement } from './app';
import { createModelsController } from './controller';

registerControls();

const element = document.querySelector('liyuan-models') ?? document.body.appendChild(document.createElement('liyuan-models'));
if (element instanceof ModelsElement) element.controller = createModelsController({ api: acquireVsCodeApi(), window });
