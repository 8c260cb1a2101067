import { inflateSync, zstdDecompressSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { RasterError } from "../raster-error.ts";
import type { PixelArray } from "../source-raster.ts";
import { BYTES_PER_SAMPLE, type NativePixels, type PixelRectangle, type WarpKernel } from "../warp/warp-kernel.ts";
import { fileIdentity, type BlockCache, type FileIdentity } from "./block-cache.ts";
import type { ByteSupply } from "./byte-supply.ts";
import { readCogHeader, type CogHeader, type CogLevel } from "./cog-header.ts";

const MAX_HEADERS = 256;
/** Blocks this near to each other are read in one go; a far request costs more than the bytes between them. */
const MAX_GAP_LOCAL_BYTES = 4_096;
const MAX_GAP_REMOTE_BYTES = 65_536;
const MAX_RANGE_BYTES = 8 * 2 ** 20;

/** A rectangle of pixels of a level; may reach beyond the level. */
export interface LevelWindow {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** An open COG of the store. */
export interface StoredCog {
  readonly key: string;
  readonly identity: FileIdentity;
  readonly header: CogHeader;
}

interface BlockRange {
  readonly offset: number;
  length: number;
  readonly blocks: number[];
}

/** Reads blocks of the store's COGs through the cache of decoded blocks. */
export class CogReader {
  readonly #cache: BlockCache;
  readonly #opened = new LRUCache<string, StoredCog>({ max: MAX_HEADERS });

  constructor(cache: BlockCache) {
    this.#cache = cache;
  }

  /** Opens a COG; its header is parsed once. */
  open(supply: ByteSupply, key: string): StoredCog {
    const name = supply.identity(key);
    const known = this.#opened.get(name);
    if (known !== undefined) return known;
    const cog: StoredCog = { key, identity: fileIdentity(name), header: readCogHeader(supply, key) };
    this.#opened.set(name, cog);
    return cog;
  }

  /**
   * A window of one level as float32 in kernel memory at `target`, which must be all NaN: nodata, values that are not
   * finite and pixels outside the level stay NaN.
   * Bytes that must be fetched first are noted in `supply`; the window is complete only if `supply.demand()` passes.
   */
  readWindow(
    supply: ByteSupply,
    kernel: WarpKernel,
    cog: StoredCog,
    levelIndex: number,
    window: LevelWindow,
    target: number,
    nodata: number | null,
  ): void {
    const level = cog.header.levels[levelIndex];
    if (level === undefined)
      throw new RangeError(`level ${levelIndex} of "${cog.key}", which has ${cog.header.levels.length}`);
    this.#eachBlock(supply, kernel, cog, levelIndex, window, nodata === null, (pixels, block) => {
      placeBlock(kernel, level, pixels, block, window, target, nodata);
    });
  }

  /**
   * A window of one level as stored, in an array of the type of the COG. Pixels outside the level and pixels of unwritten
   * blocks stay unchanged in `target`. Without nodata, pixels of unwritten blocks become 0.
   * As with `readWindow`, complete only if `supply.demand()` passes.
   *
   * @param target row-major, of the window's size
   */
  readNative(
    supply: ByteSupply,
    kernel: WarpKernel,
    cog: StoredCog,
    levelIndex: number,
    window: LevelWindow,
    target: PixelArray,
    hasNodata: boolean,
  ): void {
    const level = cog.header.levels[levelIndex];
    if (level === undefined)
      throw new RangeError(`level ${levelIndex} of "${cog.key}", which has ${cog.header.levels.length}`);
    const size = BYTES_PER_SAMPLE[cog.header.dataType];
    if (target.BYTES_PER_ELEMENT !== size) {
      throw new RangeError(`"${cog.key}" has pixels of ${size} bytes, got room for ${target.BYTES_PER_ELEMENT}`);
    }
    const out = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    this.#eachBlock(supply, kernel, cog, levelIndex, window, !hasNodata, (pixels, block, bytes) => {
      const part = partOf(level, block, window);
      if (part === null) return;
      for (let row = 0; row < part.heightPx; row++) {
        const from = ((part.fromY + row) * pixels.widthPx + part.fromX) * size;
        const to = ((part.toY + row) * window.widthPx + part.toX) * size;
        out.set(bytes.subarray(from, from + part.widthPx * size), to);
      }
    });
  }

  /** Decodes the blocks of a window one after the other into the same place and shows each to `visit`. */
  #eachBlock(
    supply: ByteSupply,
    kernel: WarpKernel,
    cog: StoredCog,
    levelIndex: number,
    window: LevelWindow,
    withUnwritten: boolean,
    visit: (pixels: NativePixels, block: number, bytes: Uint8Array) => void,
  ): void {
    const level = cog.header.levels[levelIndex];
    if (level === undefined)
      throw new RangeError(`level ${levelIndex} of "${cog.key}", which has ${cog.header.levels.length}`);
    const { dataType } = cog.header;
    const blockBytes = level.blockWidthPx * level.blockHeightPx * BYTES_PER_SAMPLE[dataType];
    const pixels: NativePixels = { ptr: kernel.allocate(blockBytes), dataType, widthPx: level.blockWidthPx };
    const rowScratch = kernel.allocate(level.blockWidthPx * BYTES_PER_SAMPLE[dataType]);
    const bytes = kernel.bytes(pixels.ptr, blockBytes);
    const missing: number[] = [];
    for (const block of blocksOf(level, window)) {
      if (level.lengths[block] === 0) {
        // A block never written is all nodata, or all zero when there is no nodata.
        if (!withUnwritten) continue;
        bytes.fill(0);
        visit(pixels, block, bytes);
      } else if (this.#cache.copyTo({ file: cog.identity, level: levelIndex, block }, bytes))
        visit(pixels, block, bytes);
      else missing.push(block);
    }
    const maxGap = supply.isLocal(cog.key) ? MAX_GAP_LOCAL_BYTES : MAX_GAP_REMOTE_BYTES;
    for (const range of mergeRanges(level, missing, maxGap)) {
      const compressed = supply.read(cog.key, range.offset, range.length);
      if (compressed === null) continue;
      for (const block of range.blocks) {
        const start = level.offsets[block]! - range.offset;
        decodeBlock(level, compressed.subarray(start, start + level.lengths[block]!), bytes, cog.key);
        kernel.undoPredictor(level.predictor, pixels, level.blockHeightPx, rowScratch);
        this.#cache.insert({ file: cog.identity, level: levelIndex, block }, bytes);
        visit(pixels, block, bytes);
      }
    }
  }
}

function blocksOf(level: CogLevel, window: LevelWindow): readonly number[] {
  const left = Math.max(0, Math.floor(window.x / level.blockWidthPx));
  const top = Math.max(0, Math.floor(window.y / level.blockHeightPx));
  const right = Math.min(level.blocksAcross, Math.ceil((window.x + window.widthPx) / level.blockWidthPx));
  const bottom = Math.min(level.blocksDown, Math.ceil((window.y + window.heightPx) / level.blockHeightPx));
  const blocks: number[] = [];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) blocks.push(row * level.blocksAcross + column);
  }
  return blocks;
}

function mergeRanges(level: CogLevel, blocks: readonly number[], maxGapBytes: number): readonly BlockRange[] {
  const ranges: BlockRange[] = [];
  for (const block of blocks.toSorted((a, b) => level.offsets[a]! - level.offsets[b]!)) {
    const offset = level.offsets[block]!;
    const end = offset + level.lengths[block]!;
    const last = ranges.at(-1);
    if (
      last !== undefined &&
      offset - (last.offset + last.length) <= maxGapBytes &&
      end - last.offset <= MAX_RANGE_BYTES
    ) {
      last.length = Math.max(last.length, end - last.offset);
      last.blocks.push(block);
    } else ranges.push({ offset, length: end - offset, blocks: [block] });
  }
  return ranges;
}

function decodeBlock(level: CogLevel, compressed: Uint8Array, target: Uint8Array, key: string): void {
  let decoded: Uint8Array;
  try {
    // Blocks of the store are never larger than declared: a longer stream is an error, not a longer buffer.
    const limits = { maxOutputLength: target.length, chunkSize: target.length + 64 };
    if (level.compression === "zstd") decoded = zstdDecompressSync(compressed, limits);
    else if (level.compression === "deflate") decoded = inflateSync(compressed, limits);
    else decoded = compressed;
  } catch (cause) {
    throw new RasterError("unreadable", `a block of stored raster "${key}" does not decompress`, { cause });
  }
  if (decoded.length !== target.length) {
    throw new RasterError(
      "unreadable",
      `a block of stored raster "${key}" has ${decoded.length} bytes, expected ${target.length}`,
    );
  }
  target.set(decoded);
}

function placeBlock(
  kernel: WarpKernel,
  level: CogLevel,
  pixels: NativePixels,
  block: number,
  window: LevelWindow,
  target: number,
  nodata: number | null,
): void {
  const part = partOf(level, block, window);
  if (part !== null) kernel.place(pixels, part, target, window.widthPx, nodata);
}

/** Intersection of a block and a window; null when empty. */
function partOf(level: CogLevel, block: number, window: LevelWindow): PixelRectangle | null {
  const blockX = (block % level.blocksAcross) * level.blockWidthPx;
  const blockY = Math.floor(block / level.blocksAcross) * level.blockHeightPx;
  const left = Math.max(window.x, blockX);
  const top = Math.max(window.y, blockY);
  const right = Math.min(window.x + window.widthPx, blockX + level.blockWidthPx, level.widthPx);
  const bottom = Math.min(window.y + window.heightPx, blockY + level.blockHeightPx, level.heightPx);
  if (right <= left || bottom <= top) return null;
  return {
    fromX: left - blockX,
    fromY: top - blockY,
    toX: left - window.x,
    toY: top - window.y,
    widthPx: right - left,
    heightPx: bottom - top,
  };
}
