import { controlGridProjection } from "@swath/kernel/crs/control-grid";
import { createProjection, isGeographic, parseProjString, type Projection } from "@swath/kernel/crs/projection";
import { applyAffine, type Affine } from "@swath/kernel/raster-mathematics/affine";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { LRUCache } from "lru-cache";
import { RasterError } from "../raster-error.ts";

/** Where the pixels of a scene are on Earth. */
export interface SceneGeometry {
  /** Scene CRS coordinates of a longitude and latitude near the scene; null where there are none. */
  readonly toCrs: (lonDeg: number, latDeg: number) => readonly [x: number, y: number] | null;
  readonly centreLonDeg: number;
  readonly centreLatDeg: number;
  /** Bounds of the pixels; `eastDeg` may exceed 180 and `westDeg` fall below -180. */
  readonly westDeg: number;
  readonly southDeg: number;
  readonly eastDeg: number;
  readonly northDeg: number;
}

/** Border points per side: between two of them the edge of a scene bends by less than a thousandth of its size. */
const BORDER_POINTS = 24;

const geometries = new LRUCache<string, SceneGeometry>({ max: 256 });

/** @throws {RasterError} unreadable when the scene's coordinates have no longitude and latitude */
export function sceneGeometry(raster: StoredRaster): SceneGeometry {
  const name = JSON.stringify([
    raster.proj4,
    raster.controlGrid?.bounds ?? null,
    raster.controlGrid?.x[0] ?? null,
    raster.bands.map((band) => [band.widthPx, band.heightPx, band.geotransform]),
  ]);
  const known = geometries.get(name);
  if (known !== undefined) return known;
  const geometry = measure(raster);
  geometries.set(name, geometry);
  return geometry;
}

function measure(raster: StoredRaster): SceneGeometry {
  const projection =
    raster.controlGrid === null ? createProjection(raster.proj4) : controlGridProjection(raster.controlGrid);
  const first = raster.bands[0];
  if (first === undefined) throw new RasterError("unreadable", "the scene has no bands, expected at least one");
  const middle = applyAffine(first.geotransform, first.widthPx / 2, first.heightPx / 2);
  const centre = inverseOrNull(projection, middle[0], middle[1]);
  if (centre === null) {
    throw new RasterError("unreadable", "the scene's coordinates have no longitude and latitude");
  }
  const period = horizontalPeriod(raster);
  const toCrs = (lonDeg: number, latDeg: number): readonly [number, number] | null => {
    const lon = lonDeg + 360 * Math.round((centre[0] - lonDeg) / 360);
    const point = forwardOrNull(projection, lon, latDeg);
    if (point === null || period === null) return point;
    return [point[0] + period * Math.round((middle[0] - point[0]) / period), point[1]];
  };
  return { toCrs, centreLonDeg: centre[0], centreLatDeg: centre[1], ...bounds(raster, projection, centre[0], toCrs) };
}

/** Length of a turn around the Earth in CRS units, for CRSs in which a scene may cross the antimeridian. */
function horizontalPeriod(raster: StoredRaster): number | null {
  if (raster.controlGrid !== null || isGeographic(raster.proj4)) return null;
  const parameters = parseProjString(raster.proj4);
  return parameters.get("proj") === "merc" ? 2 * Math.PI * Number(parameters.get("a") ?? 6_378_137) : null;
}

function bounds(
  raster: StoredRaster,
  projection: Projection,
  centreLonDeg: number,
  toCrs: SceneGeometry["toCrs"],
): Pick<SceneGeometry, "westDeg" | "southDeg" | "eastDeg" | "northDeg"> {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const grids = new Map(
    raster.bands.map((band) => [`${band.widthPx}:${band.heightPx}:${band.geotransform.join(":")}`, band]),
  );
  for (const { geotransform, widthPx, heightPx } of grids.values()) {
    for (const [column, row] of borderPoints(widthPx, heightPx)) {
      const [x, y] = applyAffine(geotransform, column, row);
      const point = inverseOrNull(projection, x, y);
      if (point === null) continue;
      const lon = point[0] + 360 * Math.round((centreLonDeg - point[0]) / 360);
      west = Math.min(west, lon);
      east = Math.max(east, lon);
      south = Math.min(south, point[1]);
      north = Math.max(north, point[1]);
    }
    for (const pole of [-89.999_999, 89.999_999]) {
      const point = isGeographic(raster.proj4) ? null : toCrs(centreLonDeg, pole);
      if (point === null || !contains(geotransform, widthPx, heightPx, point)) continue;
      [west, east] = [centreLonDeg - 180, centreLonDeg + 180];
      if (pole < 0) south = -90;
      else north = 90;
    }
  }
  if (!(east >= west)) {
    throw new RasterError("unreadable", "the scene's edges have no longitude and latitude");
  }
  return { westDeg: west, southDeg: south, eastDeg: east, northDeg: north };
}

function* borderPoints(widthPx: number, heightPx: number): Iterable<readonly [column: number, row: number]> {
  for (let i = 0; i <= BORDER_POINTS; i++) {
    const column = (widthPx * i) / BORDER_POINTS;
    const row = (heightPx * i) / BORDER_POINTS;
    yield [column, 0];
    yield [column, heightPx];
    yield [0, row];
    yield [widthPx, row];
  }
}

function contains(geotransform: Affine, widthPx: number, heightPx: number, [x, y]: readonly [number, number]): boolean {
  const column = (x - geotransform[2]) / geotransform[0];
  const row = (y - geotransform[5]) / geotransform[4];
  return column >= 0 && column <= widthPx && row >= 0 && row <= heightPx;
}

function forwardOrNull(projection: Projection, lonDeg: number, latDeg: number): readonly [number, number] | null {
  try {
    return projection.forward(lonDeg, latDeg);
  } catch {
    return null;
  }
}

function inverseOrNull(projection: Projection, x: number, y: number): readonly [number, number] | null {
  try {
    return projection.inverse(x, y);
  } catch {
    return null;
  }
}
