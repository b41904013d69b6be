import type { RuleId, WritingRules } from '../project/writing-rules';
import type { ForbiddenWord } from '../text/forbidden-words';
import type { AgentTexts } from './assets';
import { fill } from './assets';
import type { PromptBlock } from './blocks';

/** A rule as the agent is told it; `undefined` when there is nothing to tell. Whether it is used is not asked here. */
export function ruleBlock(id: RuleId, rules: WritingRules, texts: AgentTexts): PromptBlock | undefined {
  switch (id) {
    case 'agents':
      return textBlock('project-rules', 'AGENTS.md', rules.agents.path, rules.agents.text, texts.projectRules);
    case 'style':
      return textBlock('style-notes', 'style notes', rules.style.path, rules.style.text, fill(texts.styleNotes, { path: rules.style.path }));
    case 'forbidden': {
      const { words, path } = rules.forbidden;
      if (words.length === 0) return undefined;
      return { kind: 'forbidden-words', title: 'forbidden words', source: path, text: fill(texts.forbiddenWords, { words: words.map((word) => named(word, texts)).join(texts.forbiddenJoin) }) };
    }
  }
}

/** The rules that are used, in the order in which they are told. */
export function ruleBlocks(rules: WritingRules, texts: AgentTexts): readonly PromptBlock[] {
  return [rules.agents, rules.style, rules.forbidden].flatMap(({ id, on }) => (on ? (ruleBlock(id, rules, texts) ?? []) : []));
}

function textBlock(kind: string, title: string, source: string, text: string | undefined, heading: string): PromptBlock | undefined {
  const body = text?.replaceAll('\r\n', '\n').trim() ?? '';
  return body === '' ? undefined : { kind, title, source, text: `${heading}\n\n${body}` };
}

function named({ word, instead }: ForbiddenWord, texts: AgentTexts): string {
  return instead.length === 0 ? word : fill(texts.forbiddenInstead, { word, instead: instead.join(texts.forbiddenOr) });
}
