export interface PageParts {
  /** `webview.cspSource`, which carries its own quotes where it needs them. */
  readonly cspSource: string;
  readonly nonce: string;
  readonly script: string;
  readonly styles: readonly { readonly href: string; readonly id?: string }[];
  /** BCP 47. */
  readonly locale: string;
  readonly element: string;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** The policy measured to run Lit and the toolkit without a violation; no `unsafe-…` and no network. */
export function contentSecurityPolicy(cspSource: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join('; ');
}

/** The page of a webview app: its policy, its styles, its one element and its one script. */
export function webviewPage(parts: PageParts): string {
  const styles = parts.styles
    .map(({ href, id }) => `<link rel="stylesheet"${id === undefined ? '' : ` id="${escaped(id)}"`} href="${escaped(href)}" nonce="${parts.nonce}">`)
    .join('\n');
  return `<!DOCTYPE html>
<html lang="${escaped(parts.locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(contentSecurityPolicy(parts.cspSource, parts.nonce)).replaceAll('&#39;', "'")}">
<meta property="csp-nonce" content="${parts.nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${styles}
</head>
<body>
<${parts.element}></${parts.element}>
<script type="module" nonce="${parts.nonce}" src="${escaped(parts.script)}"></script>
</body>
</html>`;
}
