import * as vscode from 'vscode';
import type { chatRequests } from '../../../protocol/chat';
import type { ChatMention } from '../../../protocol/mentions';
import { slashCommands } from '../../../protocol/slash-commands';
import type { Host } from '../../host';
import type { OpenProject } from '../../project/active-project';
import type { RequestHandlers } from '../../webviews/connection';
import { openMention, selectedText } from './mentions/editor';
import { chapterSource, checkpointSource, selectionSource, textSource } from './mentions/project-sources';
import { createMentionSources } from './mentions/sources';

type Handlers = Pick<RequestHandlers<typeof chatRequests>, 'mentions' | 'takeMentions' | 'openMention' | 'command'>;

const rulesFile = 'AGENTS.md';

/** What the input box asks for beside sending: what `@` and `/` offer, and what is done with it. */
export function createComposerHandlers(parts: {
  readonly host: Host;
  readonly opened: () => Promise<OpenProject>;
  readonly takeMentions: () => readonly ChatMention[];
}): Handlers {
  const { host, opened } = parts;
  const { t } = host;
  const sources = createMentionSources([selectionSource(t, selectedText), chapterSource(t), textSource(t), checkpointSource(t, () => vscode.env.language)]);

  return {
    mentions: async ({ query, fresh }) => ({ items: [...(await sources.find(await opened(), query, fresh))] }),
    takeMentions: () => ({ mentions: [...parts.takeMentions()] }),
    openMention: async ({ mention }) => {
      await openMention(host, await opened(), mention);
      return {};
    },
    command: async ({ id }) => {
      const found = slashCommands.find((command) => command.id === id);
      if (found === undefined) return {};
      if ('command' in found.does) await vscode.commands.executeCommand(found.does.command, ...(found.does.args ?? []));
      else if (found.does.ask === 'rules') await openRules(await opened());
      return {};
    },
  };
}

/** Opens the project's rules; where there are none yet, an empty text that becomes them when it is saved. */
async function openRules({ root, documents }: OpenProject): Promise<void> {
  const uri = vscode.Uri.joinPath(root, rulesFile);
  const there = await documents.bytes(rulesFile);
  await vscode.window.showTextDocument(there === undefined ? uri.with({ scheme: 'untitled' }) : uri, { preview: true });
}
