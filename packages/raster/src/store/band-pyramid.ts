import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../source-raster.ts";
import { BLOCK_PX, BlockBuffers, compressBlock, cutBlock } from "./block-encoder.ts";
import type { BlockSpool } from "./block-spool.ts";
import { Downsampler } from "./downsample.ts";
import type { OverviewMethod } from "./downsample.ts";
import { newPixels } from "./pixel-type.ts";

/** Width and height of each level, full resolution first; halved, rounding down, until neither exceeds a block. */
export function pyramidLevels(
  widthPx: number,
  heightPx: number,
): readonly (readonly [width: number, height: number])[] {
  const levels: (readonly [number, number])[] = [[widthPx, heightPx]];
  for (let [width, height] = [widthPx, heightPx]; width > BLOCK_PX || height > BLOCK_PX;) {
    width = Math.max(Math.floor(width / 2), 1);
    height = Math.max(Math.floor(height / 2), 1);
    levels.push([width, height]);
  }
  return levels;
}

interface Level {
  readonly width: number;
  readonly height: number;
  /** Rows of the block row that is being filled. */
  readonly rows: PixelArray;
  readonly valid: Uint8Array;
  allValid: boolean;
  filled: number;
  done: number;
  readonly next: Downsampler | null;
}

/** Turns the rows of one band into compressed blocks of all its levels. */
export class BandPyramid {
  readonly #dataType: DataType;
  readonly #spool: BlockSpool;
  readonly #levels: readonly Level[];
  readonly #buffers: BlockBuffers;
  /** Block rows of overviews that are full, with a copy of their pixels. */
  #ready: { readonly level: number; readonly rows: PixelArray; readonly rowCount: number }[] = [];

  constructor(
    dataType: DataType,
    widthPx: number,
    heightPx: number,
    method: OverviewMethod,
    nodata: number | null,
    spool: BlockSpool,
  ) {
    this.#dataType = dataType;
    this.#spool = spool;
    this.#buffers = new BlockBuffers(dataType);
    const sizes = pyramidLevels(widthPx, heightPx);
    this.#levels = sizes.map(([width, height], index) => ({
      width,
      height,
      rows: newPixels(dataType, index === 0 ? 0 : width * Math.min(BLOCK_PX, height)),
      valid: new Uint8Array(index === 0 ? 0 : width * Math.min(BLOCK_PX, height)),
      allValid: true,
      filled: 0,
      done: 0,
      next:
        index + 1 === sizes.length
          ? null
          : new Downsampler({ dataType, method, nodata, sourceWidth: width, sourceHeight: height }, (row, valid) =>
              this.#takeRow(index + 1, row, valid),
            ),
    }));
  }

  /**
   * Takes a whole block row of full resolution: 256 rows, fewer only at the lower edge. The arrays may be reused
   * once the promise is resolved.
   */
  async pushBlockRow(rows: PixelArray, valid: Uint8Array | null, rowCount: number): Promise<void> {
    const [base] = this.#levels;
    if (base === undefined) return;
    await this.#encode(0, rows, base.width, rowCount);
    base.next?.push(rows, valid, rowCount);
    const ready = this.#ready;
    this.#ready = [];
    for (const { level, rows: block, rowCount: count } of ready) {
      await this.#encode(level, block, this.#levels[level]?.width ?? 0, count);
    }
  }

  #takeRow(index: number, row: PixelArray, valid: Uint8Array | null): void {
    const level = this.#levels[index];
    if (level === undefined) return;
    const at = level.filled * level.width;
    level.rows.set(row, at);
    if (valid === null) level.valid.fill(1, at, at + level.width);
    else {
      level.valid.set(valid, at);
      level.allValid = false;
    }
    level.filled++;
    level.done++;
    if (level.filled < BLOCK_PX && level.done < level.height) return;
    const rowCount = level.filled;
    this.#ready.push({ level: index, rows: level.rows.slice(0, rowCount * level.width), rowCount });
    level.next?.push(level.rows, level.allValid ? null : level.valid, rowCount);
    level.filled = 0;
    level.allValid = true;
  }

  async #encode(level: number, rows: PixelArray, width: number, rowCount: number): Promise<void> {
    for (let column = 0; column < width; column += BLOCK_PX) {
      const raw = this.#buffers.take();
      cutBlock(this.#dataType, rows, width, rowCount, column, raw);
      await this.#spool.add(level, raw.length, async () => {
        const block = await compressBlock(raw);
        this.#buffers.give(raw);
        return block;
      });
    }
  }
}
