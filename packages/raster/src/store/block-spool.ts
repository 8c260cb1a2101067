import { open } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";

/** Bytes gathered before one write. */
const WRITE_BYTES = 1024 * 1024;

/**
 * Bounds the blocks of all bands that are waiting for the thread pool or for the disk.
 */
export class BlockBudget {
  readonly #limit: number;
  #used = 0;
  #waiting: (() => void)[] = [];

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Resolves when there is room. One taker may always go ahead, whatever its size. */
  async take(bytes: number): Promise<void> {
    while (this.#used > 0 && this.#used + bytes > this.#limit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#used += bytes;
  }

  give(bytes: number): void {
    this.#used -= bytes;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

/** Where a compressed block lies in the spool. */
export interface SpooledBlock {
  readonly offset: number;
  readonly length: number;
}

/**
 * Compressed blocks of one band in a temporary file, in the order in which they were handed over.
 * A block carries its size before it and its last four bytes again behind it, as it will in the COG.
 */
export class BlockSpool implements AsyncDisposable {
  /** One list per level, row-major. */
  readonly blocks: SpooledBlock[][];
  readonly #file: FileHandle;
  readonly #budget: BlockBudget;
  #tail: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #writtenBytes = 0;
  #endBytes = 0;

  private constructor(file: FileHandle, levels: number, budget: BlockBudget) {
    this.#file = file;
    this.#budget = budget;
    this.blocks = Array.from({ length: levels }, () => []);
  }

  static async create(path: string, levels: number, budget: BlockBudget): Promise<BlockSpool> {
    return new BlockSpool(await open(path, "wx+"), levels, budget);
  }

  /** Queues a block of a level; resolves when the queue has room for the next one, not when it is written. */
  async add(level: number, rawBytes: number, encoded: () => Promise<Uint8Array>): Promise<void> {
    if (this.#failure !== null) throw this.#failure;
    await this.#budget.take(rawBytes);
    const pending = encoded();
    // The chain below reports the failure; this keeps it from counting as unhandled until the chain gets there.
    pending.catch(() => {});
    this.#tail = this.#tail.then(async () => {
      try {
        if (this.#failure === null) await this.#append(level, await pending);
      } catch (error) {
        this.#failure ??= error;
      } finally {
        this.#budget.give(rawBytes);
      }
    });
  }

  async #append(level: number, block: Uint8Array): Promise<void> {
    const framed = new Uint8Array(block.length + 8);
    const view = new DataView(framed.buffer);
    view.setUint32(0, block.length, true);
    framed.set(block, 4);
    framed.set(block.subarray(-4), 4 + block.length);
    this.blocks[level]?.push({ offset: this.#endBytes + 4, length: block.length });
    this.#endBytes += framed.length;
    this.#gathered.push(framed);
    this.#gatheredBytes += framed.length;
    if (this.#gatheredBytes >= WRITE_BYTES) await this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    const parts = this.#gathered;
    const bytes = this.#gatheredBytes;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    const { bytesWritten } = await this.#file.writev(parts, this.#writtenBytes);
    if (bytesWritten !== bytes) throw new Error(`wrote ${bytesWritten} of ${bytes} bytes of compressed blocks`);
    this.#writtenBytes += bytes;
  }

  /** Waits until every block is in the file. @throws what compressing or writing threw */
  async finish(): Promise<void> {
    await this.#tail;
    if (this.#failure !== null) throw this.#failure;
    await this.#flush();
  }

  /** Bytes `[offset, offset + target.length)` of the spool. */
  async read(target: Uint8Array, offset: number): Promise<void> {
    let done = 0;
    while (done < target.length) {
      const { bytesRead } = await this.#file.read(target, done, target.length - done, offset + done);
      if (bytesRead === 0) throw new Error(`block spool ends at byte ${offset + done}`);
      done += bytesRead;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tail;
    await this.#file.close();
  }
}
