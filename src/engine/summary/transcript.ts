import type { Turn } from '../session/history';

/** Words around what is told to who summarises; `{floor}` is filled in. */
export interface TranscriptTexts {
  readonly compactTurn: string;
  readonly compactAuthor: string;
  readonly compactAgent: string;
  readonly compactAction: string;
  readonly compactFailed: string;
  readonly compactAsked: string;
}

/** Characters kept of a part, from generous to barely: the author's words, the agent's, one action. */
export const CLIPS: readonly Clip[] = [
  { author: 6_000, agent: 4_000, action: 240 },
  { author: 3_000, agent: 1_500, action: 120 },
  { author: 1_200, agent: 600, action: 80 },
  { author: 400, agent: 200, action: 40 },
  { author: 120, agent: 60, action: 0 },
];

export interface Clip {
  readonly author: number;
  readonly agent: number;
  readonly action: number;
}

/** A turn as it is told to who summarises: who said what, what was asked and answered, what was done to which file. State blocks and receipts are not part of it. */
export function turnTranscript(turn: Turn, floor: number, texts: TranscriptTexts, clip: Clip): string {
  const lines = [texts.compactTurn.replace('{floor}', () => String(floor)), `${texts.compactAuthor}${clipped(turn.user.data.text, clip.author)}`];
  const failed = new Set(turn.steps.flatMap(({ tools }) => tools.filter(({ data }) => !data.ok).map(({ data }) => data.callId)));
  for (const { entry } of turn.steps) {
    const { text = '', calls } = entry.data;
    if (text.trim() !== '') lines.push(`${texts.compactAgent}${clipped(text, clip.agent)}`);
    if (clip.action === 0) continue;
    for (const { callId, name, args } of calls) {
      if (name !== 'ask') lines.push(`${texts.compactAction}${name} ${clipped(args, clip.action)}${failed.has(callId) ? texts.compactFailed : ''}`);
    }
  }
  for (const { data } of turn.choices) {
    if (data.answer !== undefined) lines.push(`${texts.compactAsked}${clipped(data.question, clip.agent)} → ${clipped(data.answer, clip.author)}`);
  }
  const reply = turn.reply?.data.text ?? '';
  if (reply.trim() !== '') lines.push(`${texts.compactAgent}${clipped(reply, clip.agent)}`);
  return lines.join('\n');
}

/** The head and the tail of what is too long; never half a character. */
function clipped(text: string, most: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= most) return trimmed;
  const points = [...trimmed];
  if (points.length <= most) return trimmed;
  const head = Math.ceil(most * 0.7);
  return `${points.slice(0, head).join('')}……${points.slice(points.length - (most - head)).join('')}`;
}
