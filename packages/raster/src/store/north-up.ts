import { isGeographic, createProjection } from "@swath/kernel/crs/projection";
import { epsgOfUtmZone, utmName, utmProjString, utmZoneAt } from "@swath/kernel/crs/utm";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import { isNorthUp, planFromAffine, planFromGroundPoints } from "@swath/kernel/raster-mathematics/warp-plan";
import type { WarpPlan } from "@swath/kernel/raster-mathematics/warp-plan";
import { requireCrs } from "../crs/require-crs.ts";
import { requireExtent, requireGroundPoints } from "../crs/require-extent.ts";
import { RasterError } from "../raster-error.ts";
import type { GroundControlPoint, SourceCrs, SourceRaster } from "../source-raster.ts";
import { warpRaster } from "./warp-raster.ts";

export interface NorthUpRaster extends AsyncDisposable {
  readonly raster: SourceRaster;
  readonly transform: Affine;
  readonly crs: SourceCrs;
  /** How far ground control points disagree with each other, source pixels; 0 without them. */
  readonly residualPx: number;
}

export interface NorthUpOptions {
  /** For messages. */
  readonly name: string;
  readonly spoolPath: string;
  readonly isClass: readonly boolean[];
  readonly signal: AbortSignal;
}

/** UTM is left where its scale error becomes visible or zones end. */
const UTM_MAX_LAT_DEG = 84;
const UTM_MAX_WIDTH_DEG = 12;
/** Control points that miss each other by more than this share of the diagonal do not describe one image. */
const MAX_RESIDUAL_SHARE = 0.05;
const WGS84: SourceCrs = {
  epsg: 4326,
  proj4: "+proj=longlat +datum=WGS84 +no_defs",
  name: "WGS 84",
  datumShiftKnown: true,
};

/**
 * The raster itself when it is north-up, else the raster warped to a north-up grid. A rotated or mirrored raster keeps
 * its CRS. A raster with control points in longitude and latitude gets the UTM zone of its centre. Near the
 * poles and for very wide images it gets EPSG:4326.
 *
 * @throws {RasterError} unsupported without CRS or position; unreadable when the position is no place on Earth.
 * No pixel is read before
 */
export async function northUp(raster: SourceRaster, options: NorthUpOptions): Promise<NorthUpRaster> {
  const { georeference } = raster;
  const crs = requirePlace(raster, options.name);
  if (georeference.kind === "affine" && isNorthUp(georeference.transform)) {
    return { raster, transform: georeference.transform, crs, residualPx: 0, async [Symbol.asyncDispose]() {} };
  }
  const target =
    georeference.kind === "gcps" ? groundPoints(georeference.points, crs, options.name) : { crs, points: [] };
  const plan = planOf(raster, target.points, options.name);
  requireExtent(options.name, target.crs, plan);
  const warped = await warpRaster(raster, plan, {
    spoolPath: options.spoolPath,
    crs: target.crs,
    isClass: options.isClass,
    signal: options.signal,
  });
  return {
    raster: warped,
    transform: plan.transform,
    crs: target.crs,
    residualPx: plan.residualPx,
    [Symbol.asyncDispose]: async () => warped[Symbol.asyncDispose](),
  };
}

/**
 * The CRS of a raster whose pixels lie within it.
 *
 * @throws {RasterError} unsupported without CRS or position; unreadable when the position is no place on Earth
 */
export function requirePlace(
  raster: Pick<SourceRaster, "crs" | "georeference" | "heightPx" | "widthPx">,
  name: string,
): SourceCrs {
  const { georeference, heightPx, widthPx } = raster;
  const crs = requireCrs(raster, name);
  if (georeference.kind === "affine") {
    requireExtent(name, crs, { widthPx, heightPx, transform: georeference.transform });
  }
  if (georeference.kind === "gcps") requireGroundPoints(name, crs, georeference.points);
  return crs;
}

function planOf(raster: SourceRaster, points: readonly GroundControlPoint[], name: string): WarpPlan {
  const { widthPx, heightPx, georeference } = raster;
  try {
    if (georeference.kind === "affine") return planFromAffine(georeference.transform, widthPx, heightPx);
    const plan = planFromGroundPoints(points, widthPx, heightPx);
    const limit = Math.hypot(widthPx, heightPx) * MAX_RESIDUAL_SHARE;
    if (plan.residualPx > limit) {
      throw new RasterError(
        "unreadable",
        `ground control points of ${name} contradict each other by ${plan.residualPx.toFixed(1)} pixels, expected at most ${limit.toFixed(1)}`,
      );
    }
    return plan;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RasterError("unreadable", `${name} cannot be placed: ${cause.message}`, { cause });
  }
}

/** Control points in the CRS of the grid to make. */
function groundPoints(
  points: readonly GroundControlPoint[],
  crs: SourceCrs,
  name: string,
): { readonly crs: SourceCrs; readonly points: readonly GroundControlPoint[] } {
  if (!isGeographic(crs.proj4)) return { crs, points };
  const first = points[0];
  if (first === undefined) throw new RasterError("unreadable", `${name} has no ground control points`);
  try {
    const geographic = createProjection(crs.proj4);
    const lonLat = points.map((point) => {
      const [lon, lat] = geographic.inverse(point.x, point.y);
      // Continuous across the antimeridian.
      return { ...point, x: lon + 360 * Math.round((first.x - lon) / 360), y: lat };
    });
    const [lons, lats] = [lonLat.map(({ x }) => x), lonLat.map(({ y }) => y)];
    const [west, east] = [Math.min(...lons), Math.max(...lons)];
    const [south, north] = [Math.min(...lats), Math.max(...lats)];
    if (Math.max(Math.abs(south), Math.abs(north)) > UTM_MAX_LAT_DEG || east - west > UTM_MAX_WIDTH_DEG) {
      return { crs: WGS84, points: lonLat };
    }
    const zone = utmZoneAt((west + east) / 2, (south + north) / 2);
    const utm = createProjection(utmProjString(zone));
    return {
      crs: { epsg: epsgOfUtmZone(zone), proj4: utmProjString(zone), name: utmName(zone), datumShiftKnown: true },
      points: lonLat.map((point) => {
        const [x, y] = utm.forward(point.x, point.y);
        return { ...point, x, y };
      }),
    };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RasterError("unreadable", `ground control points of ${name} are no places on Earth: ${cause.message}`, {
      cause,
    });
  }
}
