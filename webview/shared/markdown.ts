import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

/** One top-level block of a text: its source, and the HTML made of it (not yet sanitised). */
export interface MarkdownBlock {
  readonly source: string;
  readonly html: string;
}

const markdown = new MarkdownIt({ html: false, breaks: true, linkify: false, typographer: false });

// Table alignment comes as `style="text-align:…"`, which the content security policy forbids: it becomes a class.
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const align = /text-align:\s*(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token) {
      token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
      if (align) token.attrJoin('class', `align-${align}`);
    }
    return self.renderToken(tokens, index, options);
  };
}

// Images are never loaded: what they say is shown instead.
markdown.renderer.rules['image'] = (tokens, index) => {
  const alt = tokens[index]?.content ?? '';
  return `<span class="md-image">[${markdown.utils.escapeHtml(alt)}]</span>`;
};

/** Splits a text into its top-level blocks. The sources, one after the other, are the whole text. */
export function markdownBlocks(text: string): readonly MarkdownBlock[] {
  const env = {};
  const tokens = markdown.parse(text, env);
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lineStarts.push(at + 1);
  const offsetOf = (line: number): number => lineStarts[line] ?? text.length;

  const groups: { start: number; tokens: typeof tokens }[] = [];
  for (const token of tokens) {
    const opens = token.level === 0 && token.nesting >= 0;
    if (opens) groups.push({ start: offsetOf(token.map?.[0] ?? 0), tokens: [token] });
    else groups.at(-1)?.tokens.push(token);
  }
  return groups.map((group, index) => ({
    source: text.slice(index === 0 ? 0 : group.start, groups[index + 1]?.start ?? text.length),
    html: markdown.renderer.render(group.tokens, markdown.options, env),
  }));
}

/**
 * How many blocks at the start can no longer change when the text grows: what is half a table or heading may turn out to
 * belong to the paragraph before it, and a bare `2` to the list before it, but nothing reaches over two blank lines.
 */
function settledCount(blocks: readonly MarkdownBlock[]): number {
  let gaps = 0;
  for (let at = blocks.length - 1; at > 0; at -= 1) {
    if (/\n[ \t]*\n[ \t]*$/.test(blocks[at - 1]?.source ?? '')) gaps += 1;
    if (gaps === 2) return at;
  }
  return 0;
}

/** Blocks of a text that grows at its end: only the last few are parsed again. Any other change starts over. */
export function createBlockParser(): { parse(text: string): readonly MarkdownBlock[] } {
  let before = '';
  let blocks: readonly MarkdownBlock[] = [];
  return {
    parse: (text) => {
      if (text === before) return blocks;
      const settled = text.startsWith(before) ? blocks.slice(0, settledCount(blocks)) : [];
      const length = settled.reduce((sum, block) => sum + block.source.length, 0);
      blocks = [...settled, ...markdownBlocks(text.slice(length))];
      before = text;
      return blocks;
    },
  };
}

const allowedTags = [
  'p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'em', 'strong', 's', 'a', 'span',
  'table', 'thead', 'tbody', 'tr', 'th', 'td',
];

/** Where a link may lead: to the web or a mail program (the host asks the user), or to a file of the project. */
export type LinkTarget = { readonly kind: 'web' } | { readonly kind: 'file'; readonly path: string } | { readonly kind: 'none' };

export function linkTarget(href: string): LinkTarget {
  if (/^(https?:\/\/|mailto:)/i.test(href)) return { kind: 'web' };
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('#') || href.startsWith('/') || href.startsWith('\\')) return { kind: 'none' };
  const [path = ''] = href.split('#');
  try {
    return { kind: 'file', path: decodeURI(path).replace(/^\.\//, '') };
  } catch (error) {
    if (error instanceof URIError) return { kind: 'file', path };
    throw error;
  }
}

/** The block as sanitised nodes: no styles, no handlers, no images, no link that leads anywhere but `linkTarget` says. */
export function markdownNodes(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ['href', 'title', 'class', 'start'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    const href = link.getAttribute('href') ?? '';
    const target = linkTarget(href);
    if (target.kind === 'web') {
      link.rel = 'noreferrer';
      link.title = href;
      continue;
    }
    link.removeAttribute('href');
    if (target.kind === 'file') {
      link.dataset['path'] = target.path;
      link.role = 'link';
      link.tabIndex = 0;
      link.title = target.path;
    }
  }
  return fragment;
}
