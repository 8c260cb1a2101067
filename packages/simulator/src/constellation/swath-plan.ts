import type { RepeatOrbit } from "@swath/kernel/orbits/repeat-orbit";
import { seedOf } from "./hash.ts";
import type { Satellite } from "./satellites.ts";
import type { CollectionArea } from "./sites.ts";
import { REVOLUTION_KM, type Column } from "./strip-outline.ts";
import { createSwathGrid, type SwathGrid } from "./swath-grid.ts";

/** Which ground the satellites of a mission image, and when. Datasets whose plans share their name share captures. */
export interface SwathPlan {
  readonly seed: number;
  readonly satellites: readonly Satellite[];
  /** The same for satellites of one orbit. */
  gridOf(satellite: Satellite): SwathGrid;
  /** Share of the rows of a pass in which a tasked satellite images one strip; null when every strip is imaged. */
  readonly share: number | null;
  /** Share of the passes in which the strip of a site is imaged as well. */
  readonly siteShare: number;
  /** Share of the strips of sites that searches find. The others can be named, as scenes that an archive withdrew. */
  readonly listedShare: number;
  /** Whether only one cell of a strip is imaged. */
  readonly isSpot: boolean;
  /** Null for those that need no sun. */
  readonly minSunElevationDeg: number | null;
  /** Ground that every pass images whole, and searches find now and then. */
  readonly area: CollectionArea | null;
  /** From a capture to its publication. */
  readonly latencyMs: number;
}

export interface SwathPlanOptions {
  readonly name: string;
  readonly satellites: readonly Satellite[];
  /** Columns of strips, by the altitude of the orbit. */
  readonly columns: (altitudeKm: number) => readonly Column[];
  readonly stripLengthKm: number;
  /** Scenes of a strip; by default 1. */
  readonly along?: number;
  readonly across?: number;
  readonly share?: number | null;
  readonly siteShare?: number;
  readonly listedShare?: number;
  readonly isSpot?: boolean;
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
  const grids = new Map<RepeatOrbit, SwathGrid>();
  return {
    seed: seedOf(options.name),
    satellites: options.satellites,
    gridOf({ orbit }) {
      let grid = grids.get(orbit);
      if (grid === undefined) {
        grid = createSwathGrid(orbit, {
          columns: options.columns(altitudeKm(orbit)),
          rows: Math.round(REVOLUTION_KM / options.stripLengthKm),
          along: options.along ?? 1,
          across: options.across ?? 1,
          maxLatDeg: options.maxLatDeg ?? 81,
        });
        grids.set(orbit, grid);
      }
      return grid;
    },
    share: options.share ?? null,
    siteShare: options.siteShare ?? 0.6,
    listedShare: options.listedShare ?? 1,
    isSpot: options.isSpot ?? false,
    minSunElevationDeg: options.minSunElevationDeg,
    area: options.area ?? null,
    latencyMs: options.latencyHours * 3_600_000,
  };
}

/** So many columns of one width side by side, as many left of the track as right. */
export function acrossNadir(widthKm: number, count: number): () => readonly Column[] {
  return () =>
    Array.from({ length: count }, (_, index) => ({
      leftKm: (index - count / 2) * widthKm,
      rightKm: (index + 1 - count / 2) * widthKm,
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
        const from = nearKm + index * width;
        return side === "right" ? { leftKm: from, rightKm: from + width } : { leftKm: -from - width, rightKm: -from };
      }),
    );
  };
}

/** Distance along the ground between the track and where the satellite stands that far from the vertical. */
function groundAtIncidence(incidenceRad: number, altitude: number): number {
  const offNadir = Math.asin((EARTH_RADIUS_KM / (EARTH_RADIUS_KM + altitude)) * Math.sin(incidenceRad));
  return EARTH_RADIUS_KM * (incidenceRad - offNadir);
}
