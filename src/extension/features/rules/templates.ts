import type { RuleId } from '../../../engine/index';

/** What a rule begins as, in the language of the project. */
export function ruleTemplate(id: RuleId, language: 'zh' | 'en'): string {
  return templates[id][language];
}

const templates: Readonly<Record<RuleId, Readonly<Record<'zh' | 'en', string>>>> = {
  agents: {
    zh: '# 写作约定\n\n写给助手看的：这部书要怎么写，什么不能动。每一轮都会读。\n\n- \n',
    en: '# How to write this book\n\nFor the agent: what this book asks for, and what must not be touched. It is read in every turn.\n\n- \n',
  },
  style: {
    zh: '# 文风\n\n- 人称与时态：\n- 句子长短：\n- 对话：\n- 比喻从哪里来：\n- 不写：\n',
    en: '# Style\n\n- Person and tense:\n- Length of sentences:\n- Dialogue:\n- Where images come from:\n- Never:\n',
  },
  forbidden: {
    zh: '# 一行一个词；# 开头的行不算；箭头后面写可以换成什么，几个之间用顿号。\n# 例：嘴角微微上扬 → 笑了笑、笑\n',
    en: '# One word a line; lines that begin with # do not count; after an arrow what may stand instead, several parted by a slash.\n# Example: suddenly → then / at once\n',
  },
};
