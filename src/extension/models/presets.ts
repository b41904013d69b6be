import type { ProfileEntry } from '../../protocol/model-profile';

/** A service that speaks chat/completions: its name is its own, its prices are left to be filled in. */
export interface ModelPreset {
  readonly name: string;
  readonly entry: Omit<Partial<ProfileEntry>, 'title' | 'provider' | 'price'> & { readonly baseUrl: string };
  /** Where a key is got. Shown, never opened by itself. None: the service needs no key. */
  readonly keyUrl?: string;
  /** A word on what was filled in, in English: a key of the translation bundle. */
  readonly note?: string;
}

/** What is said about presets; translated where it is shown. */
export const presetNotes = {
  deepseek: 'The thinking model wants its thinking back beside each step; that is learned from its answers.',
  qwen: 'Thinking is switched off by “enable_thinking”; set it to true for models that should think.',
  sampling: 'Newer models refuse temperature and top-p: leave them empty.',
  window: 'Ask the model’s page for its context window, and fill it in.',
  local: 'The context window is what the program was started with, often only 4,096 or 8,192 tokens: set it there to 32,768 or more, and here to the same.',
} as const;

export const modelPresets: readonly ModelPreset[] = [
  { name: 'DeepSeek', entry: { baseUrl: 'https://api.deepseek.com', name: 'deepseek-chat', contextWindow: 128_000, reasoningReplay: 'auto' }, keyUrl: 'https://platform.deepseek.com/api_keys', note: presetNotes.deepseek },
  { name: 'Kimi (Moonshot)', entry: { baseUrl: 'https://api.moonshot.cn/v1', contextWindow: 128_000 }, keyUrl: 'https://platform.moonshot.cn/console/api-keys', note: presetNotes.sampling },
  { name: '通义千问 Qwen', entry: { baseUrl: 'https://dashscope.aliyuncs.com/compatible-mode/v1', extraBody: { enable_thinking: false } }, keyUrl: 'https://bailian.console.aliyun.com/?tab=model#/api-key', note: presetNotes.qwen },
  { name: '智谱 GLM', entry: { baseUrl: 'https://open.bigmodel.cn/api/paas/v4', contextWindow: 128_000 }, keyUrl: 'https://open.bigmodel.cn/usercenter/apikeys' },
  { name: '豆包 Doubao (Ark)', entry: { baseUrl: 'https://ark.cn-beijing.volces.com/api/v3' }, keyUrl: 'https://console.volcengine.com/ark', note: presetNotes.window },
  { name: 'SiliconFlow', entry: { baseUrl: 'https://api.siliconflow.cn/v1' }, keyUrl: 'https://cloud.siliconflow.cn/account/ak', note: presetNotes.window },
  { name: 'OpenAI', entry: { baseUrl: 'https://api.openai.com/v1', contextWindow: 128_000 }, keyUrl: 'https://platform.openai.com/api-keys', note: presetNotes.sampling },
  { name: 'OpenRouter', entry: { baseUrl: 'https://openrouter.ai/api/v1' }, keyUrl: 'https://openrouter.ai/settings/keys', note: presetNotes.window },
  { name: 'Ollama', entry: { baseUrl: 'http://127.0.0.1:11434/v1' }, note: presetNotes.local },
  { name: 'LM Studio', entry: { baseUrl: 'http://127.0.0.1:1234/v1' }, note: presetNotes.local },
  { name: 'llama.cpp', entry: { baseUrl: 'http://127.0.0.1:8080/v1' }, note: presetNotes.local },
];
