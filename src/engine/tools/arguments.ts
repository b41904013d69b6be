import { jsonrepair } from 'jsonrepair';
import type * as z from 'zod';
import type { Result } from '../ports/result';
import { ok, refuse } from '../ports/result';
import { parsedJson } from '../text/json';
import type { Tool } from './tool';

/** Levels of nesting (formats.md, Limits). */
const MOST_DEEP = 200;

export interface ParsedArguments {
  readonly value: Readonly<Record<string, unknown>>;
  /** Valid JSON text, as executed: what is kept in the history. The endpoint's own text when that was valid. */
  readonly json: string;
  /** The text was broken JSON and has been repaired. */
  readonly repaired: boolean;
}

/** The arguments as JSON, whatever the endpoint sent: an empty text is `{}`, JSON within a JSON string is unpacked. */
export function parseArguments(text: string): Result<ParsedArguments> {
  if (text.trim() === '') return ok({ value: {}, json: '{}', repaired: false });
  if (isTooDeep(text)) return refuse('tool.bad-args', { field: '', message: `nested deeper than ${MOST_DEEP}` });
  const plain = parsedJson(text);
  if (isObject(plain)) return ok({ value: plain, json: text, repaired: false });
  const mended = plain === undefined ? tryRepair(text) : text;
  const value = mended === undefined ? undefined : parsedJson(mended);
  if (value === undefined) return refuse('tool.bad-args', { field: '', message: 'not JSON' });
  const unpacked = typeof value === 'string' ? parsedJson(value) : value;
  if (!isObject(unpacked)) return refuse('tool.bad-args', { field: '', message: 'not a JSON object' });
  return ok({ value: unpacked, json: JSON.stringify(unpacked), repaired: plain === undefined });
}

/** Whether brackets outside strings nest deeper than the limit. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) {
      inString = true;
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > MOST_DEEP) return true;
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks arguments against the tool's schema; unknown keys and keys set to `null` are ignored, a refusal names the field. */
export function checkArguments(tool: Tool, given: Readonly<Record<string, unknown>>): Result<unknown> {
  const args = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const checked = tool.schema.safeParse(tool.prepare?.(args) ?? args);
  return checked.success ? ok(checked.data) : refuse('tool.bad-args', problemOf(checked.error));
}

function problemOf(error: z.ZodError): { readonly field: string; readonly message: string } {
  const issue = error.issues[0];
  return { field: issue?.path.join('.') ?? '', message: issue?.message ?? '' };
}

/** `jsonrepair` throws on what it cannot repair. */
function tryRepair(text: string): string | undefined {
  try {
    return jsonrepair(text);
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
