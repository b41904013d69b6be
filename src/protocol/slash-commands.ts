/**
 * What `/` at the start of the input box offers. A command of another feature is one more line here: `does` is a command of VS Code that
 * the host runs, or something of the conversation that the view asks for. `when`: shown only then (`idle`: no turn runs and the
 * conversation can be written; `turn`: the same, and there is a turn; `busy`: one runs).
 */
export interface SlashCommand {
  /** As typed after the slash. */
  readonly id: string;
  /** Its name in both languages: it is found by either, whatever the display language. */
  readonly en: string;
  readonly zh: string;
  /** One line on what it does, in both languages. */
  readonly says: { readonly en: string; readonly zh: string };
  readonly icon: string;
  readonly when?: 'idle' | 'turn' | 'busy';
  readonly does: { readonly command: string; readonly args?: readonly string[] } | { readonly ask: 'newSession' | 'undo' | 'retry' | 'continue' | 'stop' | 'rules' };
}

export const slashCommands: readonly SlashCommand[] = [
  { id: 'new', en: 'New conversation', zh: '新对话', says: { en: 'Begins a new conversation; this one stays in the list', zh: '另开一个对话，这个留在列表里' }, icon: 'add', does: { ask: 'newSession' } },
  { id: 'continue', en: 'Continue', zh: '继续', says: { en: 'Asks the agent to go on', zh: '让助手接着做' }, icon: 'debug-continue', when: 'turn', does: { ask: 'continue' } },
  { id: 'undo', en: 'Undo the last turn', zh: '撤销本轮', says: { en: 'Takes back its edits; its words come back into the box', zh: '撤回这一轮的改动，话回到输入框' }, icon: 'discard', when: 'turn', does: { ask: 'undo' } },
  { id: 'retry', en: 'Retry the last turn', zh: '重试本轮', says: { en: 'Takes it back and runs it once more', zh: '撤回这一轮，重新做一遍' }, icon: 'refresh', when: 'turn', does: { ask: 'retry' } },
  { id: 'stop', en: 'Stop', zh: '停止', says: { en: 'Stops the turn that runs', zh: '停下正在进行的这一轮' }, icon: 'debug-stop', when: 'busy', does: { ask: 'stop' } },
  { id: 'next-chapter', en: 'The next chapter', zh: '下一章', says: { en: 'Asks which way to go, then writes the chapter', zh: '先问往哪里走，再写' }, icon: 'new-file', when: 'idle', does: { command: 'liyuan.chapters.next' } },
  { id: 'whole-book', en: 'Whole book', zh: '全书批量修改', says: { en: 'One instruction, chapter by chapter; what it takes is shown first', zh: '一件事逐章做完，先告诉你要用多少' }, icon: 'checklist', does: { command: 'liyuan.jobs.start' } },
  { id: 'compact', en: 'Summarise the earlier turns', zh: '压缩前面的对话', says: { en: 'Makes room in the model’s window; it can be taken back', zh: '给模型的窗口腾地方，可以撤销' }, icon: 'fold', when: 'turn', does: { command: 'liyuan.chat.compact' } },
  { id: 'export', en: 'Export the conversation', zh: '导出对话', says: { en: 'Writes it to a Markdown file', zh: '写成一个 Markdown 文件' }, icon: 'export', does: { command: 'liyuan.chat.export' } },
  { id: 'rules', en: 'Project rules', zh: '打开 AGENTS.md', says: { en: 'Opens AGENTS.md: what the agent keeps to in this project', zh: '作者的要求：助手在这个项目里要守的规矩' }, icon: 'law', does: { ask: 'rules' } },
  { id: 'model', en: 'Choose the model', zh: '选择模型', says: { en: 'Sets up a model or switches to another', zh: '设置或切换模型' }, icon: 'settings-gear', does: { command: 'liyuan.model.switch' } },
  { id: 'checkpoint', en: 'Make a checkpoint', zh: '建检查点', says: { en: 'Keeps all texts as they are now', zh: '把所有文字按现在的样子存一份' }, icon: 'save', does: { command: 'liyuan.history.createCheckpoint' } },
  { id: 'numbers', en: 'Numbers', zh: '字数', says: { en: 'What was written, by day and by chapter', zh: '每天、每章写了多少' }, icon: 'graph', does: { command: 'liyuan.numbers.open' } },
  { id: 'history', en: 'History', zh: '历史', says: { en: 'Shows the checkpoints', zh: '看检查点，回到以前' }, icon: 'history', does: { command: 'liyuan.history.focus' } },
  { id: 'log', en: 'Log', zh: '日志', says: { en: 'Opens the log', zh: '打开日志' }, icon: 'output', does: { command: 'liyuan.log.show' } },
];
