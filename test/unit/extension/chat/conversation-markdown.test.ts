import { describe, expect, test } from 'vitest';
import { conversationMarkdown, fencesClosed } from '../../../../src/extension/features/chat/conversation-markdown';
import { fileNameOf } from '../../../../src/extension/features/chat/titles';
import { fillMessage } from '../../../../src/extension/l10n/translate';
import type { ChatItem } from '../../../../src/protocol/chat';

const options = { t: fillMessage, title: '第一卷\n修订', createdAt: 1, time: (ts: number) => `T${ts}` };

const items: readonly ChatItem[] = [
  { kind: 'user', id: 'u1', turnId: 'u1', text: '把「甲」改成「乙」。\n另外：\n\n*别*动第二章', ts: 2 },
  { kind: 'assistant', id: 'a1', turnId: 'u1', text: '', reasoning: '想了很多', state: 'done' },
  { kind: 'tool', id: 'c1', turnId: 'u1', name: 'read', title: 'Read 正文/001_雨夜.md', state: 'done', note: 'Lines 1 to 9 of 9', args: '{}', result: '{}' },
  { kind: 'tool', id: 'c2', turnId: 'u1', name: 'edit', title: 'Edit', state: 'failed', note: '', args: '{}', result: '{}' },
  { kind: 'ask', id: 'q1', turnId: 'u1', question: '先写谁？', options: ['阿满', '砚秋'], state: 'answered', answer: '砚秋' },
  { kind: 'assistant', id: 'a2', turnId: 'u1', text: '> 引文\n\n```ts\nlet a = 1;\n', reasoning: '', state: 'stopped', reply: true },
  { kind: 'changes', id: 'x', turnId: 'u1', undone: true, files: [{ path: '正文/002.md', from: '正文/001.md', status: 'renamed', added: 3, removed: 1 }] },
  { kind: 'notice', id: 'n1', level: 'info', text: 'not told', actions: [] },
  { kind: 'notice', id: 'n2', level: 'error', text: '到了上限', actions: [] },
];

describe('a conversation as Markdown', () => {
  test('has its title, the author’s words quoted line by line, replies as they are, one line a step, changes as a list', () => {
    expect(conversationMarkdown(items, options)).toBe(`# 第一卷 修订

Begun T1

---

**You** · T2

> 把「甲」改成「乙」。${'  '}
> 另外：
>
> *别*动第二章

- Read 正文/001\\_雨夜.md — Lines 1 to 9 of 9
- Edit

**The agent asked** 先写谁？

1. 阿满
2. 砚秋

→ 砚秋

**Agent**

> 引文

\`\`\`ts
let a = 1;
\`\`\`

*Stopped here*

**Changes of this turn** (Undone)

- 正文/001.md → 正文/002.md (+3 −1)

*到了上限*
`);
  });

  test('says that it has no title', () => {
    expect(conversationMarkdown([], { ...options, title: '' })).toBe('# Untitled conversation\n\nBegun T1\n');
  });

  test('closes a fence of code that was left open, with the same mark, and no other', () => {
    expect(fencesClosed('~~~~\n```\nx')).toBe('~~~~\n```\nx\n~~~~');
    expect(fencesClosed('```\nx\n```')).toBe('```\nx\n```');
    expect(fencesClosed('```\nx\n``` no\n`````')).toBe('```\nx\n``` no\n`````');
    expect(fencesClosed('``` a`b\nx')).toBe('``` a`b\nx');
  });
});

test('the name of its file is one that every system takes', () => {
  expect(fileNameOf('写：雨/夜 <1>?\n..')).toBe('写：雨 夜 1');
  expect(fileNameOf('...')).toBe('liyuan');
  expect(Array.from(fileNameOf('雨'.repeat(90)))).toHaveLength(60);
});
