import type { Projection } from "@swath/kernel/crs/projection";
import type { ModelBand, SceneModel } from "../scene-model.ts";
import type { Block } from "./block.ts";
import type { Surface } from "./surface.ts";
import type { View } from "./view.ts";
import { createProjection } from "@swath/kernel/crs/projection";
import { utmProjString, utmZoneOfEpsg } from "@swath/kernel/crs/utm";
import { blockPxOf, planBlock } from "./block.ts";
import { drawSurface } from "./surface.ts";
import { viewOf } from "./view.ts";

/** What of a model is needed again and again. */
export interface SceneContext {
  readonly model: SceneModel;
  /** Equal for models that look the same. */
  readonly key: string;
  readonly view: View;
  readonly projection: Projection;
  /** Footprint in CRS units, densified; rings of polygons and holes alike, `[x0, y0, x1, y1, …]`. */
  readonly rings: readonly Float64Array[];
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
  const context: SceneContext = {
    model,
    key: JSON.stringify(rest),
    view: viewOf(model),
    projection,
    rings: model.footprint.coordinates.flatMap((polygon) =>
      polygon.map((ring) => projectRing(ring, projection, zone === null ? middle : null)),
    ),
  };
  contexts.set(model, context);
  return context;
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

/** Pixels of one row whose middles are inside the footprint, 1 each, from `firstColumn` on. */
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
}

/** Bytes of drawn blocks that are kept for the next band or row. */
const CACHE_BYTES = 128 * 1024 * 1024;
const surfaces = new Map<string, Surface>();
let cachedBytes = 0;

export function gridKey(band: ModelBand): string {
  return `${band.originX},${band.originY},${band.pixelSizeX},${band.pixelSizeY},${band.widthPx},${band.heightPx}`;
}

/** A block of a scene in the grid of one of its bands, drawn or remembered. */
export function surfaceOf(context: SceneContext, band: ModelBand, blockColumn: number, blockRow: number): Surface {
  const key = `${context.key}|${gridKey(band)}|${blockColumn},${blockRow}`;
  const known = surfaces.get(key);
  if (known !== undefined) {
    surfaces.delete(key);
    surfaces.set(key, known);
    return known;
  }
  const surface = drawSurface(blockOf(context, band, blockColumn, blockRow), context.view);
  surfaces.set(key, surface);
  cachedBytes += surface.bytes;
  for (const [oldest, { bytes }] of surfaces) {
    if (cachedBytes <= CACHE_BYTES || oldest === key) break;
    surfaces.delete(oldest);
    cachedBytes -= bytes;
  }
  return surface;
}

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
