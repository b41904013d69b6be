import { html, nothing, type TemplateResult } from 'lit';
import type { ChatSnapshot } from '../../src/protocol/chat';
import type { ChatStringKey } from '../../src/protocol/chat-strings';
import { icon } from '../shared/icons';
import type { ChatContext } from './context';

/** What the examples depend on. */
export interface Novel {
  /** The sentence that one of them changes stands in this novel. */
  readonly sampleSentence: boolean;
  readonly noChapters: boolean;
}

const examples = ({ sampleSentence, noChapters }: Novel): readonly ChatStringKey[] =>
  noChapters
    ? ['example.create', 'example.options']
    : ['example.outline', sampleSentence ? 'example.replace' : 'example.read', 'example.create', 'example.options'];

/** An empty conversation: what this is for, and a few words to start with. A click puts them into the box to be changed or sent. */
export function emptyConversation({ words, compose, act }: ChatContext, novel: Novel): TemplateResult {
  const { t } = words;
  return html`<div class="welcome">
    <h2>${t('empty.title')}</h2>
    <p>${t('empty.text')}</p>
    <h3>${t('empty.examples')}</h3>
    <ul class="examples">
      ${examples(novel).map(
        (key) => html`<li>
          <button type="button" class="example" @click=${() => { compose(t(key)); }}>${icon('lightbulb')}<span>${t(key)}</span></button>
        </li>`,
      )}
      ${novel.noChapters
        ? nothing
        : html`<li>
            <button type="button" class="example example-command" title=${t('example.next.title')} @click=${() => act('command', { id: 'next-chapter' })}>
              ${icon('wand')}<span>${t('example.next')}</span>
            </button>
          </li>`}
    </ul>
    ${novel.noChapters ? nothing : html`<p class="welcome-hint">${t('empty.passage')}</p>`}
  </div>`;
}

/** No project here yet, and how to come to one: by opening a folder, by trusting it, or by setting one up in it. */
export function noProject({ words, act }: ChatContext, lacking: ChatSnapshot['lacking']): TemplateResult {
  const { t } = words;
  const sample = html`<vscode-button appearance="secondary" class="wide open-sample" @click=${() => act('begin', { by: 'openSample' })}>${t('project.openSample')}</vscode-button>`;
  if (lacking === 'folder') {
    return html`<div class="welcome">
      <h2>${t('project.noFolder.title')}</h2>
      <p>${t('project.noFolder.text')}</p>
      <vscode-button class="wide open-folder" @click=${() => act('begin', { by: 'openFolder' })}>${t('project.openFolder')}</vscode-button>
      ${sample}
    </div>`;
  }
  if (lacking === 'trust') {
    return html`<div class="welcome">
      <h2>${t('project.untrusted.title')}</h2>
      <p>${t('project.untrusted.text')}</p>
      <vscode-button class="wide manage-trust" @click=${() => act('begin', { by: 'trust' })}>${t('project.manageTrust')}</vscode-button>
    </div>`;
  }
  return html`<div class="welcome">
    <h2>${t('project.none.title')}</h2>
    <p>${t('project.none.text')}</p>
    <vscode-button class="wide create-project" @click=${() => act('createProject', {})}>${t('project.create')}</vscode-button>
    ${sample}
  </div>`;
}
