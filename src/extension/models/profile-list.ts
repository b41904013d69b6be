import { profileFieldNames, type ProfileEntry } from '../../protocol/model-profile';

/** What is set of an entry; the title first. */
const written = (entry: ProfileEntry): Record<string, unknown> => {
  const { title, provider, ...rest } = entry;
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { title, ...(provider === 'openai' ? {} : { provider }), ...Object.fromEntries(fields) };
};

/** The list with one entry put in this place, or at its end; what is not ours in the one that stood there stays. */
export function withEntry(entries: readonly unknown[], place: number | undefined, entry: ProfileEntry): readonly unknown[] {
  if (place === undefined || place >= entries.length) return [...entries, written(entry)];
  const ours = new Set<string>(['title', 'provider', ...profileFieldNames]);
  const before = entries[place];
  const foreign = typeof before === 'object' && before !== null ? Object.entries(before).filter(([name]) => !ours.has(name)) : [];
  return entries.map((raw, at) => (at === place ? { ...written(entry), ...Object.fromEntries(foreign) } : raw));
}
