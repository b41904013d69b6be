import type { ChatItem, ChatSnapshot, ChatStatus } from '../../../src/protocol/chat';

/** Made-up conversations for tests and pictures. */

type Of<K extends ChatItem['kind']> = Extract<ChatItem, { kind: K }>;

export const idle: ChatStatus = {
  phase: 'idle',
  readOnly: false,
  model: { name: 'deepseek-chat', rehearsal: false, configured: true },
};

export function snapshotOf(items: readonly ChatItem[], change: Partial<ChatSnapshot> = {}): ChatSnapshot {
  return {
    epoch: 'e1',
    seq: 0,
    project: 'open',
    session: { id: 's1', title: '第一卷 修订' },
    items: [...items],
    status: idle,
    ...change,
  };
}

export function user(id: string, text: string): Of<'user'> {
  return { kind: 'user', id, turnId: id, text, ts: Date.UTC(2026, 4, 3, 12, 0) };
}

export function assistant(id: string, text: string, change: Partial<Of<'assistant'>> = {}): Of<'assistant'> {
  return { kind: 'assistant', id, turnId: 't1', text, reasoning: '', state: 'done', ...change };
}

export function tool(id: string, name: string, title: string, change: Partial<Of<'tool'>> = {}): Of<'tool'> {
  return { kind: 'tool', id, turnId: 't1', name, title, state: 'done', note: '', args: '{}', result: '{}', ...change };
}

export function ask(id: string, change: Partial<Of<'ask'>> = {}): Of<'ask'> {
  return {
    kind: 'ask',
    id,
    turnId: 't1',
    question: '砚秋拆开那封信之前，要不要先去问阿满？',
    options: ['先问阿满，让他知道信的来历', '独自拆信，把秘密留给自己', '把信收起来，等退潮再说'],
    state: 'open',
    ...change,
  };
}

export const changes: Of<'changes'> = {
  kind: 'changes',
  id: 'changes:t1',
  turnId: 't1',
  undone: false,
  files: [
    { path: '正文/第一卷 退潮/001-雨夜来信.md', status: 'modified', added: 128, removed: 41 },
    { path: '正文/第二卷 涨潮/009-雾里的钟.md', status: 'added', added: 2140, removed: 0 },
    { path: '大纲/总纲.md', from: '大纲/大纲.md', status: 'renamed', added: 0, removed: 0 },
  ],
};

/** Two turns that the model sees as a summary, and one that it sees whole. */
export const summarised: readonly ChatItem[] = [
  { ...user('u1', '从现在起文风要冷，一句不超过二十字。'), summarised: true },
  assistant('r1', '好，记下了。', { turnId: 'u1' }),
  { ...user('u2', '第一章里砚秋不要笑。'), summarised: true },
  assistant('r2', '改了一处：「笑了一下」换成「停了停」。', { turnId: 'u2' }),
  {
    kind: 'summary',
    id: 'sum1',
    turnId: 'u2',
    floors: [1, 2],
    tokens: 1240,
    state: 'active',
    text: '## 要求\n- 文风要冷，一句不超过二十字（第 1 轮）\n- 砚秋不要笑（第 2 轮）\n\n## 做过\n- 正文/第一卷 退潮/001-雨夜来信.md：「笑了一下」→「停了停」（第 2 轮）\n\n## 未了\n无',
  },
  user('u3', '接着往下写。'),
  assistant('r3', '先看第二章的结尾。', { turnId: 'u3' }),
];

export const toggles = {
  rows: [
    { id: 'agent.apply', label: '先提议，再落笔', detail: '你接受之前，章节不动', on: false, there: true },
    { id: 'rules.agents', label: 'AGENTS.md', detail: '', on: true, tokens: 412, there: true },
    { id: 'rules.style', label: '文风', detail: '设定/文风.md', on: false, tokens: 1_286, there: true },
    { id: 'rules.forbidden', label: '禁用词', detail: '设定/禁用词.txt', on: true, tokens: 0, count: 0, there: false },
  ],
};

const proposed = (id: string, path: string, change: Partial<Of<'proposal'>['files'][number]> = {}): Of<'proposal'>['files'][number] => ({
  id,
  path,
  kind: 'modify',
  state: 'pending',
  added: 12,
  removed: 4,
  waiting: 2,
  accepted: 0,
  rejected: 0,
  ...change,
});

/** Every state that a proposed file can be in. */
export const proposal: Of<'proposal'> = {
  kind: 'proposal',
  id: 'proposal:t1',
  turnId: 't1',
  files: [
    proposed('p1', '正文/第一卷 退潮/001-雨夜来信.md'),
    proposed('p2', '正文/第一卷 退潮/003-修表的人.md', { state: 'conflict', waiting: 1 }),
    proposed('p3', '正文/第二卷 涨潮/009-雾里的钟.md', { kind: 'create', added: 2140, removed: 0, waiting: 0 }),
    proposed('p4', '正文/第二卷 涨潮/010-归潮.md', { kind: 'rename', from: '正文/第二卷 涨潮/010-退潮.md', state: 'accepted', accepted: 1, rejected: 1, waiting: 0 }),
    proposed('p5', '大纲/总纲.md', { state: 'rejected', rejected: 1, waiting: 0 }),
    proposed('p6', '设定/旧设定.md', { kind: 'delete', state: 'carried', added: 0, removed: 320, waiting: 0 }),
  ],
};

const chapter = '正文/第一卷 退潮/001-雨夜来信.md';

/** A whole turn: thinking, steps, a question that was answered, a reply, its changes. */
export const fullTurn: readonly ChatItem[] = [
  user('u1', '把第一章里砚秋捡到瓶子那一段改得更安静一些，别让她笑。\n另外写一章《雾里的钟》接在后面。'),
  assistant('r1', '', {
    reasoning: '先看第一章的原文，再决定删哪几句。\n约定里说比喻要从海、信、钟里来，句子要短。\n她笑的那一句可以换成停下脚步。',
  }),
  tool('c1', 'outline', '看目录', { note: '8 章，共 21,340 字' }),
  tool('c2', 'read', `读了 ${chapter}`, {
    note: '第 1–42 行',
    path: chapter,
    args: JSON.stringify({ path: chapter, start: 1, end: 42 }),
    result: JSON.stringify({ path: chapter, start: 1, end: 42, of: 42, text: '# 第一章 雨夜来信\n\n盐渡的潮一天来两回，走两回。\n' }),
  }),
  ask('a1', { state: 'answered', answer: '独自拆信，把秘密留给自己' }),
  tool('c3', 'edit', `改了 ${chapter}`, {
    note: '2 处',
    path: chapter,
    args: JSON.stringify({
      edits: [
        { path: chapter, old: '砚秋笑了一下，顺着哨声走。', new: '砚秋停了停，顺着哨声走。' },
        { path: chapter, old: '雨大的时候，灯是看不见的。', new: '雨大的时候，灯照不了多远。' },
      ],
    }),
    result: JSON.stringify({ ok: true, matches: [{ level: 'exact' }, { level: 'exact' }] }),
  }),
  tool('c4', 'grep', '找「铜哨」', { state: 'failed', note: '没有成功：模式不对', args: '{"pattern":"("}', result: '{"error":"bad_pattern"}' }),
  assistant(
    'r2',
    [
      '改好了两处：',
      '',
      '1. 「笑了一下」换成「停了停」，她的**情绪**收在动作里。',
      '2. 风灯那一句让雨更近：`灯照不了多远`。',
      '',
      '> 信差在滩上不靠眼睛，靠耳朵。',
      '',
      '后面的[第二章](正文/第一卷%20退潮/002-潮信局.md)还有一处「笑」，要不要一起改？',
      '',
      '| 章 | 字数 | 变化 |',
      '| :-- | --: | :-: |',
      '| 雨夜来信 | 2,713 | +87 |',
      '| 雾里的钟 | 2,140 | 新 |',
    ].join('\n'),
  ),
  changes,
];

/** The same turn while it runs: a chapter is being written. */
export const writing: readonly ChatItem[] = [
  user('u1', '写一章《雾里的钟》接在后面。'),
  assistant('r1', '先看一眼目录，再动笔。'),
  tool('c1', 'outline', '看目录', { note: '8 章，共 21,340 字' }),
  tool('c5', 'write', '写 正文/第二卷 涨潮/009-雾里的钟.md', {
    state: 'streaming',
    path: '正文/第二卷 涨潮/009-雾里的钟.md',
    args: '',
    result: '',
    preview:
      '# 第九章 雾里的钟\n\n雾是从海那头推过来的，先吃掉了灯塔，再吃掉码头，最后只剩下钟楼的一个角。\n\n沈砚秋站在潮信局的台阶上，听见老钟敲了四下。\n\n「闻钟必返」，墙上写的是三下。没有人说过四下该怎么办。\n\n她把信按在胸口，数了数自己的呼吸，',
  }),
];

/** A card of changes that have brought words the author does not want. */
export const withForbidden: Of<'changes'> = {
  ...changes,
  files: changes.files.map((file, at) => (at === 0 ? { ...file, forbidden: [{ word: '不禁', line: 12 }, { word: '嘴角微微上扬', line: 40 }] } : file)),
};
