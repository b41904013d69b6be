import { html, type TemplateResult } from 'lit';
import type { ChatStringKey } from '../../src/protocol/chat-strings';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';

/** `sampleSentence`: the sentence that one of them changes stands in this novel. */
const examples = (sampleSentence: boolean): readonly ChatStringKey[] => [
  'example.outline',
  sampleSentence ? 'example.replace' : 'example.read',
  'example.create',
  'example.options',
];

/** An empty conversation: what this is for, and a few words to start with. A click puts them into the box to be changed or sent. */
export function emptyConversation({ words, compose }: ChatContext, sampleSentence: boolean): TemplateResult {
  const { t } = words;
  return html`<div class="welcome">
    <h2>${t('empty.title')}</h2>
    <p>${t('empty.text')}</p>
    <h3>${t('empty.examples')}</h3>
    <ul class="examples">
      ${examples(sampleSentence).map(
        (key) => html`<li>
          <button type="button" class="example" @click=${() => { compose(t(key)); }}>${icon('lightbulb')}<span>${t(key)}</span></button>
        </li>`,
      )}
    </ul>
  </div>`;
}

/** No project in this folder yet, and how to make one. */
export function noProject({ words, act }: ChatContext): TemplateResult {
  const { t } = words;
  return html`<div class="welcome">
    <h2>${t('project.none.title')}</h2>
    <p>${t('project.none.text')}</p>
    <vscode-button class="wide create-project" @click=${() => act('createProject', {})}>${t('project.create')}</vscode-button>
  </div>`;
}
