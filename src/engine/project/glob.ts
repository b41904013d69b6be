/** One step of a compiled glob; a character is `literal`, the rest are runs. */
type Step =
  | { readonly kind: 'literal'; readonly char: string }
  /** `?`: one character of a part. */
  | { readonly kind: 'one' }
  /** `*`: any characters of a part. */
  | { readonly kind: 'star' }
  /** `**`: any characters, across parts. */
  | { readonly kind: 'all' }
  /** `**` + `/`: any number of whole parts. */
  | { readonly kind: 'parts' };

function stepsOf(body: string): readonly Step[] {
  const steps: Step[] = [];
  const pieces = body.split(/(\*\*\/|\/\*\*$|\*\*|\*|\?)/);
  for (const piece of pieces) {
    if (piece === '**/') steps.push({ kind: 'parts' });
    // `/**` at the end: something below, not the folder itself.
    else if (piece === '/**') steps.push({ kind: 'literal', char: '/' }, { kind: 'all' });
    else if (piece === '**') steps.push({ kind: 'all' });
    else if (piece === '*') steps.push({ kind: 'star' });
    else if (piece === '?') steps.push({ kind: 'one' });
    else for (const char of piece) steps.push({ kind: 'literal', char });
  }
  return steps;
}

/**
 * A glob as in `.gitignore` files, against project-relative paths with `/`: `*` and `?` stay within a part, `**` crosses
 * parts, everything else is literal. A glob without `/` matches a part at any depth; a match covers all below it. Takes time in
 * proportion to the path and the glob, whatever the glob.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const trimmed = glob.normalize('NFC').replace(/^\.?\//, '').replace(/\/+$/, '');
  if (trimmed === '') return () => false;
  const anchored = trimmed.includes('/') || /^\.?\//.test(glob);
  const steps = stepsOf(trimmed);

  return (path) => {
    // Which steps are next, all ways of matching at once. Inside a part that a `parts` step takes in: `inside`.
    let at = new Set<number>();
    let inside = new Set<number>();
    const enter = (into: Set<number>, step: number): void => {
      for (let i = step; !into.has(i); i += 1) {
        into.add(i);
        const kind = steps[i]?.kind;
        if (kind !== 'star' && kind !== 'all' && kind !== 'parts') return;
      }
    };
    enter(at, 0);
    for (const char of path) {
      // All of it matched, and what follows lies below.
      if (char === '/' && at.has(steps.length)) return true;
      const next = new Set<number>();
      const nextInside = new Set<number>();
      for (const i of at) {
        const step = steps[i];
        if (step === undefined) continue;
        if (step.kind === 'literal' ? step.char === char : step.kind === 'one' && char !== '/') enter(next, i + 1);
        else if (step.kind === 'all' || (step.kind === 'star' && char !== '/')) enter(next, i);
        else if (step.kind === 'parts' && char !== '/') nextInside.add(i);
      }
      for (const i of inside) {
        if (char === '/') enter(next, i);
        else nextInside.add(i);
      }
      if (!anchored && char === '/') enter(next, 0);
      at = next;
      inside = nextInside;
    }
    return at.has(steps.length);
  };
}
