import type { MarkedWords } from './marks';
import { markWords, PATH, QUOTE, TITLE } from './marks';
import { NUMERALS, parseNumber } from './numbers';

/** A chapter as people name one. */
export type ChapterRef =
  | { readonly by: 'number'; readonly n: number }
  | { readonly by: 'title'; readonly title: string }
  | { readonly by: 'path'; readonly path: string }
  | { readonly by: 'last' };

/** A literal request found in the author's words. */
export type Intent =
  | { readonly kind: 'replace'; readonly old: string; readonly new: string; readonly ref?: ChapterRef; readonly all: boolean }
  | { readonly kind: 'create'; readonly title: string; readonly brief: string }
  | { readonly kind: 'read'; readonly refs: readonly ChapterRef[] }
  | { readonly kind: 'read-first'; readonly count: number }
  | { readonly kind: 'outline' }
  | { readonly kind: 'search'; readonly pattern: string }
  | { readonly kind: 'delete'; readonly ref: ChapterRef }
  | { readonly kind: 'rename'; readonly ref: ChapterRef; readonly title: string }
  | { readonly kind: 'options' }
  | { readonly kind: 'next-chapter'; readonly path: string; readonly heading: string; readonly placeholder: string };

const REF = `(?:第[${NUMERALS}]+章|${TITLE}|${PATH}|最[后新近]的?一章|(?:the\\s+)?(?:last|latest)\\s+chapter|chapter\\s+(?:\\d+|[a-z]+\\b|${QUOTE}|${TITLE}))`;
const NAME = `(?:${TITLE}|${QUOTE})`;
const CLAUSE = '[^⟦⟧。；;\\n\\0]';
const INTO = '(?:改成|改为|改作|换成|换为|替换成|替换为|替换)';
const AWAY = '(?:删掉|删去|删除|删了|去掉|拿掉)';
const ALL = /全书|全文|全部|所有|每一处|通篇|一律|统统|统一|都|\b(?:every|all|everywhere|throughout|whole)\b/i;

interface Rule {
  readonly pattern: RegExp;
  /** `undefined`: the words do not mean this after all. */
  build(match: RegExpExecArray, words: MarkedWords, around: Around): Intent | undefined;
}

/** The text before and after a match, as far as no other request was found in it. */
interface Around {
  readonly before: string;
  readonly after: string;
}

const pattern = (source: string): RegExp => new RegExp(source, 'giu');

const rules: readonly Rule[] = [
  {
    pattern: pattern(`(?:把|将)?\\s*(${REF})\\s*(?:的?(?:名字|标题|章名|题目))?\\s*(?:重命名|改名|更名|改)(?:为|成|叫|作)\\s*(${NAME})`),
    build: (match, words) => ({ kind: 'rename', ref: refOf(match[1], words), title: words.value(match[2] ?? '') }),
  },
  {
    pattern: pattern(`(?:重命名|rename)\\s*(${REF})\\s*(?:为|成|叫|to|as|into)\\s*(${NAME})`),
    build: (match, words) => ({ kind: 'rename', ref: refOf(match[1], words), title: words.value(match[2] ?? '') }),
  },
  {
    pattern: pattern(
      `(?:(?:新建|创建|新增|新写)${CLAUSE}{0,6}|(?:写|加|添加|开|来)[一1]?个?新?的?一?章${CLAUSE}{0,4}|(?:create|add|write|start|make)\\s+(?:a\\s+)?(?:new\\s+)?chapter\\s*(?:called|titled|named|:)?\\s*)(${NAME})((?:(?!然后|接着|再把|并把|[。；;\\n\\0]|\\. )[^⟧⟦]|${NAME})*)`,
    ),
    build: (match, words) => ({
      kind: 'create',
      title: words.value(match[1] ?? ''),
      brief: words
        .restore(match[2] ?? '')
        .replace(/^[\s，,：:]*(?:里面?|内容)?(?:要?写|讲|是|关于|about|in which|where)?[\s：:]*/i, '')
        .replace(/[\s，,.]+$/, ''),
    }),
  },
  {
    pattern: pattern(`在(${CLAUSE}*(?:${REF})?${CLAUSE}*?)(${QUOTE})的?(后面|之后|后|前面|之前|前)(?:再?加上?|插入|添上?|补上?|写上?)(?:一句|一段)?[，,：:\\s]*(${QUOTE})`),
    build: (match, words, around) => insertion(words.value(match[2] ?? ''), words.value(match[4] ?? ''), (match[3] ?? '').includes('后'), scope(match[1] ?? '', around, words)),
  },
  {
    pattern: pattern(`(?:add|insert|put)\\s+(${QUOTE})\\s+(after|before)\\s+(${QUOTE})`),
    build: (match, words, around) => insertion(words.value(match[3] ?? ''), words.value(match[1] ?? ''), match[2]?.toLowerCase() === 'after', scope('', around, words)),
  },
  {
    pattern: pattern(`(?:(?:把|将)(${CLAUSE}*?(?:${REF})?${CLAUSE}*?))?(${QUOTE})\\s*((?:都|全部|全|统统|一律|统一)*)\\s*${INTO}\\s*(${QUOTE})`),
    build: (match, words, around) => ({
      kind: 'replace',
      old: words.value(match[2] ?? ''),
      new: words.value(match[4] ?? ''),
      ...scope(`${match[1] ?? ''} ${match[3] ?? ''}`, around, words),
    }),
  },
  {
    pattern: pattern(`(?:change|replace|correct|turn)\\s+((?:every|all)\\s+)?(${QUOTE})\\s+(?:to|with|by|into|for)\\s+(${QUOTE})`),
    build: (match, words, around) => ({
      kind: 'replace',
      old: words.value(match[2] ?? ''),
      new: words.value(match[3] ?? ''),
      ...scope(match[1] ?? '', around, words),
    }),
  },
  {
    pattern: pattern(`(?:${AWAY}|delete|remove)\\s*(${REF})(?!\\s*(?:里|中|的))|(?:把|将)\\s*(${REF})\\s*${AWAY}`),
    build: (match, words) => ({ kind: 'delete', ref: refOf(match[1] ?? match[2], words) }),
  },
  {
    pattern: pattern(`(?:(?:把|将)(${CLAUSE}*?(?:${REF})?${CLAUSE}*?)(${QUOTE})\\s*((?:都|全部|全)*)\\s*${AWAY}|(?:${AWAY}|delete|remove|cut)\\s*(${CLAUSE}*?(?:${REF})?${CLAUSE}*?)(${QUOTE}))`),
    build: (match, words, around) => ({
      kind: 'replace',
      old: words.value(match[2] ?? match[5] ?? ''),
      new: '',
      ...scope(`${match[1] ?? ''} ${match[3] ?? ''} ${match[4] ?? ''}`, around, words),
    }),
  },
  {
    pattern: pattern(`(?:搜索|搜一下|搜|查找|查一下|找一下|找找|找|search|grep|look|find)\\s*(?:for)?${CLAUSE}{0,8}?(${QUOTE})|(${QUOTE})\\s*(?:都?在哪|出现在|在什么地方)|哪里(?:提到|出现|写)过?\\s*(${QUOTE})|where\\s+(?:is|does)\\s+(${QUOTE})`),
    build: (match, words) => ({ kind: 'search', pattern: words.value(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '') }),
  },
  {
    pattern: pattern('(?:搜索|查找|search for|grep)\\s*([^\\s⟦⟧，。；,.;\\n\\0]+)'),
    build: (match) => ({ kind: 'search', pattern: match[1] ?? '' }),
  },
  {
    pattern: pattern(`(?:读|看|read)(?:一?[读看下]|过|\\s+the)?\\s*(?:前|最前面?|开头|first)?\\s*([${NUMERALS}]+|[a-z]+)\\s*(?:个?章|chapters)`),
    build(match) {
      const count = parseNumber(match[1] ?? '');
      return count === undefined ? undefined : { kind: 'read-first', count };
    },
  },
  {
    pattern: pattern(`(?:读|看|read)(?:一?[读看下])?\\s*(?:第([${NUMERALS}]+)章?\\s*(?:到|至|[-–~～])\\s*第?([${NUMERALS}]+)章|chapters?\\s+(\\d+)\\s*(?:to|through|[-–])\\s*(\\d+))`),
    build(match) {
      const from = parseNumber(match[1] ?? match[3] ?? '');
      const to = parseNumber(match[2] ?? match[4] ?? '');
      if (from === undefined || to === undefined || to < from) return undefined;
      const count = Math.min(to - from + 1, MOST_READ);
      return { kind: 'read', refs: Array.from({ length: count }, (_, i) => ({ by: 'number', n: from + i })) };
    },
  },
  {
    pattern: pattern(`(?:读|看|打开|read|open|show)(?:一?[读看下])?\\s*(${REF}(?:\\s*(?:、|和|与|以及|，|,|and)\\s*${REF})*)`),
    build: (match, words) => ({ kind: 'read', refs: (match[1] ?? '').match(pattern(REF))?.map((ref) => refOf(ref, words)) ?? [] }),
  },
  {
    pattern: pattern('目录|章节列表|有哪些章|有几章|\\b(?:outline|table of contents|list (?:all )?(?:the )?chapters)\\b'),
    build: () => ({ kind: 'outline' }),
  },
  {
    pattern: pattern('给我?(?:出)?(?:几个|两个|三个|一些|个|点)?(?:选项|方向|主意)|怎么办|(?:接下来|往下|下一章)(?:该|要)?怎么写|\\bgive me (?:some |a few |two |three )?(?:options|choices|ideas)|\\bwhat (?:should happen )?next\\b|\\bwhat now\\b'),
    build: () => ({ kind: 'options' }),
  },
];

/** Chapters read for one request at most. */
export const MOST_READ = 10;

/** The literal requests in the author's words, in the order they stand there. Words in quotes are never taken for a request. */
export function findIntents(words: string): readonly Intent[] {
  const marked = markWords(words);
  const found: { readonly at: number; readonly intent: Intent }[] = [];
  let left = marked.text;
  for (const rule of rules) {
    rule.pattern.lastIndex = 0;
    for (let match = rule.pattern.exec(left); match !== null; match = rule.pattern.exec(left)) {
      const end = match.index + match[0].length;
      const intent = rule.build(match, marked, { before: left.slice(0, match.index), after: left.slice(end) });
      if (intent === undefined) continue;
      found.push({ at: match.index, intent });
      left = left.slice(0, match.index) + '\0'.repeat(match[0].length) + left.slice(end);
    }
  }
  return dropDoubles(found.sort((a, b) => a.at - b.at).map(({ intent }) => intent));
}

/** How a chapter is named in free text, such as the answer to a question. */
export function findRef(words: string): ChapterRef | undefined {
  const marked = markWords(words);
  const match = pattern(REF).exec(marked.text);
  return match === null ? undefined : refOf(match[0], marked);
}

/** True when the words speak of all places. */
export function meansAll(words: string): boolean {
  return ALL.test(words);
}

/** Where a change is meant: words inside the request, directly before it, or directly after it. */
function scope(inside: string, around: Around, words: MarkedWords): { readonly ref?: ChapterRef; readonly all: boolean } {
  const before = new RegExp(`(?:在\\s*(${REF})|(${REF})\\s*(?:里面?|中|内|的)|\\bin\\s+(${REF}))\\s*(?:里面?|中|内)?\\s*[，,：:]?\\s*$`, 'iu').exec(around.before);
  const after = new RegExp(`^\\s*[，,（(]?\\s*(?:只|仅|就)?(?:在|改|限|only\\s+)?\\s*(?:\\bin\\s+)?(${REF})(?!\\s*改)`, 'iu').exec(around.after);
  const ref = new RegExp(REF, 'iu').exec(inside)?.[0] ?? before?.[1] ?? before?.[2] ?? before?.[3] ?? after?.[1];
  const allBefore = /(?:全书|全文|所有章节?)(?:里|中)?[，,]?\s*$/.test(around.before);
  const allAfter = /^\s*[，,（(]?\s*(?:要|请)?(?:全书|全文|全部|所有|每一处|都改|everywhere|throughout|in (?:all|every|the whole))/i.test(around.after);
  return { ...(ref === undefined ? {} : { ref: refOf(ref, words) }), all: ALL.test(inside) || allBefore || allAfter };
}

function insertion(anchor: string, text: string, after: boolean, where: { readonly ref?: ChapterRef; readonly all: boolean }): Intent {
  return { kind: 'replace', old: anchor, new: after ? anchor + text : text + anchor, ...where };
}

function refOf(written: string | undefined, words: MarkedWords): ChapterRef {
  const text = written ?? '';
  const mark = /⟦([qtp])\d+⟧/.exec(text);
  if (mark !== null) return mark[1] === 'p' ? { by: 'path', path: words.value(mark[0]) } : { by: 'title', title: words.value(mark[0]) };
  const number = new RegExp(`第([${NUMERALS}]+)章|chapter\\s+(\\d+|[a-z]+)`, 'iu').exec(text);
  const n = parseNumber(number?.[1] ?? number?.[2] ?? '');
  return n === undefined ? { by: 'last' } : { by: 'number', n };
}

function dropDoubles(intents: readonly Intent[]): readonly Intent[] {
  const seen = new Set<string>();
  return intents.filter((intent) => {
    const key = JSON.stringify(intent);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
