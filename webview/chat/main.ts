import '../shared/zod-without-eval';
import { registerControls } from '../shared/controls';
import { nextFrame } from '../shared/next-frame';
import { ChatElement } from './app';
import { createChatController } from './controller';

registerControls();

const element = document.querySelector('liyuan-chat') ?? document.body.appendChild(document.createElement('liyuan-chat'));
if (element instanceof ChatElement) {
  element.controller = createChatController({ api: acquireVsCodeApi(), window, nextFrame });
}
