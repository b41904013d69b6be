/** Services that speak chat/completions and where they are; names are theirs. */
export const knownServices: readonly { readonly name: string; readonly base: string }[] = [
  { name: 'DeepSeek', base: 'https://api.deepseek.com' },
  { name: 'Kimi (Moonshot)', base: 'https://api.moonshot.cn/v1' },
  { name: '通义千问 Qwen', base: 'https://dashscope.aliyuncs.com/compatible-mode/v1' },
  { name: '智谱 GLM', base: 'https://open.bigmodel.cn/api/paas/v4' },
  { name: '豆包 Doubao (Ark)', base: 'https://ark.cn-beijing.volces.com/api/v3' },
  { name: 'SiliconFlow', base: 'https://api.siliconflow.cn/v1' },
  { name: 'OpenAI', base: 'https://api.openai.com/v1' },
  { name: 'OpenRouter', base: 'https://openrouter.ai/api/v1' },
  { name: 'Ollama', base: 'http://127.0.0.1:11434/v1' },
  { name: 'LM Studio', base: 'http://127.0.0.1:1234/v1' },
  { name: 'llama.cpp', base: 'http://127.0.0.1:8080/v1' },
];
