import { createProjection, isGeographic, parseProjString, type Projection } from "@swath/kernel/crs/projection";
import { type Affine, applyAffine } from "@swath/kernel/raster-mathematics/affine";
import { RasterError } from "../raster-error.ts";
import type { GroundControlPoint, SourceCrs } from "../source-raster.ts";

/** A grid of pixels in its CRS. */
export interface PixelGrid {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly transform: Affine;
}

/** Positions along each axis of a grid, from edge to edge. */
const SAMPLES = 16;
/** Once around the Earth and some more: no projection in use puts a place farther from its false origin. */
const MAX_REACH_M = 45_000_000;
/** Transverse Mercator is a stripe: 45 degrees from the central meridian at the equator are 5,600 km. */
const MAX_TRANSVERSE_REACH_M = 6_000_000;
/** A grid from 0 to 360 degrees and one across the antimeridian are both common. */
const MAX_LONGITUDE_DEG = 540;
/** Rounding of coordinates in decimal text. */
const ANGLE_TOLERANCE_DEG = 1e-6;
/** Corners of pixels of less than this share of their coordinate are one number in double precision. */
const MIN_PIXEL_SHARE = 8 * Number.EPSILON;
/** A hundredth of the least area that is sold; the exact check follows the pixels. */
const MIN_AREA_M2 = 0.01;
/** A place that is projected back has to come this close, or within two pixels. */
const RETURN_TOLERANCE_M = 100;
const METRES_PER_DEGREE = 111_320;
const UNIT_M: Readonly<Record<string, number>> = { m: 1, km: 1000, ft: 0.3048, "us-ft": 1200 / 3937 };

/**
 * Checks that a grid lies on the Earth: its corners are finite and within its CRS, its pixels are neither smaller than
 * their coordinates resolve nor larger than the planet. Reads no pixel.
 *
 * @throws {RasterError} unreadable with the value that is wrong; unsupported when the grid covers next to nothing
 */
export function requireExtent(name: string, crs: SourceCrs, grid: PixelGrid): void {
  const plane = planeOf(crs);
  requirePixelSize(name, plane, grid);
  const points = lattice(grid);
  const pixel = pixelSizes(grid.transform);
  for (const [x, y] of points) requirePosition(name, crs, plane, x, y, pixel.y / 2);
  if (plane.geographic) {
    const lons = points.map(([x]) => x);
    const widthDeg = Math.max(...lons) - Math.min(...lons);
    if (widthDeg > 360 + 2 * pixel.x) {
      throw refuse(name, `is ${shown(widthDeg)} degrees wide, expected at most 360`);
    }
  } else requireReturn(name, crs, plane, points, Math.max(pixel.x, pixel.y));
}

/**
 * Checks that ground control points lie on the Earth, within their CRS.
 *
 * @throws {RasterError} unreadable with the position of the first that does not
 */
export function requireGroundPoints(name: string, crs: SourceCrs, points: readonly GroundControlPoint[]): void {
  const plane = planeOf(crs);
  for (const { x, y } of points) requirePosition(name, crs, plane, x, y, 0);
}

/** The plane of a CRS: its unit, its false origin and how far it reaches. */
interface Plane {
  readonly geographic: boolean;
  readonly unitM: number;
  readonly falseEastingM: number;
  readonly falseNorthingM: number;
  readonly reachM: { readonly x: number; readonly y: number };
}

function planeOf({ proj4 }: SourceCrs): Plane {
  const parameters = parseProjString(proj4);
  const number = (key: string): number => Number(parameters.get(key) ?? 0) || 0;
  const transverse = /^(?:utm|e?tmerc)$/.test(parameters.get("proj") ?? "");
  const geographic = isGeographic(proj4);
  return {
    geographic,
    unitM: geographic ? METRES_PER_DEGREE : number("to_meter") || (UNIT_M[parameters.get("units") ?? "m"] ?? 1),
    falseEastingM: number("x_0"),
    falseNorthingM: number("y_0"),
    reachM: { x: transverse ? MAX_TRANSVERSE_REACH_M : MAX_REACH_M, y: MAX_REACH_M },
  };
}

function requirePixelSize(name: string, { unitM }: Plane, { transform, widthPx, heightPx }: PixelGrid): void {
  const [a, b, c, d, e, f] = transform;
  if (!transform.every(Number.isFinite)) {
    throw refuse(name, `has the geotransform ${transform.map(shown).join(", ")}, expected finite numbers`);
  }
  const sizes = [Math.hypot(a, d), Math.hypot(b, e)];
  const pixels = `has pixels of ${sizes.map(shown).join(" x ")} units of its coordinate reference system`;
  const least = MIN_PIXEL_SHARE * Math.max(Math.abs(c), Math.abs(f));
  if (!sizes.every((size) => size > least)) {
    throw refuse(
      name,
      `${pixels} at ${shown(c)}, ${shown(f)}, expected more than the ${shown(least)} that numbers tell apart`,
    );
  }
  const areaM2 = Math.abs(a * e - b * d) * widthPx * heightPx * unitM ** 2;
  // Not a number where a product leaves the range of double precision.
  if (!(areaM2 >= MIN_AREA_M2)) {
    const covered = `covers ${areaM2.toPrecision(2)} m2, expected at least ${MIN_AREA_M2} m2`;
    throw new RasterError("unsupported", `${name} ${pixels} and ${covered}`);
  }
}

function pixelSizes([a, b, , d, e]: Affine): { readonly x: number; readonly y: number } {
  return { x: Math.abs(a) + Math.abs(b), y: Math.abs(d) + Math.abs(e) };
}

/** Corners of pixels over the whole grid, its own corners among them. */
function lattice({ transform, widthPx, heightPx }: PixelGrid): readonly (readonly [number, number])[] {
  const steps = Array.from({ length: SAMPLES + 1 }, (_, i) => i / SAMPLES);
  return steps.flatMap((down) => steps.map((right) => applyAffine(transform, right * widthPx, down * heightPx)));
}

/** @param slackY half a pixel, by which global grids with pixel centres on the poles pass them */
function requirePosition(name: string, crs: SourceCrs, plane: Plane, x: number, y: number, slackY: number): void {
  const isInside = plane.geographic
    ? Math.abs(y) <= 90 + slackY + ANGLE_TOLERANCE_DEG && Math.abs(x) <= MAX_LONGITUDE_DEG
    : Math.abs(x * plane.unitM - plane.falseEastingM) <= plane.reachM.x &&
      Math.abs(y * plane.unitM - plane.falseNorthingM) <= plane.reachM.y;
  // Comparisons with NaN are false.
  if (isInside && (!plane.geographic || slackY <= 90)) return;
  const expected = plane.geographic
    ? `longitudes within ${MAX_LONGITUDE_DEG} and latitudes within 90 degrees`
    : `coordinates within ${plane.reachM.x / 1000} x ${plane.reachM.y / 1000} km of the false origin`;
  throw refuse(name, `has a corner or point at ${shown(x)}, ${shown(y)} of ${crs.name}, expected ${expected}`);
}

/** Some of the points have to be places: projected to longitude and latitude and back they stay where they are. */
function requireReturn(
  name: string,
  crs: SourceCrs,
  { unitM }: Plane,
  points: readonly (readonly [number, number])[],
  pixelSize: number,
): void {
  const projection = createProjection(crs.proj4);
  const tolerance = Math.max(RETURN_TOLERANCE_M / unitM, 2 * pixelSize);
  if (points.some(([x, y]) => returns(projection, x, y, tolerance))) return;
  const [x = 0, y = 0] = points[0] ?? [];
  throw refuse(name, `lies at ${shown(x)}, ${shown(y)} of ${crs.name}, which is no place on Earth`);
}

function returns({ forward, inverse }: Projection, x: number, y: number, tolerance: number): boolean {
  try {
    const [lon, lat] = inverse(x, y);
    if (Math.abs(lat) > 90) return false;
    const [backX, backY] = forward(lon, lat);
    if (Math.abs(backY - y) > tolerance) return false;
    if (Math.abs(backX - x) <= tolerance) return true;
    // Beyond the antimeridian a cylindrical projection comes back a whole turn away.
    const turn = 360 * (forward(lon + 0.5, lat)[0] - forward(lon - 0.5, lat)[0]);
    return Math.abs(backX - x - turn * Math.round((backX - x) / turn)) <= tolerance;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function shown(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);
}

function refuse(name: string, message: string): RasterError {
  return new RasterError("unreadable", `${name} ${message}`);
}
