/** 字 that `target` of a front matter asks for: a number from 1 on, also written as words would (`3,000`, `3000 字`); anything else is none. */
export function chapterTarget(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^\s*(\d[\d,，_]*)\s*字?\s*$/.exec(value)?.[1]?.replace(/[,，_]/g, '') : undefined;
  const target = typeof value === 'number' ? value : Number(digits ?? NaN);
  return Number.isFinite(target) && target >= 1 ? Math.round(target) : undefined;
}
