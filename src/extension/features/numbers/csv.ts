import type { DayWords } from '../../../engine/index';

/** Begins with a byte-order mark, or Excel takes Chinese for something else. */
const BOM = '\uFEFF';

/** A field as RFC 4180 has it; what a spreadsheet would take for a formula is kept a text. */
function field(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line a day, oldest first, under these headings: day, author, agent, both. `today` takes the place of its day. */
export function numbersCsv(headings: readonly [string, string, string, string], days: readonly DayWords[], today: DayWords): string {
  const rows = [...days.filter(({ day }) => day !== today.day), ...(today.user + today.agent > 0 ? [today] : [])].sort((a, b) => (a.day < b.day ? -1 : 1));
  const lines = [headings, ...rows.map(({ day, user, agent }) => [day, user, agent, user + agent] as const)];
  return `${BOM}${lines.map((line) => line.map(field).join(',')).join('\r\n')}\r\n`;
}
