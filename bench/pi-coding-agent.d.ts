/** What the bench uses of the package, which is installed by `npm run bench` alone: types must hold without it. */
declare module '@mariozechner/pi-coding-agent' {
  export const SessionManager: { open(path: string): { getEntries(): readonly unknown[] } };
}
