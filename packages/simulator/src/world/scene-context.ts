import type { Projection } from "@swath/kernel/crs/projection";
import type { ModelBand, SceneModel } from "../scene-model.ts";
import type { Block } from "./block.ts";
import type { ScanLines } from "./scan-line-gaps.ts";
import type { View } from "./view.ts";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { blockPxOf, planBlock } from "./block.ts";
import { COVER_PALETTE, hasColour, isThermal, paletteOf } from "./palette.ts";
import { cutGaps, scanLinesOf } from "./scan-line-gaps.ts";
import { drawSurface } from "./surface.ts";
import { viewOf } from "./view.ts";

/** Values of a model that every block needs. */
export interface SceneContext {
  readonly model: SceneModel;
  /** Equal for models that look the same. */
  readonly key: string;
  readonly view: View;
  readonly projection: Projection;
  /** Footprint in CRS units, densified; rings of polygons and holes alike, `[x0, y0, x1, y1, …]`. */
  readonly rings: readonly Float64Array[];
  /** Where the scan lines leave gaps; null where there are none. */
  readonly scanLines: ScanLines | null;
  /** Colours that were asked for, by grid. */
  readonly coloursRead: Map<string, Set<string>>;
}

const contexts = new WeakMap<SceneModel, SceneContext>();
const LONGLAT = "+proj=longlat +datum=WGS84 +no_defs";
/** Edges are straight in longitude and latitude and bend a little in the plane of the scene. */
const PARTS_PER_EDGE = 8;

export function contextOf(model: SceneModel): SceneContext {
  const known = contexts.get(model);
  if (known !== undefined) return known;
  const zone = utmZoneOfEpsg(model.crsEpsg);
  if (zone === null && model.crsEpsg !== 4326) {
    throw new RangeError(`a simulated scene is in a WGS84 UTM zone or EPSG:4326, got EPSG:${model.crsEpsg}`);
  }
  const projection = createProjection(zone === null ? LONGLAT : utmProjString(zone));
  const { bands, ...rest } = model;
  const middle = bands[0] === undefined ? 0 : bands[0].originX + (bands[0].widthPx * bands[0].pixelSizeX) / 2;
  const rings = model.footprint.coordinates.flatMap((polygon) =>
    polygon.map((ring) => projectRing(ring, projection, zone === null ? middle : null)),
  );
  const context: SceneContext = {
    model,
    key: shortKey(JSON.stringify(rest)),
    view: viewOf(model),
    projection,
    coloursRead: new Map(),
    rings,
    scanLines: scanLinesOf(model, rings, model.footprint.coordinates[0]?.[0]?.[0]?.[1] ?? 0),
  };
  contexts.set(model, context);
  return context;
}

/** Models described alike share a short key: it is part of many more. */
const keys = new Map<string, string>();
const KEYS_KEPT = 1000;
let lastKey = 0;

function shortKey(description: string): string {
  const known = keys.get(description);
  if (known !== undefined) return known;
  if (keys.size >= KEYS_KEPT) {
    const [oldest] = keys.keys();
    if (oldest !== undefined) keys.delete(oldest);
  }
  lastKey += 1;
  const key = String(lastKey);
  keys.set(description, key);
  return key;
}

function projectRing(
  ring: readonly (readonly number[])[],
  projection: Projection,
  middleDeg: number | null,
): Float64Array {
  const out = new Float64Array((ring.length - 1) * PARTS_PER_EDGE * 2);
  // A ring may lie on the other side of the antimeridian than the grid, all of it.
  const turn = middleDeg === null ? 0 : 360 * Math.round((middleDeg - middleLonDeg(ring)) / 360);
  let at = 0;
  for (let i = 0; i + 1 < ring.length; i += 1) {
    const [lonA = 0, latA = 0] = ring[i]!;
    const [lonB = 0, latB = 0] = ring[i + 1]!;
    for (let part = 0; part < PARTS_PER_EDGE; part += 1) {
      const t = part / PARTS_PER_EDGE;
      const [x, y] = projection.forward(lonA + (lonB - lonA) * t, latA + (latB - latA) * t);
      out[at] = x + turn;
      out[at + 1] = y;
      at += 2;
    }
  }
  return out;
}

function middleLonDeg(ring: readonly (readonly number[])[]): number {
  const longitudes = ring.map(([lonDeg = 0]) => lonDeg);
  return (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
}

/** Pixels of one row whose middles are inside the footprint and not in a gap between scan lines, 1 each, from `firstColumn` on. */
export function insideRow(
  context: SceneContext,
  band: ModelBand,
  row: number,
  firstColumn: number,
  out: Uint8Array,
): void {
  out.fill(0);
  const y = band.originY + (row + 0.5) * band.pixelSizeY;
  const crossings: number[] = [];
  for (const ring of context.rings) {
    let px = ring[ring.length - 2]!;
    let py = ring[ring.length - 1]!;
    for (let i = 0; i < ring.length; i += 2) {
      const qx = ring[i]!;
      const qy = ring[i + 1]!;
      if (py <= y !== qy <= y) crossings.push(px + ((y - py) * (qx - px)) / (qy - py));
      px = qx;
      py = qy;
    }
  }
  const columns = crossings
    .map((x) => (x - band.originX) / band.pixelSizeX - 0.5 - firstColumn)
    .toSorted((a, b) => a - b);
  for (let i = 0; i + 1 < columns.length; i += 2) {
    out.fill(1, Math.max(0, Math.ceil(columns[i]!)), Math.max(0, Math.ceil(columns[i + 1]!)));
  }
  if (context.scanLines !== null) cutGaps(context.scanLines, band, row, firstColumn, out);
}

/** Bytes of drawn blocks that are kept for the next band or row: a stripe of four bands, 32 000 pixels wide. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** The values of a block that bands are made of. */
export interface DrawnBand {
  readonly columns: number;
  readonly rows: number;
  /** Numbers of bands alternate: the number of a pixel is at `pixel * channels + channel`. */
  readonly values: Uint16Array | Float32Array;
  readonly channels: number;
  readonly channel: number;
  /** Codes of COVER, under the clouds; only with bands that are made of it. */
  readonly cover: Uint8Array;
  /** Opacity of clouds, 0 to 255; null where there are none, and with bands that are made of colour alone. */
  readonly cloud: Uint8Array | null;
}

interface DrawnBlock {
  /** By `colourKey`. */
  readonly bands: Map<string, DrawnBand>;
  bytes: number;
}

const surfaces = new Map<string, DrawnBlock>();
let cachedBytes = 0;

function gridKey(band: ModelBand): string {
  return `${band.originX},${band.originY},${band.pixelSizeX},${band.pixelSizeY},${band.widthPx},${band.heightPx}`;
}

/** Equal for bands of one view that are made of the same colour; bands of land cover need none. */
function colourKey(band: ModelBand): string {
  return hasColour(band) ? `${band.role} ${band.wavelengthNm}` : "cover";
}

/**
 * A block of one band of a scene, drawn or remembered. As long as one band is read, only that is drawn; with the second,
 * all that share its grid are drawn at once.
 */
export function surfaceOf(context: SceneContext, band: ModelBand, blockColumn: number, blockRow: number): DrawnBand {
  const grid = gridKey(band);
  const colour = colourKey(band);
  const key = `${context.key}|${grid}|${blockColumn},${blockRow}`;
  const block = surfaces.get(key) ?? { bands: new Map<string, DrawnBand>(), bytes: 0 };
  surfaces.delete(key);
  surfaces.set(key, block);
  const known = block.bands.get(colour);
  if (known !== undefined) return known;
  const read = (context.coloursRead.get(grid) ?? new Set<string>()).add(colour);
  context.coloursRead.set(grid, read);
  const missing = new Map([[colour, band]]);
  if (read.size > 1) {
    for (const other of context.model.bands) {
      const otherColour = colourKey(other);
      if (!block.bands.has(otherColour) && gridKey(other) === grid) missing.set(otherColour, other);
    }
  }
  drawBands(context, missing, blockColumn, blockRow, block);
  for (const [oldest, { bytes }] of surfaces) {
    if (cachedBytes <= CACHE_BYTES || oldest === key) break;
    surfaces.delete(oldest);
    cachedBytes -= bytes;
  }
  return block.bands.get(colour)!;
}

/** Draws bands of one grid, by their colours. */
function drawBands(
  context: SceneContext,
  bands: ReadonlyMap<string, ModelBand>,
  blockColumn: number,
  blockRow: number,
  into: DrawnBlock,
): void {
  const all = [...bands.values()];
  const coloured = all.filter((band) => hasColour(band));
  const palette = coloured.length === 0 ? COVER_PALETTE : paletteOf(context.model, coloured);
  const surface = drawSurface(blockOf(context, all[0]!, blockColumn, blockRow), context.view, palette);
  const { columns, rows, channels, values } = surface;
  const ofCover = all.some((band) => !hasColour(band) || isThermal(band));
  const cover = ofCover ? surface.cover.slice() : NO_COVER;
  const cloud = ofCover && surface.cloud !== null ? surface.cloud.slice() : null;
  for (const [colour, band] of bands) {
    into.bands.set(colour, { columns, rows, values, channels, channel: coloured.indexOf(band), cover, cloud });
  }
  const bytes = values.byteLength + cover.byteLength + (cloud?.byteLength ?? 0);
  into.bytes += bytes;
  cachedBytes += bytes;
}

const NO_COVER = new Uint8Array(0);

const PLANES_KEPT = 64;
const planes = new Map<string, Float32Array>();

/** The values of an environmental band in a block, made or remembered. */
export function planeOf(
  context: SceneContext,
  band: ModelBand,
  blockColumn: number,
  blockRow: number,
  make: () => Float32Array,
): Float32Array {
  const key = `${context.key}|${gridKey(band)}|${band.meaning}|${blockColumn},${blockRow}`;
  const known = planes.get(key);
  if (known !== undefined) return known;
  const plane = make();
  if (planes.size >= PLANES_KEPT) {
    const [oldest] = planes.keys();
    if (oldest !== undefined) planes.delete(oldest);
  }
  planes.set(key, plane);
  return plane;
}

/** Blocks remembered from earlier drawings are forgotten. */
export function forgetSurfaces(): void {
  surfaces.clear();
  planes.clear();
  cachedBytes = 0;
}

export function blockOf(context: SceneContext, band: ModelBand, blockColumn: number, blockRow: number): Block {
  return planBlock(band, context.projection, blockColumn, blockRow);
}

/** Blocks that a window touches: first and last column, first and last row. */
export function blocksOf(
  band: ModelBand,
  firstColumn: number,
  firstRow: number,
  columns: number,
  rows: number,
): readonly number[] {
  const blockPx = blockPxOf(band);
  return [
    Math.floor(firstColumn / blockPx),
    Math.floor((firstColumn + columns - 1) / blockPx),
    Math.floor(firstRow / blockPx),
    Math.floor((firstRow + rows - 1) / blockPx),
  ];
}
