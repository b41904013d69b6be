import * as z from 'zod';

/** Unset as settings have it: nothing, null, an empty text or an empty object. */
const unset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '') || (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0);

/** The field may be left empty. */
const maybe = <T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodPreprocess<z.ZodOptional<T>>> => z.preprocess((value) => (unset(value) ? undefined : value), schema.optional()).optional();

const tokens = (least: number): z.ZodNumber => z.number().int().min(least);
const seconds = z.number().int().min(5);
const money = z.number().nonnegative();

/** For a million tokens each. */
export const profilePrice = z.object({
  input: money,
  /** Of the input: what the service had in its cache. */
  cached: money.optional(),
  output: money,
  /** ISO 4217. */
  currency: z.string().regex(/^[A-Z]{3}$/).optional(),
});

/** Everything of a profile but its title: the fields of `liyuan.model.*`, by the same names. */
const fields = {
  baseUrl: maybe(z.string().trim()),
  /** Name of the model at the address. */
  name: maybe(z.string().trim()),
  contextWindow: maybe(tokens(8_000)),
  maxOutput: maybe(tokens(1)),
  temperature: maybe(z.number().min(0).max(2)),
  topP: maybe(z.number().min(0).max(1)),
  reasoningEffort: maybe(z.string().trim()),
  reasoningReplay: maybe(z.enum(['auto', 'calls', 'never'])),
  tools: maybe(z.enum(['native', 'text', 'none'])),
  headers: maybe(z.record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string().regex(/^[\t\x20-\x7e]*$/))),
  extraBody: maybe(z.record(z.string(), z.unknown())),
  /** Seconds of silence after which a stream counts as hung. */
  idleTimeout: maybe(seconds),
  /** Seconds after which a call is ended, whatever arrives. */
  totalTimeout: maybe(seconds),
  price: maybe(profilePrice),
} as const;

/**
 * One entry of the setting `liyuan.models`, and of an exported file; without a title, the values of `liyuan.model.*`. `provider` `vscode`: one of
 * VS Code's own models, whose `name` is its id, without address and key. Unknown fields are left out.
 */
export const profileEntry = z.object({ title: z.string().trim().max(80), provider: z.enum(['openai', 'vscode']).default('openai'), ...fields });

export type ProfileEntry = z.output<typeof profileEntry>;
export type ProfilePrice = z.output<typeof profilePrice>;
export type ProfileField = keyof typeof fields;

/** The fields in the order of the form. */
export const profileFieldNames = Object.keys(fields) as readonly ProfileField[];

/** How a field is filled in. */
export type FieldKind = 'text' | 'number' | 'choice' | 'object' | 'price';

export const fieldKinds = {
  baseUrl: 'text',
  name: 'text',
  contextWindow: 'number',
  maxOutput: 'number',
  temperature: 'number',
  topP: 'number',
  reasoningEffort: 'text',
  reasoningReplay: 'choice',
  tools: 'choice',
  headers: 'object',
  extraBody: 'object',
  idleTimeout: 'number',
  totalTimeout: 'number',
  price: 'price',
} as const satisfies Record<ProfileField, FieldKind>;

/** What may be chosen for a field of kind `choice`. The first is what counts when nothing is set. */
export const fieldChoices = {
  reasoningReplay: ['auto', 'calls', 'never'],
  tools: ['native', 'text', 'none'],
} as const;

/** The first field of an entry that does not fit; `title` also when another entry has it (say so in `taken`). */
export function wrongField(raw: unknown, taken: (title: string) => boolean = () => false): 'title' | 'provider' | ProfileField | undefined {
  const parsed = profileEntry.safeParse(raw);
  if (!parsed.success) return (parsed.error.issues[0]?.path[0] ?? 'title') as ProfileField;
  return taken(parsed.data.title) ? 'title' : undefined;
}
