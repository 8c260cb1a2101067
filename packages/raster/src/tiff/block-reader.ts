import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ByteSource } from "../byte-source.ts";
import type { PixelArray } from "../source-raster.ts";
import { decodeBlock } from "./decode-block.ts";
import { fetchExactly } from "./directory.ts";
import type { TiffLayout } from "./layout.ts";
import { unreadable } from "./limits.ts";
import { allocatePixels, rowByteLength } from "./samples.ts";

/** Compressed bytes fetched in one read, where blocks follow each other in the file. */
const FETCH_BYTES = 4 * 1024 * 1024;

/** Blocks of one fetch that are decoded at once; with `CONCURRENT_FETCHES` it keeps the zlib threads busy. */
const BLOCKS_PER_FETCH = 64;

const CONCURRENT_FETCHES = 3;

/** Decoded blocks kept for the next call when a call ends in the middle of them. */
const KEPT_BYTES = 64 * 1024 * 1024;

interface Block {
  /** Position in the layout's arrays. */
  readonly index: number;
  readonly plane: number;
  readonly column: number;
  readonly row: number;
}

/** Rows of pixels out of the blocks of one directory. */
export class BlockReader {
  readonly #source: ByteSource;
  readonly #layout: TiffLayout;
  readonly #kept = new Map<number, PixelArray>();

  constructor(source: ByteSource, layout: TiffLayout) {
    this.#source = source;
    this.#layout = layout;
  }

  /**
   * Full-width rows of the chosen samples, in the order asked for. Every block is decoded once.
   *
   * @param fill value of absent (sparse) blocks
   */
  async read(
    firstRow: number,
    rowCount: number,
    samples: readonly number[],
    fill: number,
    signal: AbortSignal,
  ): Promise<PixelArray[]> {
    const layout = this.#layout;
    if (
      !Number.isInteger(firstRow) ||
      !Number.isInteger(rowCount) ||
      firstRow < 0 ||
      rowCount < 1 ||
      firstRow + rowCount > layout.heightPx
    ) {
      throw new RangeError(
        `rows ${firstRow} to ${firstRow + rowCount} were asked for, the raster has ${layout.heightPx}`,
      );
    }
    signal.throwIfAborted();
    const outputs = samples.map(() => allocatePixels(layout.dataType, layout.widthPx * rowCount));
    const window = { firstRow, rowCount, samples, outputs };
    const pending: Block[] = [];
    for (const block of this.#blocks(firstRow, rowCount, samples)) {
      const kept = this.#kept.get(block.index);
      if (kept !== undefined) this.#scatter(block, kept, window);
      else if (this.#isAbsent(block)) this.#fill(block, fill, window);
      else pending.push(block);
    }
    const touched = new Set(pending.map((block) => block.index));
    const lastRow = Math.floor((firstRow + rowCount - 1) / layout.blockHeightPx);
    for (const index of this.#kept.keys()) {
      const row = Math.floor((index % (layout.blocksAcross * layout.blocksDown)) / layout.blocksAcross);
      if (row !== lastRow || !this.#endsInside(window)) this.#kept.delete(index);
    }
    const groups = this.#groups(pending);
    const worker = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        signal.throwIfAborted();
        await this.#readGroup(group, window, signal);
      }
    };
    const workers = Array.from({ length: Math.min(CONCURRENT_FETCHES, groups.length) }, worker);
    const results = await Promise.allSettled(workers);
    for (const result of results) if (result.status === "rejected") throw result.reason;
    if (touched.size > 0) signal.throwIfAborted();
    return outputs;
  }

  #endsInside(window: Window): boolean {
    const end = window.firstRow + window.rowCount;
    return end < this.#layout.heightPx && end % this.#layout.blockHeightPx !== 0;
  }

  *#blocks(firstRow: number, rowCount: number, samples: readonly number[]): Generator<Block> {
    const { planar, blocksAcross, blocksDown, blockHeightPx } = this.#layout;
    const top = Math.floor(firstRow / blockHeightPx);
    const bottom = Math.floor((firstRow + rowCount - 1) / blockHeightPx);
    for (const plane of planar ? samples : [0]) {
      for (let row = top; row <= bottom; row++) {
        for (let column = 0; column < blocksAcross; column++) {
          yield { index: (plane * blocksDown + row) * blocksAcross + column, plane, column, row };
        }
      }
    }
  }

  #isAbsent(block: Block): boolean {
    return this.#layout.offsets[block.index] === 0 || this.#layout.byteCounts[block.index] === 0;
  }

  #rowsOf(block: Block): number {
    return Math.min(this.#layout.blockHeightPx, this.#layout.heightPx - block.row * this.#layout.blockHeightPx);
  }

  /** Blocks that follow each other in the file, within the sizes that one fetch may have. */
  #groups(blocks: readonly Block[]): Block[][] {
    const { offsets, byteCounts } = this.#layout;
    const sorted = blocks.toSorted((a, b) => offsets[a.index]! - offsets[b.index]!);
    const groups: Block[][] = [];
    let group: Block[] = [];
    let start = 0;
    let end = 0;
    for (const block of sorted) {
      const offset = offsets[block.index]!;
      const blockEnd = offset + byteCounts[block.index]!;
      // COG writers put up to 8 bytes between blocks.
      if (group.length > 0 && offset <= end + 8 && blockEnd - start <= FETCH_BYTES && group.length < BLOCKS_PER_FETCH) {
        group.push(block);
        end = Math.max(end, blockEnd);
      } else {
        group = [block];
        groups.push(group);
        start = offset;
        end = blockEnd;
      }
    }
    return groups;
  }

  async #readGroup(group: readonly Block[], window: Window, signal: AbortSignal): Promise<void> {
    const { offsets, byteCounts } = this.#layout;
    const start = offsets[group[0]!.index]!;
    let end = start;
    for (const block of group) {
      this.#checkEncodedSize(block);
      end = Math.max(end, offsets[block.index]! + byteCounts[block.index]!);
    }
    const bytes = await fetchExactly(this.#source, start, end - start, "pixels", signal);
    await Promise.all(
      group.map(async (block) => {
        const at = offsets[block.index]! - start;
        const encoded = bytes.subarray(at, at + byteCounts[block.index]!);
        const pixels = await this.#decode(block, encoded);
        this.#scatter(block, pixels, window);
        const ends = (block.row + 1) * this.#layout.blockHeightPx > window.firstRow + window.rowCount;
        if (ends && this.#endsInside(window) && this.#fitsKept(pixels)) this.#kept.set(block.index, pixels);
      }),
    );
  }

  #fitsKept(pixels: PixelArray): boolean {
    const perRow = this.#layout.blocksAcross * (this.#layout.planar ? this.#layout.samples : 1);
    return pixels.byteLength * perRow <= KEPT_BYTES;
  }

  /** No codec expands noise to twice its size, so a longer block is a lie that would only cost memory. */
  #checkEncodedSize(block: Block): void {
    const layout = this.#layout;
    const rowSamples = layout.blockWidthPx * (layout.planar ? 1 : layout.samples);
    const limit = 2 * rowByteLength(layout.format, rowSamples) * layout.blockHeightPx + 64 * 1024;
    const bytes = layout.byteCounts[block.index]!;
    if (bytes > limit) {
      throw unreadable(
        this.#source.name,
        `has a block of ${bytes} encoded bytes, expected at most ${limit} for its pixels`,
      );
    }
  }

  async #decode(block: Block, encoded: Uint8Array): Promise<PixelArray> {
    try {
      return await decodeBlock(encoded, this.#layout, this.#rowsOf(block));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw unreadable(
        this.#source.name,
        `has a damaged ${this.#layout.codec.name} block at column ${block.column}, row ${block.row}: ${reason}`,
        cause,
      );
    }
  }

  #scatter(block: Block, pixels: PixelArray, window: Window): void {
    const { widthPx, planar, samples, blockWidthPx, blockHeightPx } = this.#layout;
    const left = block.column * blockWidthPx;
    const columns = Math.min(blockWidthPx, widthPx - left);
    const blockTop = block.row * blockHeightPx;
    const top = Math.max(window.firstRow, blockTop);
    const bottom = Math.min(window.firstRow + window.rowCount, blockTop + this.#rowsOf(block));
    const stride = planar ? 1 : samples;
    if (stride === 4 && window.samples.length === 4 && window.samples.every((sample, i) => sample === i)) {
      for (let row = top; row < bottom; row++) {
        const from = (row - blockTop) * blockWidthPx * 4;
        pickFour(pixels, from, window.outputs, (row - window.firstRow) * widthPx + left, columns);
      }
      return;
    }
    for (const [i, output] of window.outputs.entries()) {
      const sample = window.samples[i]!;
      if (planar && sample !== block.plane) continue;
      for (let row = top; row < bottom; row++) {
        const from = (row - blockTop) * blockWidthPx * stride;
        const to = (row - window.firstRow) * widthPx + left;
        if (stride === 1) output.set(pixels.subarray(from, from + columns), to);
        else pick(pixels, from + sample, stride, output, to, columns);
      }
    }
  }

  #fill(block: Block, value: number, window: Window): void {
    if (value === 0) return;
    const { widthPx, planar, blockWidthPx, blockHeightPx } = this.#layout;
    const left = block.column * blockWidthPx;
    const right = Math.min(left + blockWidthPx, widthPx);
    const top = Math.max(window.firstRow, block.row * blockHeightPx);
    const bottom = Math.min(window.firstRow + window.rowCount, block.row * blockHeightPx + this.#rowsOf(block));
    for (const [i, output] of window.outputs.entries()) {
      if (planar && window.samples[i] !== block.plane) continue;
      for (let row = top; row < bottom; row++) {
        const base = (row - window.firstRow) * widthPx;
        output.fill(value, base + left, base + right);
      }
    }
  }
}

interface Window {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly samples: readonly number[];
  readonly outputs: readonly PixelArray[];
}

/** Every `stride`-th value; integer loop variables and one array type for each file make it a tight loop. */
function pick(from: PixelArray, first: number, stride: number, to: PixelArray, at: number, count: number): void {
  const end = (at + count) | 0;
  let source = first | 0;
  for (let i = at | 0; i < end; i++) {
    to[i] = from[source]!;
    source = (source + stride) | 0;
  }
}

/** As four calls of `pick`, in one pass over the block: a third faster for the commonest number of bands. */
function pickFour(from: PixelArray, first: number, to: readonly PixelArray[], at: number, count: number): void {
  const [a, b, c, d] = to as readonly [PixelArray, PixelArray, PixelArray, PixelArray];
  const end = (at + count) | 0;
  let source = first | 0;
  for (let i = at | 0; i < end; i++) {
    a[i] = from[source]!;
    b[i] = from[source + 1]!;
    c[i] = from[source + 2]!;
    d[i] = from[source + 3]!;
    source = (source + 4) | 0;
  }
}
