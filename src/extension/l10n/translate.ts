/** Values for the `{name}` places of a message. */
export type MessageArgs = Readonly<Record<string, string | number>>;

/** Words a message in the display language of the editor; the English text is the key (`vscode.l10n.t` in the host). */
export type Translate = (message: string, args?: MessageArgs) => string;

/** Fills `{name}` places; a name without a value stays as it is. The English stand-in for `vscode.l10n.t`. */
export function fillMessage(message: string, args: MessageArgs = {}): string {
  return message.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = args[name];
    return value === undefined ? place : String(value);
  });
}
