import assert from 'node:assert/strict';
import fs from 'node:fs';
import * as vscode from 'vscode';
import type { ChatItem } from '../../src/protocol/chat';
import type { LiyuanApi } from '../../src/extension/activate';
import type { ChatController } from '../../src/extension/features/chat/controller';
import type { OpenProject } from '../../src/extension/project/active-project';
import { workspaceRoot } from './novel-folder';

/** Chapter of the sample novel that the tests edit, and words that stand in it once. */
export const firstChapter = '正文/第一卷 退潮/001-雨夜来信.md';
export const oldWords = '灯是看不见的';
export const newWords = '灯照不了多远';
export const literalRequest = `在第一章里把「${oldWords}」改成「${newWords}」`;

export type Internal = NonNullable<LiyuanApi['internal']>;

export function extension(): vscode.Extension<LiyuanApi> {
  const found = vscode.extensions.getExtension<LiyuanApi>('liyuan.liyuan');
  assert.ok(found, 'the extension is there');
  return found;
}

/** The running extension from the inside; only there in development. */
export async function internal(): Promise<Internal> {
  const api = await extension().activate();
  assert.ok(api.internal, 'the extension runs in development');
  return api.internal;
}

export const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(workspaceRoot(), ...path.split('/'));
export const diskBytes = (path: string): Buffer => fs.readFileSync(uriOf(path).fsPath);
export const diskText = (path: string): string => diskBytes(path).toString('utf8');

/** The project of the workspace, made when there is none yet. */
export async function project(): Promise<OpenProject> {
  const host = await internal();
  await host.project.settled;
  const opened = host.project.root === undefined ? await host.project.create(workspaceRoot(), { title: '盐渡来信', language: 'zh' }) : await host.project.opened();
  assert.ok(opened.ok, JSON.stringify(opened));
  return opened.value;
}

/** The chat as its view would use it, in a new conversation. */
export async function newChat(): Promise<ChatController> {
  await project();
  const chat = await (await internal()).controller();
  await chat.handlers.ready({});
  await chat.handlers.newSession({});
  return chat;
}

/** Sends words and waits for the end of the turn. */
export async function turn(chat: ChatController, text: string): Promise<readonly ChatItem[]> {
  assert.deepEqual(await chat.handlers.send({ text }), { accepted: true });
  const session = chat.current();
  assert.ok(session);
  await session.idle();
  return session.items();
}

export const ofKind = <K extends ChatItem['kind']>(items: readonly ChatItem[], kind: K): readonly Extract<ChatItem, { kind: K }>[] =>
  items.filter((item): item is Extract<ChatItem, { kind: K }> => item.kind === kind);

/** The answers of dialogs for as long as `f` runs; `asked` are the words of the dialogs that came. */
export async function answering<T>(answers: { readonly warning?: string; readonly input?: string; readonly pick?: number; /** Taken where an item's label matches; `pick` elsewhere. */ readonly label?: RegExp }, f: () => Promise<T>): Promise<{ readonly value: T; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const window = vscode.window as unknown as Record<string, unknown>;
  const before = { showWarningMessage: window['showWarningMessage'], showInputBox: window['showInputBox'], showQuickPick: window['showQuickPick'] };
  window['showWarningMessage'] = (message: string, options?: { readonly detail?: string }) => {
    asked.push([message, options?.detail ?? ''].join('\n'));
    return Promise.resolve(answers.warning);
  };
  window['showInputBox'] = (options: { readonly value?: string }) => Promise.resolve(answers.input ?? options.value);
  window['showQuickPick'] = (items: readonly { readonly label?: string }[]) =>
    Promise.resolve(items.find(({ label }) => answers.label?.test(label ?? '') === true) ?? items[answers.pick ?? 0]);
  try {
    return { value: await f(), asked };
  } finally {
    Object.assign(window, before);
  }
}
