import type { BrowserContext, Page } from 'playwright-core';
import { profileEntry } from '../../../src/protocol/model-profile';
import type { ModelsSnapshot, PagePlace, PageProfile } from '../../../src/protocol/models';
import { openApp, type Bundle, type OpenOptions } from './page';

export interface ModelsPageOptions extends Omit<OpenOptions, 'snapshot'> {
  readonly snapshot: ModelsSnapshot;
  readonly place?: PagePlace;
}

/** The page of the models with the real policy. */
export async function openModels(context: BrowserContext, bundle: Bundle, { snapshot, place = {}, ...options }: ModelsPageOptions): Promise<Page> {
  return openApp(context, bundle, 'models', { width: 900, height: 900, ...options, ready: { snapshot, place } });
}

const profile = (title: string, rest: Readonly<Record<string, unknown>>, more: Partial<PageProfile> = {}): PageProfile => {
  const entry = profileEntry.parse({ title, ...rest });
  return { title, entry, ofFolder: false, url: entry.baseUrl === undefined ? '' : `${entry.baseUrl}/chat/completions`, key: { kind: 'none' }, ...more };
};

export const sample: ModelsSnapshot = {
  profiles: [
    profile('', {}),
    profile('DeepSeek', { baseUrl: 'https://api.deepseek.com/v1', name: 'deepseek-chat', contextWindow: 128_000, price: { input: 2, output: 8, currency: 'CNY' } }, { key: { kind: 'service', mask: '••••1234' } }),
    profile('本机小模型', { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3:8b', tools: 'text', extraBody: { enable_thinking: false } }),
    profile('合作者的', { baseUrl: 'https://relay.example/v1', name: 'm' }, { ofFolder: true, problem: '模型「合作者的」用不了：其中「topP」的值不合适。' }),
  ],
  writing: 'DeepSeek',
  side: '本机小模型',
  presets: [
    { name: '通义千问 Qwen', entry: profileEntry.parse({ title: '通义千问 Qwen', baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1', extraBody: { enable_thinking: false } }), keyUrl: 'https://bailian.console.aliyun.com/?tab=model#/api-key', note: '已关闭思考。' },
    { name: 'Ollama', entry: profileEntry.parse({ title: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1' }) },
  ],
};
