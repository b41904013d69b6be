const two = (n: number): string => String(n).padStart(2, '0');

/** The calendar day of a moment (ms since the epoch), where this machine is. */
export function dayOf(ts: number): string {
  const date = new Date(ts);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
