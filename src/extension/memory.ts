/** Where small states of this window or this machine live (`vscode.Memento`). */
export interface Memory {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}
