import * as z from 'zod';
import type { ToolSpec } from '../ports/models';
import type { Tool } from './tool';

/** What the model is told of each tool, and of each parameter by dotted path. */
export type ToolTexts = Readonly<
  Record<string, { readonly description: string; readonly params: Readonly<Record<string, string>> }>
>;

type JsonSchema = Readonly<Record<string, unknown>>;

/** The tool as it is offered: JSON schema without `$schema` and numeric bounds of the language, descriptions from the texts. Deterministic. */
export function toolSpec(tool: Tool, texts: ToolTexts): ToolSpec {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.schema, { io: 'input' }) as Record<string, unknown>;
  const text = texts[tool.name];
  return {
    name: tool.name,
    description: text?.description ?? '',
    parameters: described(schema, '', text?.params ?? {}),
  };
}

function described(schema: JsonSchema, path: string, params: Readonly<Record<string, string>>): JsonSchema {
  const { properties, items, maximum, ...rest } = schema;
  const description = params[path];
  return {
    ...rest,
    // zod gives every integer the language's largest one as a maximum
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
    ...(description === undefined ? {} : { description }),
    ...(isSchema(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [
              name,
              isSchema(inner) ? described(inner, path === '' ? name : `${path}.${name}`, params) : inner,
            ]),
          ),
        }
      : {}),
    ...(isSchema(items) ? { items: described(items, path, without(params, path)) } : {}),
  };
}

/** An array's own description is not repeated on its items. */
function without(params: Readonly<Record<string, string>>, path: string): Readonly<Record<string, string>> {
  const { [path]: _, ...rest } = params;
  return rest;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
