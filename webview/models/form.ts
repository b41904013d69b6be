import { fieldKinds, profileEntry, profileFieldNames, wrongField, type ProfileEntry, type ProfileField } from '../../src/protocol/model-profile';
import type { ModelsStringKey } from '../../src/protocol/models-strings';

export type PricePart = 'input' | 'cached' | 'output' | 'currency';
/** What stands in the boxes: everything is text. A price has a box for each part. */
export type FormValues = Readonly<Record<'title' | Exclude<ProfileField, 'price'> | `price.${PricePart}`, string>>;
export type FormField = keyof FormValues;
export const priceParts: readonly PricePart[] = ['input', 'cached', 'output', 'currency'];

const plain = profileFieldNames.filter((name) => name !== 'price');

/** The boxes of an entry. */
export function formOf(entry: ProfileEntry): FormValues {
  const text = (value: unknown): string => (value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value));
  const fields = plain.map((name) => [name, text(entry[name])] as const);
  const price = priceParts.map((part) => [`price.${part}`, text(entry.price?.[part])] as const);
  return { title: entry.title, ...Object.fromEntries([...fields, ...price]) } as FormValues;
}

export const emptyForm = (): FormValues => formOf(profileEntry.parse({ title: '' }));

/** A field that does not fit, and the text that says why. */
export interface Wrong {
  readonly field: string;
  readonly says: ModelsStringKey;
}

/** The entry the boxes stand for, or the first field that does not fit. `taken`: a title another model has, or none where one is needed. */
export function entryOf(values: FormValues, provider: ProfileEntry['provider'], taken: (title: string) => boolean): { readonly entry: Record<string, unknown> } | Wrong {
  const entry: Record<string, unknown> = { title: values.title.trim(), provider };
  for (const name of plain) {
    const typed = values[name].trim();
    if (typed === '') continue;
    if (fieldKinds[name] === 'number') entry[name] = Number(typed);
    else if (fieldKinds[name] === 'object') {
      const object = jsonObject(typed);
      if (object === undefined) return { field: name, says: 'models.wrongJson' };
      entry[name] = object;
    } else entry[name] = typed;
  }
  const price = priceParts.filter((part) => values[`price.${part}`].trim() !== '').map((part) => {
    const typed = values[`price.${part}`].trim();
    return [part, part === 'currency' ? typed.toUpperCase() : Number(typed)] as const;
  });
  if (price.some(([part]) => part !== 'currency')) entry['price'] = Object.fromEntries(price);
  const field = wrongField(entry, taken);
  return field === undefined ? { entry } : { field, says: saysOf(field) };
}

function saysOf(field: 'title' | 'provider' | ProfileField): ModelsStringKey {
  if (field === 'title') return 'models.wrongTitle';
  if (field === 'headers') return 'models.wrongHeaders';
  if (field === 'price') return 'models.wrongPrice';
  return field !== 'provider' && fieldKinds[field] === 'number' ? 'models.wrongNumber' : 'models.wrong';
}

/** What is wrong with a key as typed: a mask never becomes a key. */
export function wrongKey(typed: string): ModelsStringKey | undefined {
  const key = typed.trim();
  if (/^[•●*·…]{2,}/.test(key)) return 'models.key.masked';
  return /[^\x20-\x7e]/.test(key) ? 'models.key.characters' : undefined;
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
