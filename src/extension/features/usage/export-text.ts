import type { DaySums, UsageCall } from '../../../engine/index';

/** Begins with a byte-order mark, or Excel takes Chinese for something else. */
const BOM = '\uFEFF';

const COLUMNS = [
  'time', 'profile', 'model', 'host', 'use', 'session', 'turn', 'input', 'cached', 'output', 'reasoning', 'estimated', 'firstMs', 'ms', 'tokensPerSecond', 'outcome', 'retries', 'cost', 'currency',
] as const;

/** A field as RFC 4180 has it; what a spreadsheet would take for a formula is kept a text. */
function field(value: string | number | boolean | undefined): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Speed = (call: UsageCall) => number | undefined;

const rounded = (value: number | undefined): number | undefined => (value === undefined ? undefined : Math.round(value * 10) / 10);
const plain = (call: UsageCall, speedOf: Speed): Readonly<Record<string, string | number | boolean | undefined>> => ({
  ...call,
  time: new Date(call.at).toISOString(),
  tokensPerSecond: rounded(speedOf(call)),
});

/** The calls, newest first, one a line; names of columns in English, since it is read by who looks into a fault. */
export function usageCsv(calls: readonly UsageCall[], speedOf: Speed): string {
  const rows = calls.map((call) => plain(call, speedOf));
  return `${BOM}${[COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((name) => field(row[name])).join(','))].join('\r\n')}\r\n`;
}

/** Calls and sums of days. No texts, no keys, and of addresses the host alone. */
export function usageJson(version: string, days: readonly DaySums[], calls: readonly UsageCall[], speedOf: Speed): string {
  const rows = calls.map((call) => {
    const { at: _, ...row } = plain(call, speedOf);
    return row;
  });
  return `${JSON.stringify({ liyuanUsage: 1, version, days, calls: rows }, undefined, 2)}\n`;
}
