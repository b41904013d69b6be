import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ToolSpec } from '../../../src/engine/ports/models';
import { loadPromptAssets } from '../../../src/engine/prompt/assets';
import { canonicalTools } from '../../../src/engine/prompt/canonical';
import { AGENT_TOOLS, agentTools } from '../../../src/engine/tools/registry';

const assets = fileURLToPath(new URL('../../../assets', import.meta.url));

async function specsOf(language: 'zh' | 'en'): Promise<readonly ToolSpec[]> {
  const loaded = await loadPromptAssets(assets, language);
  if (!loaded.ok) throw new Error(loaded.error.code);
  return agentTools(loaded.value).specs;
}

describe.each(['zh', 'en'] as const)('the tools as offered in %s', (language) => {
  it('are these, in this order', async () => {
    expect((await specsOf(language)).map(({ name }) => name)).toEqual([
      'list',
      'read',
      'grep',
      'outline',
      'edit',
      'write',
      'rename',
      'delete',
      'ask',
    ]);
  });

  it('take these parameters, and need these', async () => {
    const shapes = (await specsOf(language)).map(({ name, parameters }) => [
      name,
      Object.keys(parameters['properties'] as object),
      parameters['required'] ?? [],
    ]);
    expect(shapes).toEqual([
      ['list', ['path', 'start'], []],
      ['read', ['path', 'start', 'end', 'exact'], ['path']],
      ['grep', ['pattern', 'regex', 'path', 'limit'], ['pattern']],
      ['outline', ['path', 'start'], []],
      ['edit', ['edits'], ['edits']],
      ['write', ['path', 'content'], ['path', 'content']],
      ['rename', ['from', 'to'], ['from', 'to']],
      ['delete', ['path'], ['path']],
      ['ask', ['question', 'options'], ['question', 'options']],
    ]);
  });

  it('describe themselves and every parameter', async () => {
    const undescribed = (schema: Readonly<Record<string, unknown>>, path: string): readonly string[] => {
      const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
      const items = schema['items'] as Readonly<Record<string, unknown>> | undefined;
      return [
        ...Object.entries(properties).flatMap(([name, inner]) => [
          ...(inner['description'] === undefined ? [`${path}.${name}`] : []),
          ...undescribed(inner, `${path}.${name}`),
        ]),
        ...(items === undefined ? [] : undescribed(items, path)),
      ];
    };
    const specs = await specsOf(language);
    expect(specs.filter(({ description }) => description === '').map(({ name }) => name)).toEqual([]);
    expect(specs.flatMap(({ name, parameters }) => undescribed(parameters, name))).toEqual([]);
  });

  it('carry no $schema and no bound of the language, and stay small', async () => {
    const json = canonicalTools(await specsOf(language));
    expect(json).not.toContain('$schema');
    expect(json).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(json.length).toBeLessThan(4_200);
  });

  it('are the same bytes each time', async () => {
    expect(canonicalTools(await specsOf(language))).toBe(canonicalTools(await specsOf(language)));
  });
});

describe('the schema of edit', () => {
  it('is this', async () => {
    const edit = (await specsOf('en')).find(({ name }) => name === 'edit');
    expect(edit?.parameters).toEqual({
      type: 'object',
      required: ['edits'],
      properties: {
        edits: {
          type: 'array',
          minItems: 1,
          description: 'The changes, over several files if need be',
          items: {
            type: 'object',
            required: ['path', 'old', 'new'],
            properties: {
              path: { type: 'string', minLength: 1, description: 'The file' },
              old: { type: 'string', description: 'The present words, copied' },
              new: { type: 'string', description: 'What they become; empty to remove them' },
            },
          },
        },
      },
    });
  });
});

describe('assets', () => {
  it('that are missing are refused by name', async () => {
    const loaded = await loadPromptAssets(fileURLToPath(new URL('.', import.meta.url)), 'zh');
    expect(loaded).toMatchObject({ ok: false, error: { code: 'asset.missing', args: { path: 'prompts/zh/agent.md' } } });
  });

  it('name every tool of the registry and no other', async () => {
    const loaded = await loadPromptAssets(assets, 'zh');
    expect(loaded.ok && Object.keys(loaded.value.tools).sort()).toEqual(AGENT_TOOLS.map(({ name }) => name).sort());
  });
});
