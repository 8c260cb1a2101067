/** Random access to bytes: a file, a blob, a remote object. */
export interface ByteSource {
  /** For messages only. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Bytes from `offset` on that are fetched without delay; absent where all are. */
  available?(offset: number): number | Promise<number>;
  /** Announces the bytes that are fetched next, so that a remote source can join near ranges. */
  plan?(ranges: readonly { readonly start: number; readonly end: number }[]): void;
  /** Bytes `[offset, offset + length)`; shorter only at the end of the source. */
  fetch(offset: number, length: number, options?: { readonly signal?: AbortSignal }): Promise<Uint8Array>;
}
