import type { Passage } from '../session/passage';
import type { AgentTexts } from './assets';
import { fill } from './assets';
import type { PromptBlock } from './blocks';

/** The passage a turn is about, what stands around it, and what is to come of it. */
export function passageBlock(passage: Passage, texts: AgentTexts): PromptBlock {
  const { passage: words } = texts;
  const task = words[passage.task];
  const wish = passage.wish?.trim() ?? '';
  const plain = (text: string): string => text.replaceAll('\r\n', '\n');
  const lines = [
    `${words.title}${passage.path}`,
    task,
    ...(wish === '' ? [] : [fill(words.wish, { wish })]),
    words.form,
    `<before>\n${plain(passage.before)}\n</before>`,
    `<passage>\n${plain(passage.text)}\n</passage>`,
    `<after>\n${plain(passage.after)}\n</after>`,
  ];
  return { kind: 'passage', title: words.title, source: passage.path, text: lines.join('\n') };
}
