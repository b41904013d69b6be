import assert from 'node:assert/strict';
import { startModelServer } from '../fakes/model-server/server';
import { openChat } from './harness/chat';
import type { Scenario } from './harness/scenario';
import { keyEnv, modelSettings } from './story';

const options = ['She tells no one', 'Old Ji burns the letter', 'A-Man knows the hand'];

export const scenarios: readonly Scenario[] = [
  {
    name: 'a question of the agent is answered with the keyboard, by arrow, by number and in words, in the same turn',
    timeoutMs: 180_000,
    async run(context) {
      const ask = (question: string): { readonly calls: readonly { readonly name: string; readonly args: unknown }[] } => ({ calls: [{ name: 'ask', args: { question, options } }] });
      const server = await startModelServer({ script: [ask('Who learns of the letter?'), ask('And in chapter 4?'), ask('And at the end?'), { text: 'Then so it shall be.' }] });
      context.defer(() => server.close());
      const workbench = await context.open({ settings: modelSettings(server.baseUrl), env: keyEnv });
      const { page } = workbench;
      const chat = await openChat(workbench);
      const open = chat.rows('ask').filter({ has: chat.frame.locator('.ask-option') });
      const answerTo = async (n: number): Promise<unknown> => {
        const message = (await server.request(n)).body?.messages?.at(-1);
        return JSON.parse(String(message?.content));
      };

      await chat.say('What now? Give me options.');
      await open.filter({ hasText: 'Who learns of the letter?' }).waitFor({ state: 'visible' });
      assert.equal(await chat.boxHasFocus(), true, 'the question took no focus');
      await workbench.shot('ask');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      assert.deepEqual(await answerTo(2), { answer: options[1], by: 'user' });

      await open.filter({ hasText: 'And in chapter 4?' }).waitFor({ state: 'visible' });
      await chat.box.focus();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('3');
      assert.deepEqual(await answerTo(3), { answer: options[2], by: 'user' });

      await open.filter({ hasText: 'And at the end?' }).waitFor({ state: 'visible' });
      await chat.write('Nobody ever reads it');
      await page.keyboard.press('Enter');
      assert.deepEqual(await answerTo(4), { answer: 'Nobody ever reads it', by: 'user' });
      await chat.rows('assistant').filter({ hasText: 'Then so it shall be.' }).waitFor({ state: 'visible' });
      await chat.idle();
      assert.equal(await open.count(), 0);
      assert.deepEqual(
        (await chat.rows('ask').locator('.ask-answer').allInnerTexts()).map((text) => text.split('\n').at(-1)?.trim()),
        [options[1], options[2], 'Nobody ever reads it'],
      );
      await workbench.shot('ask-answered');
    },
  },
];
