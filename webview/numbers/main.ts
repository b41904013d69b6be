import '../shared/zod-without-eval';
import { NumbersElement } from './app';
import { createNumbersController } from './controller';

const element = document.querySelector('liyuan-numbers') ?? document.body.appendChild(document.createElement('liyuan-numbers'));
if (element instanceof NumbersElement) {
  element.controller = createNumbersController({ api: acquireVsCodeApi(), window });
}
