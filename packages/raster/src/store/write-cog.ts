import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createStatistics } from "@swath/kernel/raster-mathematics/statistics";
import type { StatisticsCollector } from "@swath/kernel/raster-mathematics/statistics";
import type { BandStatistics } from "@swath/kernel/scenes/stored-raster";
import { RasterError } from "../raster-error.ts";
import type { PixelArray, SourceBand, SourceCrs, SourceRaster } from "../source-raster.ts";
import { BandPyramid, pyramidLevels } from "./band-pyramid.ts";
import { BLOCK_PX } from "./block-encoder.ts";
import { BlockBudget, BlockSpool } from "./block-spool.ts";
import { writeCogFile } from "./cog-file.ts";
import { BYTES_PER_PIXEL, isFloat, newPixels, representableNodata } from "./pixel-type.ts";
import { ValidityMap } from "./validity-map.ts";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";

/** Raw blocks waiting for compression, all bands together. */
const QUEUE_BYTES = 12 * 1024 * 1024;
/** Rows read at once. */
const READ_BYTES = 12 * 1024 * 1024;
/** Block rows and pyramids of the bands that are written in one pass; further bands take another pass. */
const PASS_BYTES = 192 * 1024 * 1024;
/** Bands whose files are open at the same time. */
const MAX_BANDS_PER_PASS = 48;
/** Together with the pyramid about twice this is held per band. */
const MAX_BLOCK_ROW_BYTES = 128 * 1024 * 1024;
/** All percentile samples together. */
const SAMPLE_VALUES = 2 ** 23;

export interface WriteCogOptions {
  /** Temporary folder; it is created, and the caller removes it. */
  readonly folder: string;
  /** Start of the file names in it. */
  readonly name: string;
  /** Class and palette bands keep their values in overviews instead of being averaged; one flag per band, false unless given. */
  readonly isClass?: readonly boolean[];
  readonly signal?: AbortSignal;
  /** Rows done and rows to do, over all passes. */
  readonly onProgress?: (done: number, total: number) => void;
  readonly forceBigTiff?: boolean;
}

export interface WrittenBand {
  readonly path: string;
  readonly sizeBytes: number;
  readonly nodata: number | "nan" | null;
  readonly statistics: BandStatistics;
}

export interface WrittenRaster {
  readonly bands: readonly WrittenBand[];
  /** COG of the validity mask, 0 or 255, when the source has one that leaves something out. */
  readonly mask: { readonly path: string; readonly sizeBytes: number } | null;
  readonly validity: ValidityMap;
}

interface BandWork {
  readonly index: number;
  readonly band: SourceBand;
  readonly nodata: number | null;
  readonly rows: PixelArray;
  readonly statistics: StatisticsCollector;
  readonly pyramid: BandPyramid;
  readonly spool: BlockSpool;
  sawNaN: boolean;
}

/**
 * Writes one cloud optimized GeoTIFF per band of a north-up raster and gathers statistics and validity. It reads the
 * raster once from top to bottom, more often only when the bands exceed the memory.
 * Memory does not depend on the height of the raster.
 *
 * @throws {RasterError} too-large when a row of blocks does not fit into memory; any error of the source
 */
export async function writeCogs(
  raster: SourceRaster,
  transform: Affine,
  crs: SourceCrs,
  options: WriteCogOptions,
): Promise<WrittenRaster> {
  await mkdir(options.folder, { recursive: true });
  const passes = planPasses(raster);
  const validity = new ValidityMap(raster.widthPx, raster.heightPx);
  const bands: WrittenBand[] = [];
  let mask: WrittenRaster["mask"] = null;
  for (const [index, members] of passes.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- a pass takes all the memory there is
    const pass = await writePass(raster, transform, crs, members, index === 0 && raster.hasMask, options, (row) =>
      options.onProgress?.(index * raster.heightPx + row, passes.length * raster.heightPx),
    );
    bands.push(...pass.bands);
    validity.merge(pass.validity);
    mask ??= pass.mask;
  }
  return { bands, mask, validity };
}

function planPasses(raster: SourceRaster): readonly (readonly number[])[] {
  const passes: number[][] = [];
  let used = Infinity;
  raster.bands.forEach((band, index) => {
    const blockRow = raster.widthPx * BLOCK_PX * BYTES_PER_PIXEL[band.dataType];
    if (blockRow > MAX_BLOCK_ROW_BYTES) {
      throw new RasterError(
        "too-large",
        `the image is ${raster.widthPx} pixels of type ${band.dataType} wide, expected at most ${Math.floor(MAX_BLOCK_ROW_BYTES / BLOCK_PX / BYTES_PER_PIXEL[band.dataType])}`,
      );
    }
    const last = passes.at(-1);
    if (last === undefined || used + blockRow * 2 > PASS_BYTES || last.length === MAX_BANDS_PER_PASS) {
      passes.push([index]);
      used = blockRow * 2;
    } else {
      last.push(index);
      used += blockRow * 2;
    }
  });
  return passes;
}

async function writePass(
  raster: SourceRaster,
  transform: Affine,
  crs: SourceCrs,
  members: readonly number[],
  withMask: boolean,
  options: WriteCogOptions,
  onRow: (row: number) => void,
): Promise<WrittenRaster> {
  const { widthPx, heightPx } = raster;
  const levels = pyramidLevels(widthPx, heightPx);
  const budget = new BlockBudget(QUEUE_BYTES);
  const validity = new ValidityMap(widthPx, heightPx);
  await using resources = new AsyncDisposableStack();
  const temporary: string[] = [];
  resources.defer(async () => {
    await Promise.all(temporary.map(async (path) => rm(path, { force: true })));
  });
  const openSpool = async (suffix: string): Promise<BlockSpool> => {
    const path = join(options.folder, `${options.name}-${suffix}.blocks`);
    await rm(path, { force: true });
    temporary.push(path);
    return resources.use(await BlockSpool.create(path, levels.length, budget));
  };

  const rowsPerBlock = Math.min(BLOCK_PX, heightPx);
  const sampleCapacity = Math.min(2 ** 21, 2 ** Math.floor(Math.log2(SAMPLE_VALUES / members.length)));
  const work: BandWork[] = [];
  for (const index of members) {
    const band = raster.bands[index];
    if (band === undefined) continue;
    const nodata = representableNodata(band.dataType, band.nodata);
    // oxlint-disable-next-line no-await-in-loop -- a few file openings
    const spool = await openSpool(`b${index}`);
    const method = options.isClass?.[index] === true ? "mode" : "average";
    work.push({
      index,
      band,
      nodata,
      rows: newPixels(band.dataType, widthPx * rowsPerBlock),
      statistics: createStatistics(band.dataType, nodata, sampleCapacity),
      pyramid: new BandPyramid(band.dataType, widthPx, heightPx, method, nodata, spool),
      spool,
      sawNaN: false,
    });
  }
  const maskSpool = withMask ? await openSpool("mask") : null;
  const maskPyramid = maskSpool === null ? null : new BandPyramid("uint8", widthPx, heightPx, "any", null, maskSpool);
  const maskRows = raster.hasMask ? new Uint8Array(widthPx * rowsPerBlock) : null;
  let maskHasHoles = false;
  const bandValid = new Uint8Array(widthPx * rowsPerBlock);
  const sceneValid = new Uint8Array(widthPx * rowsPerBlock);

  const finishBlockRow = async (firstRow: number, rowCount: number): Promise<void> => {
    const count = rowCount * widthPx;
    const mask = maskRows === null || allSet(maskRows, count) ? null : maskRows;
    if (mask !== null) maskHasHoles = true;
    // Null once some band is valid everywhere.
    let scene: Uint8Array | null = sceneValid;
    sceneValid.fill(0, 0, count);
    for (const member of work) {
      const valid = validPixels(member, count, mask, bandValid);
      member.statistics.add(member.rows, 0, count, valid);
      if (valid === null) scene = null;
      else if (scene !== null) for (let i = 0; i < count; i++) scene[i] = scene[i]! | valid[i]!;
      // oxlint-disable-next-line no-await-in-loop -- rows are reused after this
      await member.pyramid.pushBlockRow(member.rows, valid, rowCount);
    }
    if (maskPyramid !== null && maskRows !== null) await maskPyramid.pushBlockRow(maskRows, null, rowCount);
    validity.addRows(firstRow, rowCount, scene);
    onRow(firstRow + rowCount);
  };

  await readBlockRows(raster, members, work, maskRows, options.signal ?? new AbortController().signal, finishBlockRow);

  const written: WrittenBand[] = [];
  for (const member of work) {
    // oxlint-disable-next-line no-await-in-loop -- copying is bound by the disk, not by latency
    written.push(await finishBand(member, levels, transform, crs, raster, options));
  }
  let mask: WrittenRaster["mask"] = null;
  if (maskSpool !== null) {
    await maskSpool.finish();
    if (maskHasHoles) {
      const path = join(options.folder, `${options.name}-mask.tif`);
      const sizeBytes = await writeCogFile(
        path,
        {
          dataType: "uint8",
          levels,
          transform,
          crs,
          nodata: null,
          description: "validity mask",
          scale: 1,
          offset: 0,
          palette: null,
          forceBigTiff: options.forceBigTiff === true,
        },
        maskSpool,
      );
      mask = { path, sizeBytes };
    }
  }
  return { bands: written, mask, validity };
}

async function finishBand(
  member: BandWork,
  levels: readonly (readonly [number, number])[],
  transform: Affine,
  crs: SourceCrs,
  raster: SourceRaster,
  options: WriteCogOptions,
): Promise<WrittenBand> {
  options.signal?.throwIfAborted();
  await member.spool.finish();
  const { band } = member;
  // A float band without a nodata value whose pixels include NaN means NaN by "no data".
  const nodata = member.nodata ?? (member.sawNaN ? Number.NaN : null);
  const path = join(options.folder, `${options.name}-b${member.index}.tif`);
  const sizeBytes = await writeCogFile(
    path,
    {
      dataType: band.dataType,
      levels,
      transform,
      crs,
      nodata,
      description: band.description,
      scale: band.scale,
      offset: band.offset,
      palette: member.index === 0 ? raster.palette : null,
      forceBigTiff: options.forceBigTiff === true,
    },
    member.spool,
  );
  return {
    path,
    sizeBytes,
    nodata: nodata !== null && Number.isNaN(nodata) ? "nan" : nodata,
    statistics: member.statistics.finish(),
  };
}

/** Reads the raster top to bottom, the next rows while the present ones are worked on, and regroups them into block rows. */
async function readBlockRows(
  raster: SourceRaster,
  members: readonly number[],
  work: readonly BandWork[],
  maskRows: Uint8Array | null,
  signal: AbortSignal,
  finishBlockRow: (firstRow: number, rowCount: number) => Promise<void>,
): Promise<void> {
  const { widthPx, heightPx } = raster;
  const rowBytes = raster.bands.reduce((sum, band) => sum + widthPx * BYTES_PER_PIXEL[band.dataType], 0);
  const readRows = rowsPerRead(rowBytes, raster.blockHeightPx, heightPx);
  const read = async (firstRow: number) => {
    const count = Math.min(readRows, heightPx - firstRow);
    const bands = await raster.readRows(firstRow, count, signal);
    const mask = maskRows === null ? null : await raster.readMask(firstRow, count, signal);
    return { count, bands, mask };
  };
  let filled = 0;
  let blockStart = 0;
  let pending = read(0);
  // Reported when it is awaited; must not count as unhandled when something else fails first.
  pending.catch(() => {});
  for (let row = 0; row < heightPx;) {
    signal.throwIfAborted();
    // oxlint-disable-next-line no-await-in-loop -- one read ahead
    const chunk = await pending;
    const nextRow = row + chunk.count;
    if (nextRow < heightPx) {
      pending = read(nextRow);
      pending.catch(() => {});
    }
    for (let done = 0; done < chunk.count;) {
      const take = Math.min(chunk.count - done, BLOCK_PX - filled);
      members.forEach((index, position) => {
        const pixels = chunk.bands[index];
        const target = work[position];
        if (pixels === undefined || target === undefined) return;
        target.rows.set(pixels.subarray(done * widthPx, (done + take) * widthPx), filled * widthPx);
      });
      if (maskRows !== null && chunk.mask !== null) {
        maskRows.set(chunk.mask.subarray(done * widthPx, (done + take) * widthPx), filled * widthPx);
      }
      filled += take;
      done += take;
      if (filled === BLOCK_PX || blockStart + filled === heightPx) {
        // oxlint-disable-next-line no-await-in-loop -- back-pressure
        await finishBlockRow(blockStart, filled);
        blockStart += filled;
        filled = 0;
      }
    }
    row = nextRow;
  }
}

/** Whole strips or tile rows of the source, as many as fit into the read budget. */
function rowsPerRead(rowBytes: number, blockHeightPx: number, heightPx: number): number {
  const affordable = Math.max(Math.floor(READ_BYTES / rowBytes), 1);
  const block = Math.min(Math.max(blockHeightPx, 1), heightPx);
  if (block >= affordable) return block * rowBytes <= 4 * READ_BYTES ? block : affordable;
  return Math.min(Math.floor(affordable / block) * block, heightPx);
}

/** Validity of the block row of a band; null when every pixel is valid. */
function validPixels(member: BandWork, count: number, mask: Uint8Array | null, target: Uint8Array): Uint8Array | null {
  const { rows, nodata } = member;
  const float = isFloat(member.band.dataType);
  if (nodata === null && !float) return mask;
  let valid = 0;
  if (float) {
    for (let i = 0; i < count; i++) {
      const value = rows[i]!;
      const isNaNValue = value !== value;
      if (isNaNValue) member.sawNaN = true;
      // Infinity minus itself is NaN: it has no colour, no statistics and no place among values.
      const ok = value - value === 0 && value !== nodata ? 1 : 0;
      target[i] = ok;
      valid += ok;
    }
  } else {
    for (let i = 0; i < count; i++) {
      const ok = rows[i] === nodata ? 0 : 1;
      target[i] = ok;
      valid += ok;
    }
  }
  if (valid === count) return mask;
  if (mask !== null) for (let i = 0; i < count; i++) if (mask[i] === 0) target[i] = 0;
  return target;
}

function allSet(mask: Uint8Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (mask[i] === 0) return false;
  return true;
}
