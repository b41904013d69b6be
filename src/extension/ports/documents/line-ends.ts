export type Eol = '\n' | '\r\n';

/**
 * The one line end VS Code gives a text on opening it: CRLF when more than half of its line ends have a CR, `none` when it
 * has no line end at all.
 */
export function eolOf(text: string, none: Eol): { readonly eol: Eol; readonly mixed: boolean } {
  let cr = 0;
  let lf = 0;
  let crlf = 0;
  for (const [end] of text.matchAll(/\r\n|\r|\n/g)) {
    if (end === '\r\n') crlf += 1;
    else if (end === '\r') cr += 1;
    else lf += 1;
  }
  const all = cr + lf + crlf;
  if (all === 0) return { eol: none, mixed: false };
  return cr + crlf > all / 2 ? { eol: '\r\n', mixed: cr + lf > 0 } : { eol: '\n', mixed: cr + crlf > 0 };
}

/** Every CR, LF and CRLF as `eol`, as VS Code does with text that goes into a document. */
export const withEol = (text: string, eol: Eol): string => text.replace(/\r\n|\r|\n/g, eol);
