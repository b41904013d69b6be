import type { RequestOf, ResponseOf } from '../../src/protocol/envelope';
import { modelsEvents, modelsRequests, type ModelsSnapshot, type PagePlace, type PageProfile, type ProbeState, type ProfileDraft } from '../../src/protocol/models';
import { modelsStrings, type ModelsStringKey } from '../../src/protocol/models-strings';
import { createConnection } from '../shared/connection';
import { createTranslator, type Translator } from '../shared/strings';
import type { VsCodeApi } from '../shared/vscode-api';
import { emptyForm, entryOf, formOf, wrongKey, type FormField, type FormValues } from './form';

type Requests = typeof modelsRequests;

/** The state of the page and its traffic with the host. What is typed stays until it is saved or discarded. */
export interface ModelsState {
  readonly words: Translator<ModelsStringKey>;
  readonly snapshot: ModelsSnapshot | undefined;
  /** The profile in the form; `undefined`: a new one. */
  readonly profile: PageProfile | undefined;
  readonly values: FormValues;
  readonly key: string;
  readonly ownKey: boolean;
  readonly preset: string;
  readonly dirty: boolean;
  /** By field, or `key`. */
  readonly wrong: { readonly field: string; readonly text: string } | undefined;
  /** A word on what was done or went wrong. */
  readonly said: { readonly level: 'info' | 'error'; readonly text: string } | undefined;
  readonly address: ResponseOf<Requests, 'address'>;
  readonly probe: ProbeState | undefined;
  readonly names: { readonly busy: boolean; readonly list: readonly string[]; readonly problem?: string } | undefined;
}

export interface ModelsController {
  readonly state: ModelsState;
  select(title: string): void;
  add(): void;
  choosePreset(name: string): void;
  type(field: FormField, text: string): void;
  typeKey(text: string): void;
  setOwnKey(own: boolean): void;
  discard(): void;
  save(): Promise<void>;
  test(): void;
  listModels(): Promise<void>;
  /** A request without more to it. */
  ask<N extends keyof Requests & string>(name: N, body: RequestOf<Requests, N>): Promise<ResponseOf<Requests, N> | undefined>;
  start(onChange: () => void): void;
}

export function createModelsController({ api, window }: { readonly api: VsCodeApi; readonly window: Window }): ModelsController {
  let state: ModelsState = {
    words: createTranslator(modelsStrings, {}, document.documentElement.lang || 'en'),
    snapshot: undefined,
    profile: undefined,
    values: emptyForm(),
    key: '',
    ownKey: false,
    preset: '',
    dirty: false,
    wrong: undefined,
    said: undefined,
    address: {},
    probe: undefined,
    names: undefined,
  };
  let onChange = (): void => undefined;
  let run = 0;
  let asked = 0;
  const set = (more: Partial<ModelsState>): void => {
    state = { ...state, ...more };
    onChange();
  };

  const connection = createConnection({
    api,
    target: window,
    requests: modelsRequests,
    onEvent: ({ name, body }) => {
      if (name === 'snapshot') take(modelsEvents.snapshot.safeParse(body).data);
      else if (name === 'place') stand(modelsEvents.place.safeParse(body).data);
      else if (name === 'probe') {
        const probe = modelsEvents.probe.safeParse(body).data;
        if (probe !== undefined && probe.run === run) set({ probe });
      }
    },
  });

  const ask: ModelsController['ask'] = async (name, body) => {
    try {
      return await connection.request(name, body);
    } catch (error) {
      set({ said: { level: 'error', text: error instanceof Error ? error.message : String(error) } });
      return undefined;
    }
  };

  /** New settings: what is typed stays, what is only shown follows. */
  function take(snapshot: ModelsSnapshot | undefined): void {
    if (snapshot === undefined) return;
    set({ snapshot });
    const title = state.profile?.title;
    if (title === undefined) return;
    const now = snapshot.profiles.find((one) => one.title === title);
    if (state.dirty && now !== undefined) set({ profile: now });
    else if (!state.dirty) show(now ?? snapshot.profiles[0]);
  }

  function show(profile: PageProfile | undefined): void {
    const same = profile !== undefined && profile.title === state.profile?.title;
    set({
      profile,
      values: profile === undefined ? emptyForm() : formOf(profile.entry),
      key: '',
      ownKey: profile?.key.kind === 'own',
      preset: '',
      dirty: false,
      wrong: undefined,
      ...(same ? {} : { said: undefined, probe: undefined, names: undefined }),
    });
    lookAtAddress();
  }

  function stand(place: PagePlace | undefined): void {
    if (place === undefined) return;
    if (place.add === true) show(undefined);
    else if (place.title !== undefined) show(state.snapshot?.profiles.find(({ title }) => title === place.title));
  }

  function lookAtAddress(): void {
    const baseUrl = state.values.baseUrl.trim();
    const number = (asked += 1);
    if (baseUrl === '') {
      set({ address: {} });
      return;
    }
    void ask('address', { baseUrl }).then((address) => { if (number === asked && address !== undefined) set({ address }); });
  }

  const was = (): { was?: string } => (state.profile === undefined ? {} : { was: state.profile.title });

  /** What the form holds for the host, or `undefined` after saying what does not fit. A title matters only when it is saved, a model's name not for listing them. */
  function draftOf(use: 'save' | 'test' | 'list'): ProfileDraft | undefined {
    const { t } = state.words;
    const others = state.snapshot?.profiles.filter((one) => one !== state.profile).map(({ title }) => title) ?? [];
    const isDefault = state.profile?.title === '';
    const taken = (title: string): boolean => !isDefault && use === 'save' && (title === '' || others.includes(title));
    const read = entryOf(state.values, state.profile?.entry.provider ?? 'openai', taken);
    if ('says' in read) {
      set({ wrong: { field: read.field, text: t(read.says) } });
      return undefined;
    }
    if (use !== 'list' && state.values.name.trim() === '' && (state.values.baseUrl.trim() !== '' || !isDefault)) {
      set({ wrong: { field: 'name', text: t('models.wrongName') } });
      return undefined;
    }
    const badKey = wrongKey(state.key);
    if (badKey !== undefined) {
      set({ wrong: { field: 'key', text: t(badKey) } });
      return undefined;
    }
    set({ wrong: undefined });
    return { ...was(), entry: read.entry, key: state.key };
  }

  /** A test does not wait for a title that nobody has. */
  const testTitle = (): string => state.profile?.title ?? freeTitle(state.values.title.trim() || '-', state.snapshot?.profiles ?? []);

  return {
    get state() {
      return state;
    },
    ask,
    select: (title) => { show(state.snapshot?.profiles.find((one) => one.title === title)); },
    add: () => { show(undefined); },
    choosePreset(name) {
      const preset = state.snapshot?.presets.find((one) => one.name === name);
      if (preset === undefined) {
        set({ preset: '' });
        return;
      }
      const title = state.profile === undefined ? freeTitle(preset.name, state.snapshot?.profiles ?? []) : state.values.title;
      set({ values: { ...formOf(preset.entry), title }, preset: name, dirty: true, wrong: undefined, names: undefined });
      lookAtAddress();
    },
    type(field, text) {
      const wrong = state.wrong?.field === field.split('.')[0] ? undefined : state.wrong;
      set({ values: { ...state.values, [field]: text }, dirty: true, wrong, said: undefined });
      if (field === 'baseUrl') lookAtAddress();
    },
    typeKey: (key) => { set({ key, dirty: true, wrong: state.wrong?.field === 'key' ? undefined : state.wrong, said: undefined }); },
    setOwnKey: (ownKey) => { set({ ownKey }); },
    discard: () => { show(state.profile ?? state.snapshot?.profiles[0]); },
    async save() {
      const draft = draftOf('save');
      if (draft === undefined) return;
      const answer = await ask('save', { draft, ownKey: state.ownKey });
      if (answer === undefined) return;
      if (answer.field !== undefined) {
        set({ wrong: { field: answer.field, text: answer.problem ?? '' } });
        return;
      }
      const saved = answer.warning === undefined ? { level: 'info' as const, text: state.words.t('models.saved') } : { level: 'error' as const, text: answer.warning };
      const fresh = await ask('ready', {});
      if (fresh !== undefined) set({ snapshot: fresh.snapshot });
      const { probe, names } = state;
      show(state.snapshot?.profiles.find(({ title }) => title === answer.title));
      set({ said: saved, probe, names });
    },
    test() {
      const draft = draftOf('test');
      if (draft === undefined) return;
      run += 1;
      set({ probe: { run, running: true, lines: [] } });
      const number = run;
      void ask('test', { draft: { ...draft, entry: { ...draft.entry, title: testTitle() } }, run }).then((answer) => {
        if (answer === undefined && number === run) set({ probe: undefined });
      });
    },
    async listModels() {
      const draft = draftOf('list');
      if (draft === undefined) return;
      set({ names: { busy: true, list: [] } });
      const answer = await ask('listModels', { draft });
      set({ names: answer === undefined ? undefined : { busy: false, list: answer.names ?? [], ...(answer.problem === undefined ? {} : { problem: answer.problem }) } });
    },
    start(listener) {
      onChange = listener;
      void ask('ready', {}).then((answer) => {
        if (answer === undefined) return;
        const words = createTranslator(modelsStrings, answer.strings, answer.locale);
        document.documentElement.lang = answer.locale;
        set({ words, snapshot: answer.snapshot });
        const { writing, profiles } = answer.snapshot;
        show(profiles.find(({ title }) => title === writing) ?? profiles[0]);
        stand(answer.place);
      });
    },
  };
}

function freeTitle(title: string, profiles: readonly PageProfile[]): string {
  const taken = new Set(profiles.map((one) => one.title));
  if (!taken.has(title)) return title;
  for (let n = 2; ; n += 1) if (!taken.has(`${title} (${String(n)})`)) return `${title} (${String(n)})`;
}
