import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { AGENT_TOOLS } from '../../../src/engine/tools/registry';
import { parse, readJson, sourceFiles, stringsOf } from './source-tree';

interface ToolText {
  readonly description: string;
  readonly params: Readonly<Record<string, string>>;
}
const texts = {
  en: readJson<Readonly<Record<string, ToolText>>>('assets/prompts/en/tools.json'),
  zh: readJson<Readonly<Record<string, ToolText>>>('assets/prompts/zh/tools.json'),
};
const names = AGENT_TOOLS.map((tool) => tool.name);

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

/** `edits`, `edits.path`, …: the parameters of a schema, those of array items after a dot. */
function parameters(schema: JsonSchema, before = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const full = `${before}${name}`;
    return [full, ...parameters(part.items ?? part, `${full}.`)];
  });
}

describe('tool names', () => {
  test('are unique and plain', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z_]*$/.test(name))).toEqual([]);
  });

  test.each(['en', 'zh'] as const)('are described to the model in %s, each parameter too', (language) => {
    for (const tool of AGENT_TOOLS) {
      const text = texts[language][tool.name];
      expect(text?.description, tool.name).toBeTypeOf('string');
      const schema = z.toJSONSchema(tool.schema, { io: 'input' }) as JsonSchema;
      expect(Object.keys(text?.params ?? {}).sort(), tool.name).toEqual([...parameters(schema)].sort());
    }
    expect(Object.keys(texts[language]).sort()).toEqual([...names].sort());
  });

  test('each have words of their own in the chat', () => {
    const said = new Set(sourceFiles('src/extension/features/chat').flatMap((file) => stringsOf(parse(file))));
    expect(names.filter((name) => !said.has(name))).toEqual([]);
  });
});
