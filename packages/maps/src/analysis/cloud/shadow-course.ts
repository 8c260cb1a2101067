import type { PixelGround } from "../block.ts";
import type { OpticalParameters } from "../optical/optical-block.ts";
import { findDisplacement, type DarkGround, type Displacement, type DisplacementSearch } from "./shadow-direction.ts";

/** The line on which the shadows of a scene lie from their clouds. */
export interface ShadowCourse {
  readonly source: "sun of the scene" | "sun of its time and place" | "clouds and dark ground";
  /** Unit vector in pixels, to the right and down. */
  readonly ux: number;
  readonly uy: number;
  /** Lengths that are possible. */
  readonly minPx: number;
  readonly maxPx: number;
}

/** Heights of cloud tops above the ground that are tried, metres. */
const LOWEST_M = 200;
const HIGHEST_M = 12_000;
const MIN_SUN_ELEVATION_DEG = 10;
const BEARINGS = 72;
/** A found direction must be as strong as this, and stronger by a fifth than one that was computed. */
const MIN_CORRELATION = 0.3;
const OVERRULES = 1.2;
/** Shadows of one scene are this much nearer and farther than those that the scene shows in the mean. */
const NEAREST = 0.4;
const FARTHEST = 2.2;
/** Lengths of shadows that are looked for where the sun is not known: 200 m to 10 km. */
const SHORTEST_M = 200;
const LONGEST_M = 10_000;

/**
 * The course of the shadows, from several limits of dark ground. Metadata are trusted. A computed sun, or none, gives way
 * to the displacement that clouds and dark ground show.
 *
 * @returns null where neither the sun is known nor shadows are seen
 */
export function shadowCourse(
  grounds: readonly DarkGround[],
  sun: Pick<OpticalParameters, "sunAzimuthDeg" | "sunElevationDeg" | "sunSource">,
  ground: PixelGround,
): ShadowCourse | null {
  const ofSun = courseOfSun(sun, ground);
  if (sun.sunSource === "scene") return ofSun;
  const around = Array.from({ length: BEARINGS }, (_, i) => (2 * Math.PI * i) / BEARINGS);
  const { columns, rows } = grounds[0]!.bands;
  const pixelM = Math.sqrt(ground.metresPerPixelX * ground.metresPerPixelY);
  const lengths = {
    minPx: Math.max(3, SHORTEST_M / pixelM),
    maxPx: Math.min(LONGEST_M / pixelM, Math.max(columns, rows) / 2),
  };
  const found = strongest(grounds, { bearings: around, ...lengths });
  const confirmed =
    ofSun === null
      ? 0
      : strongest(grounds, {
          bearings: [Math.atan2(ofSun.ux, -ofSun.uy)],
          minPx: Math.max(1, ofSun.minPx),
          maxPx: ofSun.maxPx,
        }).correlation;
  return found.correlation < Math.max(MIN_CORRELATION, OVERRULES * confirmed) ? ofSun : courseOf(found);
}

function strongest(grounds: readonly DarkGround[], search: DisplacementSearch): Displacement {
  return grounds
    .map((ground) => findDisplacement(ground, search))
    .reduce((best, one) => (one.correlation > best.correlation ? one : best));
}

/** Null where the sun is not known or too low. */
function courseOfSun(
  { sunAzimuthDeg, sunElevationDeg, sunSource }: Parameters<typeof shadowCourse>[1],
  ground: PixelGround,
): ShadowCourse | null {
  if (sunAzimuthDeg === null || sunElevationDeg === null || sunElevationDeg < MIN_SUN_ELEVATION_DEG) return null;
  const bearing = ((sunAzimuthDeg + 180 - ground.northDeg) * Math.PI) / 180;
  const perHeight = 1 / Math.tan((sunElevationDeg * Math.PI) / 180);
  const dx = (Math.sin(bearing) * perHeight) / ground.metresPerPixelX;
  const dy = (-Math.cos(bearing) * perHeight) / ground.metresPerPixelY;
  const perHeightPx = Math.max(1e-9, Math.hypot(dx, dy));
  return {
    source: sunSource === "scene" ? "sun of the scene" : "sun of its time and place",
    ux: dx / perHeightPx,
    uy: dy / perHeightPx,
    minPx: LOWEST_M * perHeightPx,
    maxPx: HIGHEST_M * perHeightPx,
  };
}

function courseOf({ dx, dy }: Displacement): ShadowCourse {
  const length = Math.hypot(dx, dy);
  return {
    source: "clouds and dark ground",
    ux: dx / length,
    uy: dy / length,
    minPx: NEAREST * length,
    maxPx: FARTHEST * length,
  };
}
