import { splitSentences } from '../../text/diff';
import type { Phrases } from './phrases';

const TASKS = [
  ['rewrite', /^(?:任务：改写|Task: rewrite)/m],
  ['expand', /^(?:任务：扩写|Task: expand)/m],
  ['shorten', /^(?:任务：缩写|Task: shorten)/m],
  ['continue', /^(?:任务：接着|Task: write what comes after)/m],
  ['alternatives', /^(?:任务：把|Task: say)/m],
] as const;

const turned = (parts: readonly string[], by: number): string => [...parts.slice(by), ...parts.slice(0, by)].join('').trim();

/** What a turn about a passage is answered with, or `undefined` when the message is not about one. */
export function passageAnswer(message: string, phrases: Phrases): string | undefined {
  const block = /^【(?:选段|Passage)】[\s\S]*/m.exec(message)?.[0];
  const text = /<passage>\n([\s\S]*?)\n<\/passage>/.exec(block ?? '')?.[1];
  if (block === undefined || text === undefined) return undefined;
  const task = TASKS.find(([, pattern]) => pattern.test(block))?.[0];
  const parts = splitSentences(text);
  const versions = ((): readonly string[] => {
    switch (task) {
      case 'expand':
        return [`${text}\n\n${phrases.draftNobody}${phrases.draftEnd}`];
      case 'shorten':
        return [parts.slice(0, Math.max(1, Math.floor(parts.length / 2))).join('').trim()];
      case 'continue':
        return [`${phrases.draftNoPlace}${phrases.draftEnd}`];
      case 'alternatives':
        return [`${text}${phrases.passageTail}`, turned(parts, 1), `${phrases.draftNobody}${text}`];
      case 'rewrite':
      case undefined:
        return [`${text}${phrases.passageTail}`];
    }
  })();
  return [phrases.passageOffer, ...versions.map((version) => `<draft>\n${version}\n</draft>`)].join('\n');
}
