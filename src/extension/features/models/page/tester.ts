import { probeEndpoint } from '../../../../engine/index';
import type { EngineError } from '../../../../engine/index';
import type { ProbeState, ProfileDraft } from '../../../../protocol/models';
import type { Host } from '../../../host';
import { localiseError } from '../../../l10n/localise-error';
import { draftProfile, readDraft } from './draft';
import { probeWords } from './probe-words';

/** 「测试连接」 of the page: one at a time. */
export interface Tester {
  /** Resolves when it has begun or could not. */
  begin(draft: ProfileDraft, run: number): Promise<void>;
  stop(): void;
}

export function createTester(host: Host, post: (state: ProbeState) => void): Tester {
  const { t, models } = host;
  let current: AbortController | undefined;

  const refused = (error: EngineError): Partial<ProbeState> => ({
    problem: localiseError(error, t),
    ...(error.code === 'model.not-allowed' ? { asksFor: String(error.args?.['address'] ?? '') } : {}),
  });

  async function run(draft: ProfileDraft, number: number, controller: AbortController): Promise<void> {
    let state: ProbeState = { run: number, running: true, lines: [] };
    const tell = (more: Partial<ProbeState>): void => {
      state = { ...state, ...more };
      if (current === controller || !state.running) post(state);
    };
    const read = readDraft(draft, (await models.profiles()).list);
    if ('field' in read) {
      tell({ running: false, problem: t('Something in the form does not fit: {field}', { field: read.field }) });
      return;
    }
    const profile = await draftProfile(host, read);
    if (!profile.ok) {
      tell({ running: false, ...refused(profile.error) });
      return;
    }
    tell({});
    for await (const step of probeEndpoint(profile.value, { fetch: models.fetch, clock: host.clock, log: host.log }, controller.signal)) {
      tell({
        lines: [...state.lines, { subject: step.subject, verdict: step.verdict, text: probeWords(step, t) }],
        ...(step.subject === 'address' && step.verdict === 'ok' && step.baseUrl !== undefined ? { baseUrl: step.baseUrl } : {}),
      });
    }
    tell({ running: false });
  }

  return {
    begin: async (draft, number) => {
      current?.abort();
      const controller = new AbortController();
      current = controller;
      try {
        await run(draft, number, controller);
      } finally {
        if (current === controller) current = undefined;
      }
    },
    stop: () => { current?.abort(); },
  };
}
