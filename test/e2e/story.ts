import type { Answer } from '../fakes/model-server/script';

/** Chapters of the sample novel that the scenarios are about. */
export const letter = '正文/第一卷 退潮/001-雨夜来信.md';
export const bureau = '正文/第一卷 退潮/002-潮信局.md';
export const mender = '正文/第一卷 退潮/003-修表的人.md';

export interface Edit {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** The clue of the fourth stroke must not be given away in the third chapter; the bell of the first sounds like a knock. */
export const knock: Edit = { path: letter, old: '闷得像有人在水底下咳嗽', new: '闷得像有人在水底下敲门' };
export const clock: Edit = { path: mender, old: '门上挂着一只停了的挂钟，指着四点。', new: '门上挂着一只停了的挂钟，指着三点三刻。' };

/** What a text becomes. */
export const edited = (text: string, ...edits: readonly Edit[]): string =>
  edits.reduce((now, edit) => {
    if (now.split(edit.old).length !== 2) throw new Error(`Not exactly once: ${edit.old}`);
    return now.replace(edit.old, () => edit.new);
  }, text);

interface Words {
  readonly ask: string;
  readonly reading: string;
  readonly reply: string;
  readonly talk: string;
  readonly answer: string;
}

/** The conversation of the main scenario, as it stands in the pictures. */
export const words: Readonly<Record<'en' | 'zh-cn', Words>> = {
  en: {
    ask: 'Read the first three chapters. Make the bell sound like a knock under water, and do not let the stopped clock give the fourth stroke away.',
    reading: 'I will read the three chapters first.',
    reply: [
      'Two sentences changed:',
      '',
      '- **Chapter 1**: the bell now knocks (敲门) under the water instead of coughing. It answers the knock at the end of volume one.',
      '- **Chapter 3**: the stopped clock pointed at four, which told too early what the *fourth* stroke is about. It now stands at a quarter to four.',
    ].join('\n'),
    talk: 'Does chapter 2 still fit?',
    answer: 'Yes. Old Ji says that the bell has only ever struck three; nothing in chapter 2 mentions the clock in the shop.',
  },
  'zh-cn': {
    ask: '先读前三章。第一章的钟声改得像水底下有人敲门；第三章那只停了的挂钟别把「第四下」提前说破。',
    reading: '先把前三章读一遍。',
    reply: [
      '改了两处：',
      '',
      '- **第一章**：钟声从「咳嗽」改成「敲门」，正好和第一卷末尾那一下呼应。',
      '- **第三章**：挂钟原先指着四点，等于提前说破了*第四下*。现在停在三点三刻。',
    ].join('\n'),
    talk: '第二章还对得上吗？',
    answer: '对得上。老纪说「老钟楼只敲三下」，第二章没有提到铺子里的那只钟，不用改。',
  },
};

/** Three reads, one batch of two edits, then words; the second turn is talk alone. */
export const mainScript = (locale: 'en' | 'zh-cn'): readonly Answer[] => [
  { reasoning: '先看原文。', text: words[locale].reading, calls: [letter, bureau, mender].map((path) => ({ name: 'read', args: { path } })) },
  { calls: [{ name: 'edit', args: { edits: [knock, clock] } }] },
  { text: words[locale].reply, chunkSize: 4, delayMs: 5 },
  { text: words[locale].answer },
];

/** Settings under which a model server answers. */
export const modelSettings = (baseUrl: string, name = 'story'): Readonly<Record<string, unknown>> => ({
  'liyuan.model.baseUrl': baseUrl,
  'liyuan.model.name': name,
});

/** The key, as it is given to the extension host. */
export const key = 'sk-of-the-scenarios';
export const keyEnv = { LIYUAN_API_KEY: key } as const;
