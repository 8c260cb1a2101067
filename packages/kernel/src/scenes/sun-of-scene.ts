import { centroid } from "../geometry/centroid.ts";
import { sunPosition } from "../orbits/sun.ts";
import { parseInstant } from "../time/instant.ts";
import type { Scene } from "./scene.ts";

/** Position of the sun at an acquisition, degrees clockwise from north and above the horizon. */
export interface SceneSun {
  readonly azimuthDeg: number;
  readonly elevationDeg: number;
  /** `scene` where its metadata say so, else computed from its time and the centre of its footprint. */
  readonly source: "scene" | "time and place";
}

const MIDNIGHT = "00:00:00";

/**
 * The sun of a scene, computed where its metadata lack it. The error is below a degree for a granule of 100 km.
 *
 * @returns null where only the day of the acquisition is known, or nothing of it, or it was night
 */
export function sunOfScene(
  scene: Pick<Scene, "datetime" | "datetimeSource" | "footprint" | "sunAzimuth" | "sunElevation">,
): SceneSun | null {
  const { datetime, datetimeSource, footprint, sunAzimuth, sunElevation } = scene;
  if (sunAzimuth !== undefined && sunElevation !== undefined) {
    return { azimuthDeg: sunAzimuth, elevationDeg: sunElevation, source: "scene" };
  }
  const timeMs = parseInstant(datetime);
  // A day without a time is stored as its midnight.
  if (timeMs === null || datetimeSource === "unknown" || datetime.endsWith(MIDNIGHT)) return null;
  if (footprint.coordinates.length === 0) return null;
  const sun = sunPosition(timeMs, ...centroid(footprint));
  return sun.elevationDeg > 0 ? { ...sun, source: "time and place" } : null;
}
