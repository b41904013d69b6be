import '../shared/zod-without-eval';
import { registerControls } from '../shared/controls';
import { UsageElement } from './app';
import { createUsageController } from './controller';

registerControls();
const element = document.querySelector('liyuan-usage') ?? document.body.appendChild(document.createElement('liyuan-usage'));
if (element instanceof UsageElement) {
  element.controller = createUsageController({ api: acquireVsCodeApi(), window });
}
