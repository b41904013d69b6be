/** A changed stretch: `a[aStart, aEnd)` became `b[bStart, bEnd)`. One side may be empty. */
export interface Hunk {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Past this many edits within one gap, the gap counts as replaced whole. Bounds memory to its square. */
const maxEdits = 800;

interface Work {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly hunks: Hunk[];
}

/** Numbers for equal tokens. */
function intern(a: readonly string[], b: readonly string[]): { a: Int32Array; b: Int32Array } {
  const numbers = new Map<string, number>();
  const number = (token: string): number => {
    const known = numbers.get(token);
    if (known !== undefined) return known;
    numbers.set(token, numbers.size);
    return numbers.size - 1;
  };
  return { a: Int32Array.from(a, number), b: Int32Array.from(b, number) };
}

/**
 * The changed stretches between two sequences, in order. With `anchored`, tokens that occur once on both sides are matched first
 * (good for lines and sentences); without it the shortest edit script is looked for directly (good for characters).
 * Never needs memory in the product of the lengths.
 */
export function diffTokens(a: readonly string[], b: readonly string[], anchored: boolean): Hunk[] {
  const work: Work = { ...intern(a, b), hunks: [] };
  walk(work, 0, a.length, 0, b.length, anchored);
  return joinTouching(work.hunks);
}

function joinTouching(hunks: readonly Hunk[]): Hunk[] {
  const joined: Hunk[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    if (last !== undefined && last.aEnd === hunk.aStart && last.bEnd === hunk.bStart) {
      joined[joined.length - 1] = { ...last, aEnd: hunk.aEnd, bEnd: hunk.bEnd };
    } else joined.push(hunk);
  }
  return joined;
}

function walk(work: Work, aFrom: number, aTo: number, bFrom: number, bTo: number, anchored: boolean): void {
  const { a, b, hunks } = work;
  let aStart = aFrom;
  let bStart = bFrom;
  let aEnd = aTo;
  let bEnd = bTo;
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    aStart += 1;
    bStart += 1;
  }
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
  }
  if (aStart === aEnd && bStart === bEnd) return;
  if (aStart === aEnd || bStart === bEnd) {
    hunks.push({ aStart, aEnd, bStart, bEnd });
    return;
  }
  const anchors = anchored ? uniquePairs(work, aStart, aEnd, bStart, bEnd) : [];
  if (anchors.length === 0) {
    shortest(work, aStart, aEnd, bStart, bEnd);
    return;
  }
  for (const [inA, inB] of anchors) {
    walk(work, aStart, inA, bStart, inB, anchored);
    aStart = inA + 1;
    bStart = inB + 1;
  }
  walk(work, aStart, aEnd, bStart, bEnd, anchored);
}

/** Tokens that occur once in either range, as a longest chain that rises on both sides. */
function uniquePairs({ a, b }: Work, aStart: number, aEnd: number, bStart: number, bEnd: number): (readonly [number, number])[] {
  const places = new Map<number, { inA: number; inB: number }>();
  for (let at = aStart; at < aEnd; at += 1) {
    const place = places.get(a[at] as number);
    if (place === undefined) places.set(a[at] as number, { inA: at, inB: -1 });
    else place.inA = -2;
  }
  for (let at = bStart; at < bEnd; at += 1) {
    const place = places.get(b[at] as number);
    if (place !== undefined) place.inB = place.inB === -1 ? at : -2;
  }
  const pairs: { inA: number; inB: number; previous: number }[] = [];
  const tails: number[] = [];
  for (const { inA, inB } of [...places.values()].sort((left, right) => left.inA - right.inA)) {
    if (inA < 0 || inB < 0) continue;
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] as number]?.inB ?? 0) < inB) low = middle + 1;
      else high = middle;
    }
    pairs.push({ inA, inB, previous: low === 0 ? -1 : (tails[low - 1] as number) });
    tails[low] = pairs.length - 1;
  }
  const chain: (readonly [number, number])[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = pairs[at]?.previous ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) chain.push([pair.inA, pair.inB]);
  }
  return chain.reverse();
}

/** Myers' greedy search for the shortest edit script, given up after `maxEdits`. */
function shortest({ a, b, hunks }: Work, aStart: number, aEnd: number, bStart: number, bEnd: number): void {
  const n = aEnd - aStart;
  const m = bEnd - bStart;
  const limit = Math.min(n + m, maxEdits);
  const reach = new Int32Array(2 * limit + 3);
  const middle = limit + 1;
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (reach[middle + k - 1] as number) < (reach[middle + k + 1] as number));
      let x = down ? (reach[middle + k + 1] as number) : (reach[middle + k - 1] as number) + 1;
      while (x < n && x - k < m && a[aStart + x] === b[bStart + x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= n && x - k >= m) {
        history.push(reach.slice(middle - edits - 1, middle + edits + 2));
        backtrack(history, n, m, aStart, bStart, hunks);
        return;
      }
    }
    history.push(reach.slice(middle - edits - 1, middle + edits + 2));
  }
  hunks.push({ aStart, aEnd, bStart, bEnd });
}

/** `history[d]` holds how far each diagonal `-d-1 … d+1` had come after `d` edits. */
function backtrack(history: readonly Int32Array[], n: number, m: number, aStart: number, bStart: number, hunks: Hunk[]): void {
  const steps: Hunk[] = [];
  let x = n;
  let y = m;
  for (let edits = history.length - 1; edits > 0; edits -= 1) {
    const before = history[edits - 1] as Int32Array;
    const at = (k: number): number => before[k + edits] ?? -1;
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(fromK);
    const fromY = fromX - fromK;
    steps.push(
      down
        ? { aStart: aStart + fromX, aEnd: aStart + fromX, bStart: bStart + fromY, bEnd: bStart + fromY + 1 }
        : { aStart: aStart + fromX, aEnd: aStart + fromX + 1, bStart: bStart + fromY, bEnd: bStart + fromY },
    );
    x = fromX;
    y = fromY;
  }
  hunks.push(...steps.reverse());
}
