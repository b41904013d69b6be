/** The one authority that mints ids: UUIDv7 text. Identity only, never used as order of cause. */
export interface Ids {
  next(): string;
}
