/** Setting under `liyuan.model` or field of an entry of `liyuan.models` → name of the same thing in a model profile; times are told apart below. */
export const profileNames = {
  baseUrl: 'baseUrl',
  name: 'name',
  contextWindow: 'window',
  maxOutput: 'maxOutput',
  temperature: 'temperature',
  topP: 'topP',
  reasoningEffort: 'reasoningEffort',
  reasoningReplay: 'reasoningReplay',
  tools: 'tools',
  headers: 'headers',
  extraBody: 'extraBody',
  price: 'price',
} as const;

/** In seconds here, in ms in a profile. */
export const timeNames = { idleTimeout: 'idleTimeoutMs', totalTimeout: 'totalTimeoutMs' } as const;

export type ModelSetting = keyof typeof profileNames | keyof typeof timeNames | 'writing' | 'side';

/** Which profile is asked for what; '' is the default one for writing, and for side work the one that writes. */
export type ModelRole = 'writing' | 'side';

/** Values by the names of the settings, as a profile has them: see `profileFromSettings`. */
export function asProfileValues(raw: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named = Object.entries(profileNames).map(([setting, name]) => [name, raw[setting]] as const);
  const times = Object.entries(timeNames).flatMap(([setting, name]) => (typeof raw[setting] === 'number' ? [[name, raw[setting] * 1000] as const] : []));
  return Object.fromEntries([...named, ...times]);
}
