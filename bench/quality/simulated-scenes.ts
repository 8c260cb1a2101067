import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { scenesBetween } from "../../packages/simulator/src/constellation/catalogue.ts";
import type { SceneModel } from "../../packages/simulator/src/scene-model.ts";
import { cloudCoverOf, groundTruth } from "../../packages/simulator/src/world/render.ts";
import type { GroundTruth } from "../../packages/simulator/src/world/ground-truth.ts";

/** A square of ground. */
export interface Place {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly sideM: number;
}

export interface SceneWish extends Place {
  readonly provider: string;
  readonly dataset: string;
  /** Search begins there and goes to later times, `days` at most. */
  readonly fromMs: number;
  readonly days?: number;
  /** Share of the square that clouds may cover. */
  readonly clouds?: { readonly from: number; readonly to: number };
  /** Further wishes of the scene. */
  readonly accepts?: (model: SceneModel) => boolean;
}

const DAY_MS = 86_400_000;
const METRES_PER_DEGREE = 111_320;
/** Share of the square that the scene has to have: orbits repeat, and with them the edges of scenes. */
const COVERED = 0.75;
/** Pixels that a square's clouds are judged on. */
const CLOUD_SIDE_PX = 64;

export function squareOf({ lonDeg, latDeg, sideM }: Place): MultiPolygon {
  const dLat = sideM / 2 / METRES_PER_DEGREE;
  const dLon = dLat / Math.cos((latDeg * Math.PI) / 180);
  const [west, east, south, north] = [lonDeg - dLon, lonDeg + dLon, latDeg - dLat, latDeg + dLat];
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

/** Scenes of the simulated constellation that cover the square and fit the wish, newest first. */
export function wishedScenes(wish: SceneWish, count: number): readonly SceneModel[] {
  const extent = squareOf(wish);
  const whole = areaKm2(extent);
  const dLat = wish.sideM / 2 / METRES_PER_DEGREE;
  const dLon = dLat / Math.cos((wish.latDeg * Math.PI) / 180);
  const fits: SceneModel[] = [];
  const found = scenesBetween({
    provider: wish.provider,
    dataset: wish.dataset,
    boxes: [[wish.lonDeg - dLon, wish.latDeg - dLat, wish.lonDeg + dLon, wish.latDeg + dLat]],
    fromMs: wish.fromMs,
    toMs: wish.fromMs + (wish.days ?? 200) * DAY_MS,
    nowMs: Date.UTC(2026, 0, 1),
  });
  for (const model of found) {
    if (fits.length >= count) break;
    if (areaKm2(intersection(extent, model.footprint)) < COVERED * whole) continue;
    if (wish.accepts?.(model) === false) continue;
    const { from, to } = wish.clouds ?? { from: 0, to: 0.02 };
    if (model.datasetType === "optical") {
      const cover = cloudCoverOf(around(model, wish));
      if (cover < from || cover > to) continue;
    }
    fits.push(model);
  }
  return fits;
}

/** The model cut down to a coarse grid over the square, to judge its clouds. */
function around(model: SceneModel, place: Place): SceneModel {
  return { ...model, footprint: squareOf(place), sceneId: `${model.sceneId}#${CLOUD_SIDE_PX}` };
}

/** What is truly on the ground of every pixel of a result. */
export function truthOf(model: SceneModel, grid: StoredBand): GroundTruth {
  const [finest] = model.bands.toSorted((a, b) => a.pixelSizeX - b.pixelSizeX);
  if (finest === undefined) throw new RangeError("a scene without bands has no ground truth");
  const [pixelSizeX, , originX, , pixelSizeY, originY] = grid.geotransform;
  const { widthPx, heightPx } = grid;
  const band = { ...finest, originX, originY, pixelSizeX, pixelSizeY, widthPx, heightPx };
  return groundTruth(
    { ...model, sceneId: `${model.sceneId}#truth`, bands: [band] },
    { column: 0, row: 0, columns: widthPx, rows: heightPx },
  );
}
