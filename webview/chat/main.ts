import * as z from 'zod';
import { registerControls } from '../shared/controls';
import { nextFrame } from '../shared/next-frame';
import { ChatElement } from './app';
import { createChatController } from './controller';

// Before the first parse: zod's compiled parsers need `eval`, which the content security policy forbids.
z.config({ jitless: true });
registerControls();

const element = document.querySelector('liyuan-chat') ?? document.body.appendChild(document.createElement('liyuan-chat'));
if (element instanceof ChatElement) {
  element.controller = createChatController({ api: acquireVsCodeApi(), window, nextFrame });
}
