import { CompiledModule } from "./compiled-module.ts";

const PAGE_BYTES = 65_536;
/** A kernel that has grown beyond this is replaced after its job: WebAssembly memory never shrinks. */
const MAX_KEPT_BYTES = 160 * 2 ** 20;

export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  /** First free byte of memory. */
  readonly heapBase: () => number;
}

/**
 * A module of pixel loops with its memory. Everything allocated since the last `reset` lives until the next: one job,
 * one arena. Not shared between threads.
 */
export class KernelMemory<Exports extends KernelExports> {
  readonly #compiled: CompiledModule;
  readonly #spareBytes: number;
  #exports: Exports;
  #bytes: Uint8Array<ArrayBuffer>;
  #top: number;

  /**
   * @param base64 the compiled module
   * @param spareBytes that vectors may run over behind each allocation, a multiple of 16
   */
  constructor(base64: string, spareBytes: number) {
    this.#compiled = new CompiledModule(base64);
    this.#spareBytes = spareBytes;
    this.#exports = this.#instantiate();
    this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    this.#top = this.#heapBase();
  }

  get exports(): Exports {
    return this.#exports;
  }

  /** Forgets every allocation. */
  reset(): void {
    if (this.#bytes.length > MAX_KEPT_BYTES) {
      this.#exports = this.#instantiate();
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    }
    this.#top = this.#heapBase();
  }

  /** The end of all allocations, for `rewind`. */
  get mark(): number {
    return this.#top;
  }

  /** Forgets every allocation since a mark. */
  rewind(mark: number): void {
    this.#top = mark;
  }

  /** Address of `byteLength` bytes of unknown content, aligned to 16. */
  allocate(byteLength: number): number {
    const ptr = this.#top;
    this.#top = (ptr + byteLength + this.#spareBytes + 15) & ~15;
    if (this.#top > this.#bytes.length) {
      this.#exports.memory.grow(Math.ceil((this.#top - this.#bytes.length) / PAGE_BYTES) + 16);
      this.#bytes = new Uint8Array(this.#exports.memory.buffer);
    }
    return ptr;
  }

  /** A view of memory, valid until the next allocation. */
  bytes(ptr: number, byteLength: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(ptr, ptr + byteLength);
  }

  #heapBase(): number {
    return (this.#exports.heapBase() + 15) & ~15;
  }

  #instantiate(): Exports {
    return this.#compiled.instantiate({
      env: {
        abort: () => {
          throw new Error("a pixel kernel aborted");
        },
      },
    }) as Exports;
  }
}
