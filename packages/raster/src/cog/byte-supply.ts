/** A range of a blob that a render needs and does not have yet. */
export interface NeededRange {
  readonly key: string;
  readonly offset: number;
  readonly length: number;
}

/** Thrown out of a render when bytes must be fetched before it can be run again. */
export class BytesNeeded extends Error {
  override readonly name = "BytesNeeded";
}

/** Fetches a range from a blob that is not on this machine. */
export type FetchRange = (range: NeededRange, signal: AbortSignal) => Promise<Uint8Array>;

/** A blob on the local file system, open for reading. */
export interface LocalBlob {
  /** Changes when the file is replaced. */
  readonly identity: string;
  /** Bytes `[offset, offset + length)`, shorter at the end of the file. */
  readonly read: (offset: number, length: number) => Uint8Array;
}

const MAX_PARALLEL_FETCHES = 6;

/**
 * The bytes of one render. Local blobs are read at once. Ranges of remote blobs that are not here yet are noted;
 * the render then stops with `BytesNeeded`, they are fetched together, and the render runs again.
 * So pixels are computed by plain synchronous code, and a thread never waits for the network.
 */
export class ByteSupply {
  readonly #local: (key: string) => LocalBlob | null;
  readonly #fetched = new Map<string, Uint8Array>();
  /** Each range once, by its name. */
  #needed = new Map<string, NeededRange>();

  constructor(local: (key: string) => LocalBlob | null) {
    this.#local = local;
  }

  /** Names the present content of the blob: decoded blocks are cached under it. */
  identity(key: string): string {
    return this.#local(key)?.identity ?? key;
  }

  /** True when reading small pieces costs little. */
  isLocal(key: string): boolean {
    return this.#local(key) !== null;
  }

  /** The bytes, or null when they have been noted for fetching. */
  read(key: string, offset: number, length: number): Uint8Array | null {
    const local = this.#local(key);
    if (local !== null) return local.read(offset, length);
    const name = `${key}:${offset}:${length}`;
    const fetched = this.#fetched.get(name);
    if (fetched === undefined) this.#needed.set(name, { key, offset, length });
    return fetched ?? null;
  }

  /** @throws {BytesNeeded} when anything has been noted for fetching */
  demand(): void {
    if (this.#needed.size > 0) throw new BytesNeeded();
  }

  /** Runs one of several steps, also when others lack bytes; null when bytes are noted for it. */
  attempt<T>(step: () => T): T | null {
    const before = this.#needed;
    this.#needed = new Map();
    try {
      return step();
    } catch (error) {
      if (!(error instanceof BytesNeeded)) throw error;
      return null;
    } finally {
      for (const [name, range] of this.#needed) before.set(name, range);
      this.#needed = before;
    }
  }

  /** Fetches everything noted. */
  async fetch(fetchRange: FetchRange, signal: AbortSignal): Promise<void> {
    const ranges = [...this.#needed.values()];
    this.#needed = new Map();
    let next = 0;
    const run = async (): Promise<void> => {
      for (let range = ranges[next++]; range !== undefined; range = ranges[next++]) {
        const bytes = await fetchRange(range, signal);
        this.#fetched.set(`${range.key}:${range.offset}:${range.length}`, bytes);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_FETCHES, ranges.length) }, run));
  }
}
