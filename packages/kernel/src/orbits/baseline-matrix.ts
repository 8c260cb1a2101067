import type { MultiPolygon } from "../geometry/geojson.ts";
import { commonCentre, prepareFootprint, type PreparedFootprint } from "./common-centre.ts";
import { ecefOf } from "./geodetic.ts";
import { orbitThrough, type Orbit } from "./hermite-orbit.ts";
import { baselineBetween } from "./perpendicular-baseline.ts";
import type { StateVector } from "./state-vector.ts";
import { zeroDoppler } from "./zero-doppler.ts";

/** A complex radar scene that may form pairs. */
export interface BaselineScene {
  /** What two scenes of a pair have in common: sensor family, relative orbit, pass and look side; null when unknown. */
  readonly track: string | null;
  /** Normal form. */
  readonly footprint: MultiPolygon;
  readonly stateVectors: readonly StateVector[] | null;
}

interface Prepared {
  readonly track: string;
  readonly footprint: PreparedFootprint;
  readonly orbit: Orbit;
}

function prepare(scene: BaselineScene | null): Prepared | null {
  if (scene === null || scene.track === null || scene.stateVectors === null) return null;
  if (scene.footprint.coordinates.length === 0) return null;
  const orbit = orbitThrough(scene.stateVectors);
  return orbit === null ? null : { track: scene.track, footprint: prepareFootprint(scene.footprint), orbit };
}

function roundMillimetres(valueM: number): number {
  // No negative zero: it would travel as "-0".
  return Math.round(valueM * 1000) / 1000 + 0;
}

/**
 * Perpendicular baselines of all pairs, metres: row the reference, column the secondary, zero on the diagonal, positive
 * where the secondary is above the reference's line of sight. Each is defined at the centre of the ground both scenes
 * have in common, on the ellipsoid. `m[j][i]` is about `-m[i][j]`: the lines of sight differ.
 *
 * Null where the scene is none that forms pairs (whole row and column), where both are not of one track, share no ground,
 * lack state vectors within 10 s of the place, or are more than 100 km apart.
 *
 * @param scenes null stands for one that forms no pairs
 */
export function baselineMatrix(scenes: readonly (BaselineScene | null)[]): (number | null)[][] {
  const prepared = scenes.map(prepare);
  const matrix = scenes.map((scene, row) =>
    scenes.map((_, column): number | null => (row === column && scene !== null ? 0 : null)),
  );
  for (const [i, a] of prepared.entries()) {
    if (a === null) continue;
    for (let j = i + 1; j < prepared.length; j += 1) {
      const b = prepared[j];
      if (b === null || b === undefined || a.track !== b.track) continue;
      const centre = commonCentre(a.footprint, b.footprint);
      if (centre === null) continue;
      const targetM = ecefOf(centre[0], centre[1]);
      const atA = zeroDoppler(a.orbit, targetM);
      const atB = atA === null ? null : zeroDoppler(b.orbit, targetM);
      if (atA === null || atB === null) continue;
      const forth = baselineBetween(atA, atB, targetM);
      const back = baselineBetween(atB, atA, targetM);
      const [rowA, rowB] = [matrix[i], matrix[j]];
      if (forth === null || back === null || rowA === undefined || rowB === undefined) continue;
      rowA[j] = roundMillimetres(forth.perpendicularM);
      rowB[i] = roundMillimetres(back.perpendicularM);
    }
  }
  return matrix;
}
