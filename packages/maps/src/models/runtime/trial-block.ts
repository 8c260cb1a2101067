import { basename } from "node:path";
import type { SourceRaster } from "@swath/raster/source-raster";
import type { BandMetadata } from "@swath/raster/scene-metadata/scene-metadata";
import { readSceneMetadata } from "@swath/raster/scene-metadata/read-scene-metadata";
import { fileSource } from "@swath/raster/tiff/byte-sources";
import { openTiff } from "@swath/raster/tiff/open";
import type { AnalysisBlock, PixelRect } from "../../analysis/block.ts";
import { bandPosition } from "../band-position.ts";
import { channelCount, type ModelManifest } from "../model-manifest.ts";
import { modelMarginPx } from "../run-model.ts";

/** Pixels for a trial of a model. */
export interface TrialBlock {
  readonly block: AnalysisBlock;
  /** Stored values per channel that become 0 and 255. */
  readonly ranges: readonly (readonly [low: number, high: number])[];
}

/** A GeoTIFF of a scene. */
export interface TrialScene {
  readonly path: string;
  /** Names of the bands, between commas; the file's unless given. */
  readonly bands: string | undefined;
  readonly sensor: string | undefined;
}

/** Side of the pixels that are tried, at most. */
const SIDE_PX = 512;
/** Side of the zeros for a model of rows. */
const ZEROS_PX = 64;
const METRES_PER_DEGREE = 111_320;

/** Zeros in every channel: one tile, or 64 x 64 rows. */
export function zeroBlock(manifest: ModelManifest): TrialBlock {
  const [height, width] = manifest.input.form === "rows" ? [ZEROS_PX, ZEROS_PX] : manifest.input.size;
  const core = { column: 0, row: 0, columns: width, rows: height };
  const rect = withMargin(core, manifest);
  const planes = Array.from({ length: channelCount(manifest) }, () => new Float32Array(rect.columns * rect.rows));
  return trialOf(manifest, core, rect, planes, manifest.gsd.train);
}

/**
 * The middle of a scene, which stands for each date of the model. A text when the scene does not suit the model.
 *
 * @throws {RasterError} when the file cannot be read
 */
export async function sceneBlock(
  manifest: ModelManifest,
  { path, bands, sensor }: TrialScene,
  signal: AbortSignal,
): Promise<TrialBlock | string> {
  await using source = await fileSource(path);
  await using raster = await openTiff(source);
  const name = basename(path);
  const metadata = await readSceneMetadata(
    {
      name,
      rasters: [{ name, raster }],
      document: null,
      ...(bands === undefined ? {} : { bands }),
      ...(sensor === undefined ? {} : { sensor }),
      ingestedAt: new Date(0),
    },
    signal,
  );
  const roles = metadata.bands.map(({ role }) => role);
  const positions = manifest.bands.map((band) => bandPosition(band, roles));
  const missing = manifest.bands.filter((_, index) => positions[index] === undefined);
  if (missing.length > 0) {
    const known = metadata.bands.map(({ names }) => names[0]).join(", ");
    return `${path} lacks ${missing.join(", ")}: its bands are ${known}; --bands names them`;
  }
  const pixelM = pixelSizeM(raster);
  const { min, max } = manifest.gsd;
  if (pixelM !== null && (pixelM < min || pixelM > max)) {
    return `${path} has pixels of ${pixelM.toFixed(2)} m, expected ${min} to ${max} m as the manifest says`;
  }
  const core = middleOf(raster);
  const rect = withMargin(core, manifest);
  const chosen = positions.flatMap((position) => metadata.bands[position ?? -1] ?? []);
  const read = await readPlanes(raster, chosen, manifest, rect, signal);
  const planes = Array.from({ length: manifest.dates }, () => read).flat();
  return trialOf(manifest, core, rect, planes, pixelM ?? manifest.gsd.train);
}

function withMargin({ columns, rows }: PixelRect, manifest: ModelManifest): PixelRect {
  const marginPx = modelMarginPx(manifest);
  return { column: -marginPx, row: -marginPx, columns: columns + 2 * marginPx, rows: rows + 2 * marginPx };
}

function trialOf(
  manifest: ModelManifest,
  core: PixelRect,
  rect: PixelRect,
  planes: readonly Float32Array[],
  pixelM: number,
): TrialBlock {
  const bands = manifest.bands.length;
  const scenes = Array.from({ length: manifest.dates }, (_, date) => planes.slice(date * bands, (date + 1) * bands));
  const ground = { metresPerPixelX: pixelM, metresPerPixelY: pixelM, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return {
    block: { rect, core: { ...core, column: 0, row: 0 }, scenes, land: null, ground },
    ranges: planes.map(percentiles),
  };
}

function middleOf({ widthPx, heightPx }: SourceRaster): PixelRect {
  const [columns, rows] = [Math.min(SIDE_PX, widthPx), Math.min(SIDE_PX, heightPx)];
  return { column: Math.floor((widthPx - columns) / 2), row: Math.floor((heightPx - rows) / 2), columns, rows };
}

/** Null when the file has no grid. */
function pixelSizeM({ georeference, crs }: SourceRaster): number | null {
  if (georeference.kind !== "affine" || crs === null) return null;
  const [size] = georeference.transform;
  return Math.abs(size) * (crs.proj4.includes("+proj=longlat") ? METRES_PER_DEGREE : 1);
}

/** Planes of the middle with the margin around it; NaN outside the scene and where it has no data. */
async function readPlanes(
  raster: SourceRaster,
  bands: readonly BandMetadata[],
  manifest: ModelManifest,
  rect: PixelRect,
  signal: AbortSignal,
): Promise<readonly Float32Array[]> {
  const middle = middleOf(raster);
  const [left, top] = [middle.column + rect.column, middle.row + rect.row];
  const first = Math.max(0, top);
  const rows = Math.min(raster.heightPx, top + rect.rows) - first;
  const pixels = await raster.readRows(first, rows, signal);
  const mask = await raster.readMask(first, rows, signal);
  return bands.map((band) => {
    const plane = new Float32Array(rect.columns * rect.rows).fill(Number.NaN);
    const values = pixels[band.band];
    if (values === undefined) return plane;
    const isReflectance = manifest.input.valueRange === "reflectance" && band.reflectanceMult !== undefined;
    const [gain, offset] = isReflectance ? [band.reflectanceMult ?? 1, band.reflectanceAdd ?? 0] : [1, 0];
    for (let row = 0; row < rows; row++) {
      for (let column = Math.max(0, left); column < Math.min(raster.widthPx, left + rect.columns); column++) {
        const from = row * raster.widthPx + column;
        const value = values[from] ?? Number.NaN;
        if (value === band.nodata || mask?.[from] === 0) continue;
        plane[(first + row - top) * rect.columns + column - left] = value * gain + offset;
      }
    }
    return plane;
  });
}

/** The 0.5th and the 99.5th percentile of the numbers; 0 and 255 without any. */
function percentiles(plane: Float32Array): readonly [low: number, high: number] {
  const sorted = plane.filter((value) => !Number.isNaN(value)).toSorted();
  if (sorted.length === 0) return [0, 255];
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return [at(0.005), at(0.995)];
}
