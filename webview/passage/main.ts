import '../shared/zod-without-eval';
import { registerControls } from '../shared/controls';
import { PassageElement } from './app';

registerControls();

const element = document.querySelector('liyuan-passage') ?? document.body.appendChild(document.createElement('liyuan-passage'));
if (element instanceof PassageElement) element.start(acquireVsCodeApi(), window);
