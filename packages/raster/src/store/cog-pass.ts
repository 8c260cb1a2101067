import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { createStatistics, type StatisticsCollector } from "@swath/kernel/raster-mathematics/statistics";
import type { PixelArray, SourceBand, SourceCrs, SourceRaster } from "../source-raster.ts";
import { BandPyramid, pyramidLevels } from "./band-pyramid.ts";
import { BLOCK_PX } from "./block-encoder.ts";
import { BlockBudget, BlockSpool } from "./block-spool.ts";
import { readBlockRows } from "./block-rows.ts";
import { writeCogFile } from "./cog-file.ts";
import { isFloat, newPixels, representableNodata } from "./pixel-type.ts";
import { ValidityMap } from "./validity-map.ts";
import type { WriteCogOptions, WrittenBand, WrittenRaster } from "./written-raster.ts";

/** Raw blocks waiting for compression, all bands together. */
const QUEUE_BYTES = 12 * 1024 * 1024;
/** All percentile samples together. */
const SAMPLE_VALUES = 2 ** 23;

/** Bands that are written by reading the raster once. */
export interface PassJob {
  readonly raster: SourceRaster;
  readonly transform: Affine;
  readonly crs: SourceCrs;
  readonly options: WriteCogOptions;
  /** Positions of the bands. */
  readonly members: readonly number[];
  readonly withMask: boolean;
}

/** A band on its way. */
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

/** The mask of the raster on its way; without a spool it is read and not written. */
interface MaskWork {
  readonly rows: Uint8Array;
  readonly output: { readonly spool: BlockSpool; readonly pyramid: BandPyramid } | null;
  hasHoles: boolean;
}

/** A row of blocks of all bands, and everything that is gathered from it. */
interface Pass {
  readonly job: PassJob;
  readonly levels: readonly (readonly [number, number])[];
  readonly bands: readonly BandWork[];
  readonly mask: MaskWork | null;
  readonly validity: ValidityMap;
  /** Validity of the present row of blocks: of one band, of any band. */
  readonly bandValid: Uint8Array;
  readonly sceneValid: Uint8Array;
}

type OpenSpool = (suffix: string) => Promise<BlockSpool>;

/** @param onRow takes the number of rows that are done */
export async function writePass(job: PassJob, onRow: (row: number) => void): Promise<WrittenRaster> {
  const { raster, options } = job;
  const levels = pyramidLevels(raster.widthPx, raster.heightPx);
  const budget = new BlockBudget(QUEUE_BYTES);
  await using resources = new AsyncDisposableStack();
  const temporary: string[] = [];
  resources.defer(async () => {
    await Promise.all(temporary.map(async (path) => rm(path, { force: true })));
  });
  const pass = await openPass(job, levels, async (suffix) => {
    const path = join(options.folder, `${options.name}-${suffix}.blocks`);
    await rm(path, { force: true });
    temporary.push(path);
    return resources.use(await BlockSpool.create(path, levels.length, budget));
  });
  const signal = options.signal ?? new AbortController().signal;
  const targets = { bands: pass.bands, mask: pass.mask?.rows ?? null };
  await readBlockRows(raster, targets, signal, async (firstRow, rowCount) => {
    await finishBlockRow(pass, firstRow, rowCount);
    onRow(firstRow + rowCount);
  });
  const bands: WrittenBand[] = [];
  for (const member of pass.bands) {
    bands.push(await finishBand(pass, member));
  }
  return { bands, mask: await finishMask(pass), validity: pass.validity };
}

async function openPass(job: PassJob, levels: Pass["levels"], openSpool: OpenSpool): Promise<Pass> {
  const { widthPx, heightPx, hasMask } = job.raster;
  const rowPixels = widthPx * Math.min(BLOCK_PX, heightPx);
  const bands: BandWork[] = [];
  for (const index of job.members) bands.push(await openBand(job, index, rowPixels, openSpool));
  return {
    job,
    levels,
    bands,
    mask: hasMask ? await openMask(job, rowPixels, openSpool) : null,
    validity: new ValidityMap(widthPx, heightPx),
    bandValid: new Uint8Array(rowPixels),
    sceneValid: new Uint8Array(rowPixels),
  };
}

async function openBand(job: PassJob, index: number, rowPixels: number, openSpool: OpenSpool): Promise<BandWork> {
  const { raster, options, members } = job;
  const band = raster.bands[index];
  if (band === undefined) throw new RangeError(`got band ${index}, expected one of ${raster.bands.length}`);
  const nodata = representableNodata(band.dataType, band.nodata);
  const spool = await openSpool(`b${index}`);
  const method = options.isClass?.[index] === true ? "mode" : "average";
  const sampleCapacity = Math.min(2 ** 21, 2 ** Math.floor(Math.log2(SAMPLE_VALUES / members.length)));
  return {
    index,
    band,
    nodata,
    rows: newPixels(band.dataType, rowPixels),
    statistics: createStatistics(band.dataType, nodata, sampleCapacity),
    pyramid: new BandPyramid(band.dataType, raster.widthPx, raster.heightPx, method, nodata, spool),
    spool,
    sawNaN: false,
  };
}

async function openMask(job: PassJob, rowPixels: number, openSpool: OpenSpool): Promise<MaskWork> {
  const rows = new Uint8Array(rowPixels);
  if (!job.withMask) return { rows, output: null, hasHoles: false };
  const spool = await openSpool("mask");
  const pyramid = new BandPyramid("uint8", job.raster.widthPx, job.raster.heightPx, "any", null, spool);
  return { rows, output: { spool, pyramid }, hasHoles: false };
}

async function finishBlockRow(pass: Pass, firstRow: number, rowCount: number): Promise<void> {
  const { bands, mask: maskWork, validity, bandValid, sceneValid, job } = pass;
  const count = rowCount * job.raster.widthPx;
  const mask = maskWork === null || allSet(maskWork.rows, count) ? null : maskWork.rows;
  if (maskWork !== null && mask !== null) maskWork.hasHoles = true;
  // Null once some band is valid everywhere.
  let scene: Uint8Array | null = sceneValid;
  sceneValid.fill(0, 0, count);
  for (const member of bands) {
    const valid = validPixels(member, count, mask, bandValid);
    member.statistics.add(member.rows, 0, count, valid);
    if (valid === null) scene = null;
    else if (scene !== null) for (let i = 0; i < count; i++) scene[i] = scene[i]! | valid[i]!;
    await member.pyramid.pushBlockRow(member.rows, valid, rowCount);
  }
  if (maskWork?.output) await maskWork.output.pyramid.pushBlockRow(maskWork.rows, null, rowCount);
  validity.addRows(firstRow, rowCount, scene);
}

async function finishMask({ mask, job, levels }: Pass): Promise<WrittenRaster["mask"]> {
  if (mask === null || mask.output === null) return null;
  await mask.output.spool.finish();
  if (!mask.hasHoles) return null;
  const { transform, crs, options } = job;
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
    mask.output.spool,
  );
  return { path, sizeBytes };
}

async function finishBand({ job, levels }: Pass, member: BandWork): Promise<WrittenBand> {
  const { raster, transform, crs, options } = job;
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
