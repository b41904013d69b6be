import * as z from 'zod';
import type { EventMap, RequestMap } from './envelope';
import { profileEntry } from './model-profile';

/** What is known about the key a profile would be asked with; the key itself never travels to the page. */
export const keyState = z.object({
  /**
   * `service`: one for all profiles of this address; `own`: the profile's own; `variable`: from `LIYUAN_API_KEY`; `lost`: there was one, and the key store
   * has it no more; `unreadable`: this machine has no key store that works.
   */
  kind: z.enum(['none', 'service', 'own', 'variable', 'lost', 'unreadable']),
  /** As it may be shown. */
  mask: z.string().optional(),
});

export const pageProfile = z.object({
  /** '': the default one. */
  title: z.string(),
  entry: profileEntry,
  ofFolder: z.boolean(),
  /** The exact URL of a request; '' without an address. */
  url: z.string(),
  /** Why it cannot be used. */
  problem: z.string().optional(),
  key: keyState,
});

export const pagePreset = z.object({ name: z.string(), entry: profileEntry, keyUrl: z.string().optional(), note: z.string().optional() });

export const modelsSnapshot = z.object({
  profiles: z.array(pageProfile),
  /** Titles as set for the roles. */
  writing: z.string(),
  side: z.string(),
  presets: z.array(pagePreset),
});

/** A profile as it stands in the form. */
export const profileDraft = z.object({
  /** The title of the profile that is being changed; absent: a new one. */
  was: z.string().optional(),
  /** Checked by `profileEntry`. */
  entry: z.record(z.string(), z.unknown()),
  /** Typed now; '' keeps what is stored. */
  key: z.string(),
});

/** One line of a test: what was looked at, how it is, and that in words. */
export const probeLine = z.object({
  subject: z.enum(['address', 'answer', 'streaming', 'usage', 'reasoning', 'tools']),
  verdict: z.enum(['ok', 'no', 'unknown']),
  text: z.string(),
});

export const probeState = z.object({
  /** Of the newest test; lines of an older one are stale. */
  run: z.number(),
  running: z.boolean(),
  lines: z.array(probeLine),
  /** The test could not begin, or ended: why. */
  problem: z.string().optional(),
  /** This form of the address works, the one in the form does not. */
  baseUrl: z.string().optional(),
  /** The folder's address that waits for the person's word. */
  asksFor: z.string().optional(),
});

/** Where the page is to stand: at a profile, or at a new one. */
export const pagePlace = z.object({ title: z.string().optional(), add: z.boolean().optional() });

/** Requests of the page of the models. */
export const modelsRequests = {
  ready: [z.object({}), z.object({ snapshot: modelsSnapshot, place: pagePlace, strings: z.record(z.string(), z.string()), locale: z.string() })],
  /** The exact URL an address stands for, or what is wrong with it. */
  address: [z.object({ baseUrl: z.string() }), z.object({ url: z.string().optional(), origin: z.string().optional(), problem: z.string().optional() })],
  /** `ownKey`: the typed key is for this profile alone. `field`: nothing was written because of it; `warning`: all but the key was. */
  save: [z.object({ draft: profileDraft, ownKey: z.boolean() }), z.object({ title: z.string().optional(), field: z.string().optional(), problem: z.string().optional(), warning: z.string().optional() })],
  remove: [z.object({ title: z.string() }), z.object({ removed: z.boolean() })],
  removeKey: [z.object({ title: z.string() }), z.object({})],
  use: [z.object({ title: z.string(), role: z.enum(['writing', 'side']) }), z.object({})],
  /** Begins a test; a running one is given up. What comes of it comes as `probe`. */
  test: [z.object({ draft: profileDraft, run: z.number() }), z.object({})],
  stopTest: [z.object({}), z.object({})],
  /** Lets keys and headers go to the address of a folder. */
  allow: [z.object({ address: z.string() }), z.object({ allowed: z.boolean() })],
  listModels: [z.object({ draft: profileDraft }), z.object({ names: z.array(z.string()).optional(), problem: z.string().optional() })],
  importFile: [z.object({}), z.object({})],
  exportFile: [z.object({}), z.object({})],
} satisfies RequestMap;

/** Every event is whole, so that none is missed by missing one. */
export const modelsEvents = {
  snapshot: modelsSnapshot,
  probe: probeState,
  place: pagePlace,
} satisfies EventMap;

export type ModelsSnapshot = z.infer<typeof modelsSnapshot>;
export type PageProfile = z.infer<typeof pageProfile>;
export type PagePlace = z.infer<typeof pagePlace>;
export type ProfileDraft = z.infer<typeof profileDraft>;
export type KeyState = z.infer<typeof keyState>;
export type ProbeLine = z.infer<typeof probeLine>;
export type ProbeState = z.infer<typeof probeState>;
