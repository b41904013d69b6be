import type { ModelRequest } from '../../ports/models';
import type { Phrases } from './phrases';

/** The heads under which earlier turns are handed over to be summarised, in both languages, and the author's lines below. */
const HANDED_OVER = /^【(?:要并入的对话|Conversation to take in)】$/m;
const BEFORE = /^【(?:已有提要|Summary so far)】\n([^]*?)\n\n【/;
const TURN = /^(?:第 (\d+) 轮|Turn (\d+))\n(?:作者：|Author: )(.*)$/gmu;
const LONGEST = 60;

/** A stand-in for a summary: what the author asked for, turn by turn. `undefined`: no summary is asked for. */
export function planSummary({ messages }: ModelRequest, phrases: Phrases): string | undefined {
  const told = messages.at(-1);
  if (told?.role !== 'user' || !HANDED_OVER.test(told.content)) return undefined;
  const before = BEFORE.exec(told.content)?.[1];
  const lines = [...told.content.matchAll(TURN)].map((match) => `- ${clip(match[3] ?? '')}${phrases.turnRef.replace('{n}', match[1] ?? match[2] ?? '')}`);
  return [before ?? `${phrases.label}${phrases.summary}`, ...lines].join('\n');
}

function clip(text: string): string {
  const points = [...text];
  return points.length <= LONGEST ? text : `${points.slice(0, LONGEST).join('')}…`;
}
