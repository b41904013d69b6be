/**
 * A glob as in `.gitignore` files, against project-relative paths with `/`: `*` and `?` stay within a part, `**` crosses
 * parts, everything else is literal. A glob without `/` matches a part at any depth; a match covers all below it.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const trimmed = glob.normalize('NFC').replace(/^\.?\//, '').replace(/\/+$/, '');
  if (trimmed === '') return () => false;
  const anchored = trimmed.includes('/') || /^\.?\//.test(glob);
  const body = trimmed
    .split(/(\*\*\/|\/\*\*$|\*\*|\*|\?)/)
    .map((piece) => {
      if (piece === '**/') return '(?:[^/]+/)*';
      if (piece === '/**') return '/.+';
      if (piece === '**') return '.*';
      if (piece === '*') return '[^/]*';
      if (piece === '?') return '[^/]';
      return piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  const pattern = new RegExp(`^${anchored ? '' : '(?:.*/)?'}${body}(?:/.*)?$`, 'u');
  return (path) => pattern.test(path);
}
