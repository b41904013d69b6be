import '../shared/zod-without-eval';
import { UsageElement } from './app';
import { createUsageController } from './controller';

const element = document.querySelector('liyuan-usage') ?? document.body.appendChild(document.createElement('liyuan-usage'));
if (element instanceof UsageElement) {
  element.controller = createUsageController({ api: acquireVsCodeApi(), window });
}
