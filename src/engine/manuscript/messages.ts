/** Messages that stay on disk with a checkpoint, in the project's language. */
export interface CheckpointMessages {
  /** What the author changed outside of any turn's edits. */
  readonly author: string;
  /** Instead of `author` where there was no checkpoint before: nothing was changed yet. */
  readonly first: string;
  /** The agent's edits of a turn whose own words are not known here. */
  readonly agent: string;
  /** What another program wrote into files that hold unsaved words. */
  readonly beneath: string;
  readonly beforeRestore: string;
  readonly beforeUndo: string;
  restored(message: string): string;
  restoredFile(path: string, message: string): string;
  undone(message: string): string;
  /** Chapters renamed, moved or numbered anew at the author's request. */
  arranged(chapters: number): string;
  deleted(chapters: number): string;
  /** Appended when a turn was stopped. */
  readonly aborted: string;
}

/** A path would push the rest of the message out of a narrow list; the checkpoint’s files have it. */
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const tables: Readonly<Record<'zh' | 'en', CheckpointMessages>> = {
  zh: {
    author: '作者的改动',
    first: '打开项目时的样子',
    agent: '助手的改动',
    beneath: '磁盘上的版本（编辑器里另有未保存的字）',
    beforeRestore: '恢复之前',
    beforeUndo: '撤销之前',
    restored: (message) => `恢复到「${message}」`,
    restoredFile: (path, message) => `恢复 ${nameIn(path)} 到「${message}」`,
    undone: (message) => `撤销「${message}」`,
    arranged: (chapters) => `调整章节（${chapters} 章）`,
    deleted: (chapters) => `删除 ${chapters} 章`,
    aborted: '（已中止）',
  },
  en: {
    author: 'Author’s changes',
    first: 'As it was when the project was opened',
    agent: 'Agent’s changes',
    beneath: 'On the disk, beneath unsaved words',
    beforeRestore: 'Before restoring',
    beforeUndo: 'Before undoing',
    restored: (message) => `Restored to “${message}”`,
    restoredFile: (path, message) => `Restored ${nameIn(path)} to “${message}”`,
    undone: (message) => `Undid “${message}”`,
    arranged: (chapters) => `Rearranged chapters (${chapters})`,
    deleted: (chapters) => `Deleted chapters (${chapters})`,
    aborted: ' (stopped)',
  },
};

export function checkpointMessages(language: 'zh' | 'en'): CheckpointMessages {
  return tables[language];
}

const longest = 60;

/** The first 60 characters of the user's words, on one line, marked when the turn was stopped. */
export function turnMessage(words: string, aborted: boolean, messages: CheckpointMessages): string {
  const bare = words.endsWith(messages.aborted) ? words.slice(0, -messages.aborted.length) : words;
  const head = [...bare.replace(/\s+/g, ' ').trim()].slice(0, longest).join('');
  return aborted ? `${head}${messages.aborted}` : head;
}
