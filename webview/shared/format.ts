/** Token counts in a narrow place: 980, 12.3k, 128k, 1.0M. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n);
  if (n < 99_950) return `${trimZero((n / 1000).toFixed(1))}k`;
  if (n < 999_500) return `${Math.round(n / 1000)}k`;
  return `${trimZero((n / 1_000_000).toFixed(1))}M`;
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** How long ago `then` was, seen from `now` (both ms since the epoch), in the language's words: "3 hours ago". */
export function timeAgo(then: number, now: number, locale: string): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  const past = Math.max(0, now - then);
  for (const [unit, length] of steps) {
    if (past >= length) return format.format(-Math.floor(past / length), unit);
  }
  return format.format(0, 'second');
}

/** The first `max` characters (code points, so that no character is cut in two), with an ellipsis when there was more. */
export function clip(text: string, max: number): string {
  const points = [...text.slice(0, (max + 1) * 2)];
  return points.length > max ? `${points.slice(0, max).join('')}…` : text;
}

/** A path split for display: folder with its slash, and name. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

/** A sum of money as the host writes it (`l10n/money.ts`): 「¥0.0123」, 「US$1.20」. `currency`: ISO 4217. */
export function moneyWords(amount: number, currency: string): string {
  const small = amount > 0 && amount < 1;
  return new Intl.NumberFormat('zh-CN', { style: 'currency', currency, minimumFractionDigits: 2, maximumFractionDigits: small ? 4 : 2 }).format(amount);
}
