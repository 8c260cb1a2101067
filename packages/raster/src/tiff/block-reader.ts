import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ByteSource } from "../byte-source.ts";
import type { PixelArray } from "../source-raster.ts";
import { decodeBlock } from "./decode-block.ts";
import { fetchExactly } from "./directory.ts";
import type { TiffLayout } from "./layout.ts";
import { unreadable } from "./limits.ts";
import type { PixelWindow } from "./pixel-window.ts";
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

/** Windows of pixels out of the blocks of one directory. */
export class BlockReader {
  readonly #source: ByteSource;
  readonly #layout: TiffLayout;
  readonly #kept = new Map<number, PixelArray>();

  constructor(source: ByteSource, layout: TiffLayout) {
    this.#source = source;
    this.#layout = layout;
  }

  /**
   * The chosen samples of a window, in the order given. Every block is decoded once.
   *
   * @param fill value of absent (sparse) blocks
   * @throws {RangeError} when the window does not lie inside the image or is no window of whole pixels
   */
  async read(
    window: PixelWindow,
    samples: readonly number[],
    fill: number,
    signal: AbortSignal,
  ): Promise<PixelArray[]> {
    const layout = this.#layout;
    checkWindow(window, layout);
    signal.throwIfAborted();
    const outputs = samples.map(() => allocatePixels(layout.dataType, window.widthPx * window.heightPx));
    const wanted: Wanted = { ...window, samples, outputs };
    const pending: Block[] = [];
    for (const block of this.#blocks(wanted)) {
      const kept = this.#kept.get(block.index);
      if (kept !== undefined) this.#scatter(block, kept, wanted);
      else if (this.#isAbsent(block)) this.#fill(block, fill, wanted);
      else pending.push(block);
    }
    const touched = new Set(pending.map((block) => block.index));
    const lastRow = Math.floor((window.row + window.heightPx - 1) / layout.blockHeightPx);
    for (const index of this.#kept.keys()) {
      const row = Math.floor((index % (layout.blocksAcross * layout.blocksDown)) / layout.blocksAcross);
      if (row !== lastRow || !this.#endsInside(wanted)) this.#kept.delete(index);
    }
    const groups = this.#groups(pending);
    const worker = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        signal.throwIfAborted();
        await this.#readGroup(group, wanted, signal);
      }
    };
    const workers = Array.from({ length: Math.min(CONCURRENT_FETCHES, groups.length) }, worker);
    const results = await Promise.allSettled(workers);
    for (const result of results) if (result.status === "rejected") throw result.reason;
    if (touched.size > 0) signal.throwIfAborted();
    return outputs;
  }

  #endsInside(wanted: Wanted): boolean {
    const end = wanted.row + wanted.heightPx;
    return end < this.#layout.heightPx && end % this.#layout.blockHeightPx !== 0;
  }

  *#blocks(wanted: Wanted): Generator<Block> {
    const { planar, blocksAcross, blocksDown, blockWidthPx, blockHeightPx } = this.#layout;
    const top = Math.floor(wanted.row / blockHeightPx);
    const bottom = Math.floor((wanted.row + wanted.heightPx - 1) / blockHeightPx);
    const left = Math.floor(wanted.column / blockWidthPx);
    const right = Math.floor((wanted.column + wanted.widthPx - 1) / blockWidthPx);
    for (const plane of planar ? wanted.samples : [0]) {
      for (let row = top; row <= bottom; row++) {
        for (let column = left; column <= right; column++) {
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

  async #readGroup(group: readonly Block[], wanted: Wanted, signal: AbortSignal): Promise<void> {
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
        this.#scatter(block, pixels, wanted);
        const ends = (block.row + 1) * this.#layout.blockHeightPx > wanted.row + wanted.heightPx;
        if (ends && this.#endsInside(wanted) && this.#fitsKept(pixels)) this.#kept.set(block.index, pixels);
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

  #scatter(block: Block, pixels: PixelArray, wanted: Wanted): void {
    const { planar, samples, blockWidthPx } = this.#layout;
    const part = this.#partOf(block, wanted);
    const stride = planar ? 1 : samples;
    const pickAll = stride === 3 ? pickThree : stride === 4 ? pickFour : null;
    const inOrder = wanted.samples.length === stride && wanted.samples.every((sample, i) => sample === i);
    if (pickAll !== null && inOrder) {
      for (let row = 0; row < part.rows; row++) {
        const from = ((part.fromRow + row) * blockWidthPx + part.fromColumn) * stride;
        pickAll(pixels, from, wanted.outputs, part.to + row * wanted.widthPx, part.columns);
      }
      return;
    }
    for (const [i, output] of wanted.outputs.entries()) {
      const sample = wanted.samples[i]!;
      if (planar && sample !== block.plane) continue;
      for (let row = 0; row < part.rows; row++) {
        const from = ((part.fromRow + row) * blockWidthPx + part.fromColumn) * stride;
        const to = part.to + row * wanted.widthPx;
        if (stride === 1) output.set(pixels.subarray(from, from + part.columns), to);
        else pick(pixels, from + sample, stride, output, to, part.columns);
      }
    }
  }

  #fill(block: Block, value: number, wanted: Wanted): void {
    if (value === 0) return;
    const part = this.#partOf(block, wanted);
    for (const [i, output] of wanted.outputs.entries()) {
      if (this.#layout.planar && wanted.samples[i] !== block.plane) continue;
      for (let row = 0; row < part.rows; row++) {
        const to = part.to + row * wanted.widthPx;
        output.fill(value, to, to + part.columns);
      }
    }
  }

  #partOf(block: Block, wanted: Wanted): Part {
    const { widthPx, blockWidthPx, blockHeightPx } = this.#layout;
    const blockLeft = block.column * blockWidthPx;
    const blockTop = block.row * blockHeightPx;
    const left = Math.max(wanted.column, blockLeft);
    const right = Math.min(wanted.column + wanted.widthPx, blockLeft + blockWidthPx, widthPx);
    const top = Math.max(wanted.row, blockTop);
    const bottom = Math.min(wanted.row + wanted.heightPx, blockTop + this.#rowsOf(block));
    return {
      fromColumn: left - blockLeft,
      fromRow: top - blockTop,
      to: (top - wanted.row) * wanted.widthPx + left - wanted.column,
      columns: right - left,
      rows: bottom - top,
    };
  }
}

/** A window and the arrays that take its pixels, one for each sample. */
interface Wanted extends PixelWindow {
  readonly samples: readonly number[];
  readonly outputs: readonly PixelArray[];
}

/** The pixels that a block and a window share: their corner in the block, their position in the output. */
interface Part {
  readonly fromColumn: number;
  readonly fromRow: number;
  readonly to: number;
  readonly columns: number;
  readonly rows: number;
}

function checkWindow(window: PixelWindow, image: { readonly widthPx: number; readonly heightPx: number }): void {
  const { column, row, widthPx, heightPx } = window;
  const whole = [column, row, widthPx, heightPx].every(Number.isInteger);
  const inside = column >= 0 && row >= 0 && column + widthPx <= image.widthPx && row + heightPx <= image.heightPx;
  if (!whole || !inside || widthPx < 1 || heightPx < 1) {
    throw new RangeError(
      `got columns ${column} to ${column + widthPx} and rows ${row} to ${row + heightPx}, expected whole numbers within ${image.widthPx} x ${image.heightPx} pixels`,
    );
  }
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

/** As three calls of `pick`, in one pass over the block. */
function pickThree(from: PixelArray, first: number, to: readonly PixelArray[], at: number, count: number): void {
  const [a, b, c] = to as readonly [PixelArray, PixelArray, PixelArray];
  const end = (at + count) | 0;
  let source = first | 0;
  for (let i = at | 0; i < end; i++) {
    a[i] = from[source]!;
    b[i] = from[source + 1]!;
    c[i] = from[source + 2]!;
    source = (source + 3) | 0;
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
