import { expect, test } from 'vitest';
import { vscodeModelRows } from '../../../../src/extension/models/vscode-model-rows';
import { createFakeLanguageModel } from '../../../fakes/language-models';

test('VS Code’s models stand by vendor and name, each with what it takes and the name that finds it again', () => {
  const models = [
    createFakeLanguageModel([], { id: 'gpt-x', name: 'GPT X', vendor: 'copilot', maxInputTokens: 64_000 }),
    createFakeLanguageModel([], { id: 'claude', name: 'Claude', vendor: 'copilot', maxInputTokens: 90_000 }),
    createFakeLanguageModel([], { id: 'gpt-x', name: 'My own', vendor: 'byok', maxInputTokens: 8_000 }),
  ];
  const t = (message: string, args: Readonly<Record<string, string | number>> = {}): string => message.replace(/\{(\w+)\}/g, (_, name: string) => String(args[name]));
  expect(vscodeModelRows(models, t, (value) => `${value / 1000}k`)).toEqual([
    { vendor: 'byok', label: 'My own', detail: 'gpt-x · takes 8k tokens', chosen: { provider: 'vscode', name: 'byok/gpt-x', title: 'My own' } },
    { vendor: 'copilot', label: 'Claude', detail: 'claude · takes 90k tokens', chosen: { provider: 'vscode', name: 'claude', title: 'Claude' } },
    { vendor: 'copilot', label: 'GPT X', detail: 'gpt-x · takes 64k tokens', chosen: { provider: 'vscode', name: 'copilot/gpt-x', title: 'GPT X' } },
  ]);
  expect(vscodeModelRows([], t, String)).toEqual([]);
});
