import type { FileChange } from './manuscript/checkpoints';
import type { Result } from './ports/result';
import type { Project } from './project/project';
import type { RuleId, WritingRulesDeps } from './project/writing-rules';
import { forbiddenMatcher, readWritingRules, RULE_IDS } from './project/writing-rules';
import type { PromptAssets } from './prompt/assets';
import { ruleBlock } from './prompt/rule-blocks';
import type { ObjectStore } from './store/objects';
import { minimalChanges } from './text/diff';
import { decodeBytes } from './text/encoding';
import type { ForbiddenInText, ForbiddenMatcher } from './text/forbidden-words';
import { forbiddenInChanges } from './text/forbidden-words';

/** A rule of the project for who shows it. */
export interface RuleState {
  readonly id: RuleId;
  readonly path: string;
  readonly exists: boolean;
  readonly on: boolean;
  /** Tokens it takes in every call while it is used. */
  readonly tokens: number;
  /** Of the forbidden words. */
  readonly count?: number;
}

/** The author's standing rules, as they are and whether they are used. In a folder that is not trusted there are none. */
export interface Rules {
  states(): Promise<readonly RuleState[]>;
  /** Kept in `project.json`; counts from the next turn on. Refuses what `Project.update` refuses. */
  use(id: RuleId, on: boolean): Promise<Result<void>>;
  /** The forbidden words to be looked for; `undefined` when there are none or they are not used. */
  forbidden(): Promise<ForbiddenMatcher | undefined>;
  /** Which of today's forbidden words these changes have brought into chapters, by path. At most 20 files are looked at. */
  forbiddenIn(changes: readonly FileChange[]): Promise<ReadonlyMap<string, readonly ForbiddenInText[]>>;
}

export interface RulesDeps extends WritingRulesDeps {
  readonly project: Project;
  readonly objects: ObjectStore;
  readonly assets: () => PromptAssets;
  readonly countTokens: (text: string) => Promise<number>;
}

const MOST_FILES = 20;

export function createRules(deps: RulesDeps): Rules {
  const { project, objects, log } = deps;

  const textOf = async (sha: string | null): Promise<string | undefined> => {
    if (sha === null) return '';
    const bytes = await objects.get(sha);
    const decoded = bytes.ok ? decodeBytes(bytes.value) : bytes;
    if (!decoded.ok) log.warn('a changed text cannot be looked through', { code: decoded.error.code });
    return decoded.ok ? decoded.value.text : undefined;
  };

  const forbidden = async (): Promise<ForbiddenMatcher | undefined> => forbiddenMatcher(await readWritingRules(deps));

  return {
    async states() {
      const rules = await readWritingRules(deps);
      const { texts } = deps.assets();
      return Promise.all(
        RULE_IDS.map(async (id): Promise<RuleState> => {
          const { path, text, on } = rules[id];
          const block = ruleBlock(id, rules, texts);
          return {
            id,
            path,
            exists: text !== undefined,
            on,
            tokens: block === undefined ? 0 : await deps.countTokens(block.text),
            ...(id === 'forbidden' ? { count: rules.forbidden.words.length } : {}),
          };
        }),
      );
    },
    use: (id, on) => project.update({ rules: { [id]: on } }),
    forbidden,
    async forbiddenIn(changes) {
      const found = new Map<string, readonly ForbiddenInText[]>();
      const folder = `${project.config.folders.manuscript}/`;
      const chapters = changes.filter(({ path, after }) => after !== null && path.startsWith(folder)).slice(0, MOST_FILES);
      const matcher = chapters.length === 0 ? undefined : await forbidden();
      if (matcher === undefined) return found;
      for (const { path, before, after } of chapters) {
        const [old, now] = [await textOf(before), await textOf(after)];
        const hits = old === undefined || now === undefined ? [] : forbiddenInChanges(now, minimalChanges(old, now), matcher);
        if (hits.length > 0) found.set(path, hits);
      }
      return found;
    },
  };
}
