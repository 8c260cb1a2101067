import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { seedOf } from "./hash.ts";
import type { Satellite } from "./satellites.ts";
import type { CollectionArea } from "./sites.ts";
import { createSwathGrid, REVOLUTION_KM, type Column, type SwathGrid } from "./swath-grid.ts";

/** How the satellites of a mission divide the ground and which of it they image. Datasets that share it share scenes. */
export interface SwathPlan {
  readonly seed: number;
  readonly satellites: readonly Satellite[];
  /** The same for satellites of one orbit. */
  gridOf(satellite: Satellite): SwathGrid;
  /** A strip that is imaged as a whole: so many frames of so many columns. */
  readonly blockFrames: number;
  readonly blockColumns: number;
  /** Share of the strips along a pass in which a tasked satellite images one; null when everything is imaged. */
  readonly share: number | null;
  /** Share of the passes over a site in which its strip is imaged as well. */
  readonly siteShare: number;
  /** Null for those that need no sun. */
  readonly minSunElevationDeg: number | null;
  readonly area: CollectionArea | null;
  /** Every longitude of the beginning of a mission to the present is known; scenes appear so long after capture. */
  readonly latencyMs: number;
}

export interface SwathPlanOptions {
  readonly name: string;
  readonly satellites: readonly Satellite[];
  readonly columns: (altitudeKm: number) => readonly Column[];
  readonly sceneLengthKm: number;
  /** Each cell of the strip cut into so many: for products in smaller scenes of the same captures. */
  readonly divideAlong?: number;
  readonly divideAcross?: number;
  readonly stripFrames?: number;
  readonly share?: number | null;
  readonly siteShare?: number;
  readonly minSunElevationDeg: number | null;
  readonly maxLatDeg?: number;
  readonly area?: CollectionArea;
  readonly latencyHours: number;
}

const EARTH_RADIUS_KM = 6371;
/** Standard gravitational parameter of the earth, km³/s². */
const MU = 398_600.4418;
const DEGREE = Math.PI / 180;

function altitudeKm(orbit: RepeatOrbit): number {
  const rate = (2 * Math.PI * orbit.meanMotionRevPerDay) / 86_400;
  return Math.cbrt(MU / (rate * rate)) - EARTH_RADIUS_KM;
}

export function swathPlan(options: SwathPlanOptions): SwathPlan {
  const { divideAlong = 1, divideAcross = 1, stripFrames = 1 } = options;
  const strips = Math.round(REVOLUTION_KM / options.sceneLengthKm / stripFrames);
  const grids = new Map<RepeatOrbit, SwathGrid>();
  return {
    seed: seedOf(options.name),
    satellites: options.satellites,
    gridOf({ orbit }) {
      let grid = grids.get(orbit);
      if (grid === undefined) {
        grid = createSwathGrid(orbit, {
          columns: options.columns(altitudeKm(orbit)).flatMap((column) => divided(column, divideAcross)),
          frames: strips * stripFrames * divideAlong,
          maxLatDeg: options.maxLatDeg ?? 81,
        });
        grids.set(orbit, grid);
      }
      return grid;
    },
    blockFrames: stripFrames * divideAlong,
    blockColumns: divideAcross,
    share: options.share ?? null,
    siteShare: options.siteShare ?? 0.6,
    minSunElevationDeg: options.minSunElevationDeg,
    area: options.area ?? null,
    latencyMs: options.latencyHours * 3_600_000,
  };
}

function divided({ nearKm, farKm }: Column, parts: number): readonly Column[] {
  return Array.from({ length: parts }, (_, part) => ({
    nearKm: nearKm + ((farKm - nearKm) * part) / parts,
    farKm: nearKm + ((farKm - nearKm) * (part + 1)) / parts,
  }));
}

/** So many columns of one width, the middle one below the satellite. */
export function acrossNadir(widthKm: number, count: number): () => readonly Column[] {
  return () =>
    Array.from({ length: count }, (_, index) => ({
      nearKm: (index - count / 2) * widthKm,
      farKm: (index + 1 - count / 2) * widthKm,
    }));
}

/** Columns of one width as far as an agile camera rolls. */
export function withinRoll(widthKm: number, maxOffNadirDeg: number): (altitudeKm: number) => readonly Column[] {
  return (altitude) => {
    const ratio = (EARTH_RADIUS_KM + altitude) / EARTH_RADIUS_KM;
    const groundKm = groundAtIncidence(Math.asin(ratio * Math.sin(maxOffNadirDeg * DEGREE)), altitude);
    const half = Math.floor((groundKm - widthKm / 2) / widthKm);
    return acrossNadir(widthKm, 2 * half + 1)();
  };
}

/** Columns between two incidence angles; one as wide as all of it when the width is null. */
export function withinIncidence(
  minDeg: number,
  maxDeg: number,
  widthKm: number | null,
  sides: readonly ("left" | "right")[],
): (altitudeKm: number) => readonly Column[] {
  return (altitude) => {
    const nearKm = groundAtIncidence(minDeg * DEGREE, altitude);
    const farKm = groundAtIncidence(maxDeg * DEGREE, altitude);
    const count = widthKm === null ? 1 : Math.floor((farKm - nearKm) / widthKm);
    const width = widthKm ?? farKm - nearKm;
    return sides.flatMap((side) =>
      Array.from({ length: count }, (_, index) => {
        const sign = side === "right" ? 1 : -1;
        return { nearKm: sign * (nearKm + index * width), farKm: sign * (nearKm + (index + 1) * width) };
      }),
    );
  };
}

/** Distance along the ground between the track and where the satellite stands that far from the vertical. */
function groundAtIncidence(incidenceRad: number, altitude: number): number {
  const offNadir = Math.asin((EARTH_RADIUS_KM / (EARTH_RADIUS_KM + altitude)) * Math.sin(incidenceRad));
  return EARTH_RADIUS_KM * (incidenceRad - offNadir);
}
