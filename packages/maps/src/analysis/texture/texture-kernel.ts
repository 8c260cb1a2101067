import { KernelMemory, type KernelExports } from "@swath/kernel/web-assembly/kernel-memory";
import { PlaneBuffers } from "./plane-buffers.ts";
import { TEXTURE_MODULE } from "./texture.generated.ts";

/** Addresses of planes, then sizes: see `assembly/texture.ts`. */
type Kernel = (...args: readonly number[]) => void;
type Counting = (...args: readonly number[]) => number;

interface TextureExports extends KernelExports {
  readonly quantise: Counting;
  readonly keepValid: Kernel;
  readonly invalidate: Kernel;
  readonly normalisedDifference: Kernel;
  readonly meanOfThree: Kernel;
  readonly saturation: Kernel;
  readonly excess: Kernel;
  readonly gradient: Kernel;
  readonly topHat: Kernel;
  readonly boxCounts: Kernel;
  readonly boxMean: Kernel;
  readonly boxDeviation: Kernel;
  readonly coherence: Kernel;
  readonly minus: Kernel;
  readonly sureWater: Kernel;
  readonly coarseSeeds: Kernel;
  readonly potentialClouds: Kernel;
  readonly riverPixels: Counting;
  readonly waterMixture: Counting;
  readonly vote: Kernel;
}

/** Eight float64 of a line. */
const SPARE_BYTES = 64;

/** Bytes of a line of int32, and of float64, and the spare bytes behind it. */
export function wholesOf(columns: number): number {
  return 4 * columns + SPARE_BYTES;
}

export function doublesOf(columns: number): number {
  return 8 * columns + SPARE_BYTES;
}

type Plane = Int16Array | Int32Array | Uint16Array | Uint8Array | Float32Array;

let memory: KernelMemory<TextureExports> | null = null;
const reused = new PlaneBuffers();

/**
 * Runs one block of many. Planes that calls return within it have the memory of planes of the block before: the planes
 * of land cover take 111 ms a megapixel so, and 129 ms in new memory, which the system clears page by page. The result
 * must hold none of them.
 */
export function reusingPlanes<Result>(work: () => Result): Result {
  if (reused.isInUse) return work();
  reused.begin();
  try {
    return work();
  } finally {
    reused.end();
  }
}

/** Zeros for the pixels of a block, in memory as `reusingPlanes` says. */
export function zeroBytes(count: number): Uint8Array {
  return reused.isInUse ? new Uint8Array(reused.take(count)).fill(0) : new Uint8Array(count);
}

/** One call of the vector kernel of this thread: planes are copied in, results are copied out. */
export class TextureCall {
  readonly #memory: KernelMemory<TextureExports>;

  constructor() {
    memory ??= new KernelMemory<TextureExports>(TEXTURE_MODULE, SPARE_BYTES);
    memory.reset();
    this.#memory = memory;
  }

  get kernel(): TextureExports {
    return this.#memory.exports;
  }

  /** Address of a copy of the plane. */
  put(plane: Plane): number {
    const ptr = this.#memory.allocate(plane.byteLength);
    this.write(ptr, plane);
    return ptr;
  }

  /** Copies a plane to an address. */
  write(ptr: number, plane: Plane): void {
    this.#memory.bytes(ptr, plane.byteLength).set(new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength));
  }

  /** Address of a plane of 16 bits a pixel. */
  plane(count: number): number {
    return this.#memory.allocate(2 * count);
  }

  /** Address of lines of unknown content. */
  lines(bytes: number): number {
    return this.#memory.allocate(bytes);
  }

  int16(ptr: number, count: number): Int16Array {
    return new Int16Array(this.#copy(ptr, 2 * count));
  }

  uint16(ptr: number, count: number): Uint16Array {
    return new Uint16Array(this.#copy(ptr, 2 * count));
  }

  /** Memory itself, valid until the next allocation. */
  view(ptr: number, byteLength: number): ArrayBufferView<ArrayBuffer> {
    return this.#memory.bytes(ptr, byteLength);
  }

  bytes(ptr: number, count: number): Uint8Array {
    return new Uint8Array(this.#copy(ptr, count));
  }

  #copy(ptr: number, byteLength: number): ArrayBuffer {
    const bytes = this.#memory.bytes(ptr, byteLength);
    if (!reused.isInUse) return bytes.slice().buffer;
    const buffer = reused.take(byteLength);
    new Uint8Array(buffer).set(bytes);
    return buffer;
  }
}
