import type { ProbeStep } from '../../../../engine/index';
import { localiseError } from '../../../l10n/localise-error';
import type { Translate } from '../../../l10n/translate';

/** One thing a test has found out, in words. */
export function probeWords(step: ProbeStep, t: Translate): string {
  switch (step.subject) {
    case 'address':
      if (step.verdict === 'no') return `${localiseError(step.error, t)} ${t('Asked: {url}', { url: step.url })}`;
      return step.baseUrl === undefined
        ? t('{url} answers after {ms} ms.', { url: step.url, ms: step.latencyMs })
        : t('The address as set does not answer, but this one does: {url}', { url: step.url });
    case 'answer':
      return step.verdict === 'no' ? localiseError(step.error, t) : t('First word after {first} ms, all of it after {whole} ms.', { first: step.firstMs, whole: step.wholeMs });
    case 'streaming':
      return step.verdict === 'ok' ? t('The answer comes word by word.') : t('The answer comes in one piece; you see it only when it is whole.');
    case 'usage':
      if (step.verdict === 'ok') return t('{input} tokens in, {output} out.', { input: step.usage.input, output: step.usage.output });
      return step.reason === 'refused' ? t('The service refuses to tell; tokens are estimated.') : t('The service tells nothing; tokens are estimated.');
    case 'reasoning':
      if (step.verdict === 'unknown') return t('These answers came without thinking.');
      return step.tokens === undefined ? t('The model thinks, and its thinking is seen.') : t('The model thinks: {tokens} tokens.', { tokens: step.tokens });
    case 'tools':
      if (step.verdict === 'ok') return t('A tool was called, and its result taken.');
      if (step.verdict === 'unknown') return step.reason === 'uncalled' ? t('The model was asked to call a tool and did not.') : t('The model called a tool that does not exist.');
      if (step.reason === 'failed') return localiseError(step.error, t);
      return step.reason === 'off' ? t('Switched off for this model: it can only talk.') : t('The service takes no tools: this model can only talk. “In plain text” may help.');
  }
}
