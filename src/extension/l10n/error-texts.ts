import type { EngineError, ErrorCode } from '../../engine/index';

/**
 * What a person reads for each refusal: what happened and, where there is something, what they can do. English is the key of
 * the translation bundle. Codes meant for the model are worded too, since its receipts are shown in the chat.
 */
export const errorTexts: Readonly<Record<ErrorCode, string>> = {
  'path.outside': 'This path leads out of the project.',
  'path.forbidden-name': 'This name cannot be used for a file on every system. Choose another one.',
  'path.not-writable': 'This file is not one of the project’s texts, so it is not changed.',
  'path.forbidden': 'Files and folders whose names start with a dot are not open to the agent.',
  'path.clash': 'Another file here has the same name but for case or letter form. Rename one of them.',
  'path.too-long': 'This name is too long, or lies too deep in folders.',
  'doc.not-found': 'There is no such file.',
  'doc.exists': 'A file with this name already exists.',
  'doc.too-large': 'This file is too large to be edited here.',
  'doc.encoding-mismatch': 'The open editor reads this file in another encoding than it is written in. Save or close it, reopen it with its own encoding, then try again.',
  'doc.undecodable': 'The encoding of this file could not be made out, so it is left alone.',
  'doc.unencodable': 'The new text has characters that this file’s encoding cannot hold. Save the file as UTF-8 first.',
  'doc.changed': 'The text changed in the meantime.',
  'doc.unseen': 'The file has words the agent had not seen, so it was not replaced.',
  'doc.apply-rejected': 'The editor did not take the change.',
  'doc.save-failed': 'The file could not be saved. Your words are still in the editor.',
  'edit.no-match': 'The words to be replaced were not found.',
  'edit.many-matches': 'The words to be replaced occur more than once.',
  'edit.overlap': 'Two replacements overlap.',
  'edit.empty-old': 'The words to be replaced are missing.',
  'edit.empty-batch': 'There was nothing to replace.',
  'tool.unknown': 'The model asked for a tool that does not exist.',
  'tool.bad-args': 'The model called a tool with arguments that do not fit.',
  'tool.not-run': 'Not run.',
  'tool.refused': 'Left as it was, as you decided.',
  'tool.bad-pattern': 'The search pattern is not valid.',
  'tool.failed': 'The tool failed.',
  'tool.offers-only': 'In this turn the agent only offers a text; it changes no file.',
  'tool.one-chapter': 'In this turn the agent works on one chapter only.',
  'passage.gone': 'The place you chose has changed since, so nothing was put there. Copy the text, or choose the place again.',
  'store.io': 'The disk could not be read or written. Try again; the log has the details.',
  'store.disk-full': 'The disk is full. Nothing was lost; free some space and try again.',
  'store.read-only': 'This project is open for reading only, or its folder is write-protected.',
  'store.no-access': 'This may not be read. Change its permissions, then try again.',
  'store.busy': 'Another program is holding this file. Close it there or wait a moment, then try again.',
  'store.locked': 'Another window is writing here right now. Try again in a moment.',
  'store.lock-lost': 'Another window took over, or this machine slept. Reload the window to write again.',
  'store.newer-version': 'This was written by a newer version of Liyuan. It opens for reading only; update the extension to write.',
  'store.bad-file': 'A file of the project’s records is damaged. It was left as it is.',
  'store.changed-outside': 'A record file was changed by another program. It has been read again; try once more.',
  'object.missing': 'A stored text is missing.',
  'object.corrupt': 'A stored text is damaged.',
  'project.bad-json': 'This file cannot be read. Open it, mend it, and try again.',
  'project.conflict': 'A merge left a conflict at line {line}: one side has “{ours}”, the other “{theirs}”. Open the file, keep the right one, and try again.',
  'project.none': 'There is no Liyuan project in this folder yet.',
  'session.not-found': 'This conversation does not exist any more.',
  'session.unknown-entry': 'This place in the conversation does not exist.',
  'session.held': 'The window that has this conversation open does not give it up: a turn is running there, or it does not answer.',
  'session.not-taken': 'The conversation stays with the other window.',
  'session.busy': 'A turn is running in this conversation. Stop it or wait until it ends.',
  'session.read-only': 'This conversation is open for reading only, most likely because another window has it open.',
  'checkpoint.not-found': 'This checkpoint does not exist any more.',
  'checkpoint.broken': 'This checkpoint’s records do not add up, so it cannot be restored. Others are not affected.',
  'checkpoint.no-turn': 'This checkpoint does not belong to a turn of a conversation.',
  'restore.open': 'An earlier restore was interrupted. Finish or undo it first.',
  'chapters.no-order': 'This chapter’s name puts it somewhere else: without a number, the name alone decides. Rename it first.',
  'front-matter.unreadable': 'The lines between --- at the top of this chapter are not valid YAML, so they are left as they are. Mend them first.',
  'restore.failed': 'The restore did not succeed; every file is as it was before.',
  'review.gone': 'This proposal has been decided already, or has changed meanwhile.',
  'review.conflict': 'You have changed the same words in {path} since, so the proposal was not applied there.',
  'undo.nothing': 'This turn changed nothing that could be taken back.',
  'job.open': 'A change of the whole book is not finished yet. Go on with it, or close its list first.',
  'job.none': 'There is no such change of the whole book any more.',
  'model.not-configured': 'No model is set up yet.',
  'model.bad-settings': 'The model setting “{field}” has a value that cannot be used.',
  'model.no-profile': 'No model has the title “{title}” any more. Choose another one.',
  'model.no-key': 'The model’s address needs a key, and there is none.',
  'model.not-allowed': 'This folder sets the model’s address: {address}. Your key and your own headers do not go there until you allow it.',
  'model.auth': 'The model’s service refused the key. Check the key and its permissions.',
  'model.not-found': 'The service does not know this address or this model name.',
  'model.quota': 'Your quota or balance with the service is used up.',
  'model.rate-limit': 'The service asks you to slow down. Wait a little and try again.',
  'model.overloaded': 'The service is overloaded. Try again in a moment.',
  'model.context-overflow': 'The conversation is too long for this model’s context window. Start a new conversation or choose a model with a larger window.',
  'model.output-limit': 'The answer reached its length limit before it was whole. Raise the output limit in the settings, or ask for less at once.',
  'model.bad-request': 'The service refused the request.',
  'model.network': 'The service cannot be reached. Check the network, the proxy settings and the address.',
  'model.idle-timeout': 'The model went silent for too long. What it had written is kept.',
  'model.total-timeout': 'The call took longer in all than the {seconds} s that are set for it (liyuan.model.totalTimeout). What it had written is kept.',
  'model.bad-stream': 'The service answered in a form that could not be understood.',
  'model.redirect': 'The service sends requests on to another address, {address}. Nothing was sent there: your words and keys go only to the address that is set. If you trust it, set it as the model’s address.',
  'model.too-large': 'The service sent more in one piece than is read (over {mb} MB), so the answer was broken off.',
  'model.content-filter': 'The service withheld the answer because of its content rules.',
  'model.server': 'The service had an internal error. Try again in a moment.',
  'model.window-too-small': 'This model’s context window is too small to write with: at least 8,000 tokens are needed. If it is larger, correct the setting.',
  'usage.over-budget': 'This call would go over today’s budget: {spent} of {limit} is spent, and it takes at least {estimate} more.',
  'model.vscode-consent': 'VS Code does not let Liyuan use “{model}” without your permission. Send once more and allow it when you are asked. If VS Code no longer asks, allow it in the Accounts menu, under “Manage Language Model Access…”.',
  'model.vscode-blocked': 'The provider of “{model}” takes no requests from this extension at the moment. Wait a while and try again, or choose another model.',
  'model.vscode-missing': 'VS Code does not offer the model “{model}” now. Sign in to its provider, for example GitHub Copilot, or choose another model.',
  'secrets.no-keyring': 'This machine has no key store that works here. Set the environment variable LIYUAN_API_KEY instead.',
  'workspace.untrusted': 'This folder is not trusted, so nothing is written and no model is asked. Trust it to write.',
  'turn.aborted': 'Stopped.',
  'turn.no-answer': 'The model ended its turn without a word.',
  'turn.nothing-open': 'There is no interrupted turn to go on with.',
  'summary.nothing': 'There is nothing to summarise yet: the last turn always stays whole.',
  'summary.turn-open': 'The last turn was interrupted. Go on with it or close it first.',
  'summary.failed': 'The earlier turns could not be summarised. It is tried again with the next turn.',
  'summary.left-out': 'The conversation is too long for the model and there is no summary, so the oldest turns were not sent this time: {count}. They are still here.',
  'trace.mismatch': 'What was sent at this call cannot be put together again exactly.',
  'asset.missing': 'A file that comes with the extension is missing or damaged. Install the extension again.',
  'internal': 'Something went wrong inside Liyuan. The log has the details.',
};

/** More exact words, where the arguments of a refusal say more than its code does. */
export const finerTexts = {
  brokeOff: 'The connection to {host} broke in the middle of the answer. What had arrived is kept.',
  unreachable: '{host} cannot be reached. Check the network, the proxy settings and the address.',
  page: 'The address gives a web page instead of an answer. It is probably wrong; perhaps /v1 is missing.',
  pageFrom: '{host} gave a web page instead of an answer. The address is probably wrong; perhaps /v1 is missing.',
  foreignScheme: 'The model’s address begins with “{scheme}:”. It must begin with https:// or http://.',
  noAddress: 'The model’s address is not a web address. It should look like https://api.example.com/v1.',
  ofProfile: 'The model “{profile}” cannot be used: its “{field}” has a value that does not fit.',
  nothing: 'The service’s answer was empty.',
  overTokens: 'This call would go over today’s limit of tokens: {spent} of {limit} are used, and it takes at least {estimate} more.',
  overNoFigures: 'The budget of the day is used up.',
  twins: '{path} and {other} have the same name but for case or letter form. Rename one of them.',
  cutInCall: 'The connection closed in the middle of a step, so the step was not run.',
} as const;

/** The more exact words for a refusal, if there are any; they leave nothing of its arguments to be added. */
export function finerText({ code, args = {} }: EngineError): string | undefined {
  const known = (name: string): boolean => args[name] !== undefined && args[name] !== '';
  switch (code) {
    case 'model.network':
      if (!known('host')) return undefined;
      return args['reason'] === 'broke-off' ? finerTexts.brokeOff : finerTexts.unreachable;
    case 'model.not-found':
    case 'model.bad-request':
      if (args['reason'] !== 'page') return undefined;
      return known('host') ? finerTexts.pageFrom : finerTexts.page;
    case 'model.bad-settings':
      if (known('profile')) return finerTexts.ofProfile;
      if (args['field'] !== 'baseUrl') return undefined;
      return known('scheme') ? finerTexts.foreignScheme : finerTexts.noAddress;
    case 'usage.over-budget':
      if (!known('unit')) return finerTexts.overNoFigures;
      return args['unit'] === 'tokens' ? finerTexts.overTokens : undefined;
    case 'path.clash':
      return known('path') && known('other') ? finerTexts.twins : undefined;
    case 'model.bad-stream':
      if (args['detail'] === 'empty') return finerTexts.nothing;
      return args['detail'] === 'cut in a call' ? finerTexts.cutInCall : undefined;
    default:
      return undefined;
  }
}

/** What is said while a call is being tried again: what happened, without advice and without an end. */
export const retryTexts = {
  slowDown: 'The service asks for fewer requests',
  overloaded: 'The service is overloaded',
  unreachable: 'The service cannot be reached',
  hostUnreachable: '{host} cannot be reached',
  brokeOff: 'The connection broke off',
  silent: 'The model went silent for too long',
  unreadable: 'The answer could not be understood',
  internal: 'The service had an internal error',
  other: 'The call did not succeed',
} as const;

export function retryReason({ code, args = {} }: EngineError): string {
  switch (code) {
    case 'model.rate-limit':
      return retryTexts.slowDown;
    case 'model.overloaded':
      return retryTexts.overloaded;
    case 'model.network':
      if (args['reason'] === 'broke-off') return retryTexts.brokeOff;
      return args['host'] === undefined ? retryTexts.unreachable : retryTexts.hostUnreachable;
    case 'model.idle-timeout':
      return retryTexts.silent;
    case 'model.bad-stream':
      return retryTexts.unreadable;
    case 'model.server':
      return retryTexts.internal;
    default:
      return retryTexts.other;
  }
}
