import * as vscode from 'vscode';
import { isRemark, rowsFor } from './rows';
import type { Remark, RemarkRow } from './rows';

/** `back`: the person went a step back; `undefined`: they closed the box. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
}

export interface PickStep<I extends vscode.QuickPickItem> extends StepPlace {
  readonly placeholder: string;
  readonly items: readonly I[];
  /** Items that arrive later, or what they make of those there are, and what is to be said about them; the box shows that it waits. */
  readonly later?: (signal: AbortSignal) => Promise<{ readonly items: readonly I[] | ((now: readonly I[]) => readonly I[]); readonly note?: Remark }>;
  /** What typed words stand for, offered above the items. */
  readonly typed?: (text: string) => I | undefined;
  /** What is wrong with words that stand for nothing. */
  readonly wrong?: (text: string) => Remark | undefined;
  readonly value?: string;
}

/** A list to choose from, with free text where `typed` says what it means. */
export function pickStep<I extends vscode.QuickPickItem>(options: PickStep<I>): Promise<StepAnswer<I>> {
  return new Promise((resolve) => {
    const box = vscode.window.createQuickPick<I | RemarkRow>();
    const abort = new AbortController();
    let items = options.items;
    let note: Remark | undefined;
    let settled = false;
    const settle = (answer: StepAnswer<I>): void => {
      if (settled) return;
      settled = true;
      abort.abort();
      resolve(answer);
      box.dispose();
    };
    const offer = (): void => {
      box.items = rowsFor<I>(box.value, { ...options, items, note });
    };
    Object.assign(box, { title: options.title, step: options.step, totalSteps: options.totalSteps, placeholder: options.placeholder });
    box.ignoreFocusOut = true;
    box.matchOnDescription = true;
    box.matchOnDetail = true;
    box.buttons = options.step > 1 ? [vscode.QuickInputButtons.Back] : [];
    box.value = options.value ?? '';
    offer();
    box.onDidChangeValue(offer);
    box.onDidTriggerButton(() => { settle('back'); });
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      if (chosen !== undefined && !isRemark(chosen)) settle({ value: chosen });
    });
    box.onDidHide(() => { settle(undefined); });
    box.show();
    if (options.later !== undefined) {
      box.busy = true;
      options.later(abort.signal).then(
        (more) => {
          if (settled) return;
          items = typeof more.items === 'function' ? more.items(items) : more.items;
          box.busy = false;
          ({ note } = more);
          offer();
        },
        () => { if (!settled) box.busy = false; },
      );
    }
  });
}

export interface TextStep extends StepPlace {
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  readonly value?: string;
  /** Words on what is wrong with the text, or nothing. */
  readonly check?: (text: string) => string | undefined;
}

/** One line of text. */
export function textStep(options: TextStep): Promise<StepAnswer<string>> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    let settled = false;
    const settle = (answer: StepAnswer<string>): void => {
      if (settled) return;
      settled = true;
      resolve(answer);
      box.dispose();
    };
    const check = (): boolean => {
      box.validationMessage = options.check?.(box.value) ?? '';
      return box.validationMessage === '';
    };
    Object.assign(box, {
      title: options.title,
      step: options.step,
      totalSteps: options.totalSteps,
      prompt: options.prompt,
      placeholder: options.placeholder ?? '',
      password: options.password ?? false,
      value: options.value ?? '',
      ignoreFocusOut: true,
    });
    box.buttons = options.step > 1 ? [vscode.QuickInputButtons.Back] : [];
    box.onDidChangeValue(check);
    box.onDidTriggerButton(() => { settle('back'); });
    box.onDidAccept(() => { if (check()) settle({ value: box.value }); });
    box.onDidHide(() => { settle(undefined); });
    box.show();
  });
}
