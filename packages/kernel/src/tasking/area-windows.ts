import type { AreaGeometry, Point } from "../geometry/geojson.ts";
import { sunPosition } from "../orbits/sun.ts";
import { targetGeometry } from "../orbits/target-geometry.ts";
import { areaSamples, type AreaSample, type AreaSamples } from "./area-samples.ts";
import { closestApproaches } from "./closest-approaches.ts";
import { elementsAgeDays, requireFreshElements, windowUncertaintyS } from "./elements-age.ts";
import { imagedStrips } from "./imaged-strips.ts";
import type { ImagingSatellite } from "./imaging-satellite.ts";
import type { PassWindow } from "./pass-window.ts";
import { approachNear, seenArea } from "./seen-area.ts";
import { reachOfSensorDeg, type Span } from "./sensor-span.ts";
import { groundHeadingDeg, stripOf, stripOutline, stripPlan } from "./strips.ts";
import { PASS_MS } from "./target-windows.ts";

/** Windows of one satellite over one area; later ones are left out. */
export const MAX_PASS_WINDOWS = 200;
/** The sun rises or sets no further in the 20 minutes before or after the middle of a pass. */
const SUN_DEG_OF_A_PASS = 5;
/**
 * Passes in which a satellite can image a point or a part of an area, ascending; at most 200.
 *
 * A pass is one window: from the first moment at which the sensor sees a place of the area to the last. At least ten
 * minutes lie between two passes of a satellite. The sun is the one over the centre of the area in the middle of the
 * window. The angles belong to the centre at its closest approach, or to the imaged place nearest to it.
 *
 * An area wider than the swath needs strips. An optical sensor turns to as many as fit into its time over one place. A
 * radar sees all strips at the same time and takes one.
 *
 * Work grows with the interval. The corners of the area do not count: its places are 144 at most.
 *
 * @param fromMs milliseconds since 1970, UTC; so is `toMs`
 * @throws {OldElementsError} when the elements are more than 60 days from the interval
 * @throws {RangeError} when the area is longer than 2,000 km or the orbit has decayed by then
 * @see domain notes, "Feasibility by SGP4"
 */
export function areaWindows(
  satellite: ImagingSatellite,
  area: Point | AreaGeometry,
  fromMs: number,
  toMs: number,
): readonly PassWindow[] {
  return windowsOfSamples(satellite, areaSamples(area, satellite.swathKm), fromMs, toMs);
}

/** The same for samples at hand: satellites of one swath share them. */
export function windowsOfSamples(
  satellite: ImagingSatellite,
  area: AreaSamples,
  fromMs: number,
  toMs: number,
): readonly PassWindow[] {
  requireFreshElements(satellite.name, satellite.elementsEpochMs, fromMs, toMs);
  const reachDeg = reachOfSensorDeg(satellite.limits);
  const approaches = closestApproaches(
    satellite.propagate,
    area.centre,
    reachDeg,
    fromMs - PASS_MS,
    toMs + PASS_MS,
    area.radiusDeg,
  );
  const windows: PassWindow[] = [];
  for (const closestMs of approaches) {
    const window = windowOfPass(satellite, area, closestMs, { startMs: fromMs, endMs: toMs });
    if (window !== null) windows.push(window);
    if (windows.length === MAX_PASS_WINDOWS) break;
  }
  return windows;
}

function windowOfPass(
  satellite: ImagingSatellite,
  area: AreaSamples,
  centreMs: number,
  interval: Span,
): PassWindow | null {
  const { propagate, limits, elementsEpochMs } = satellite;
  const { lonDeg, latDeg } = area.centre;
  const isDark = (timeMs: number, marginDeg: number): boolean =>
    limits.kind === "optical" &&
    sunPosition(timeMs, lonDeg, latDeg).elevationDeg < limits.minSunElevationDeg - marginDeg;
  if (isDark(centreMs, SUN_DEG_OF_A_PASS)) return null;
  const seen = seenArea(satellite, area, centreMs, interval);
  if (seen === null) return null;
  const startMs = Math.max(seen.span.startMs, interval.startMs);
  const endMs = Math.min(seen.span.endMs, interval.endMs);
  const middleMs = (startMs + endMs) / 2;
  if (isDark(middleMs, 0)) return null;
  const headingDeg = groundHeadingDeg(propagate(centreMs).velocityMs, lonDeg, latDeg);
  const plan = stripPlan(area, headingDeg, satellite.swathKm);
  const imaged = imagedStrips(satellite, plan, seen.places, centreMs);
  const isCentreImaged = seen.isCentreSeen && imaged.strips.includes(stripOf(plan, area.centre));
  const aim = isCentreImaged ? area.centre : nearestToCentre(imaged.places);
  const closestMs = isCentreImaged ? centreMs : approachNear(propagate, aim, centreMs);
  const view = targetGeometry(propagate(closestMs), aim.lonDeg, aim.latDeg);
  return {
    startMs,
    endMs,
    closestMs,
    offNadirDeg: view.offNadirDeg,
    incidenceDeg: view.incidenceDeg,
    lookSide: view.lookSide,
    pass: view.pass,
    sunElevationDeg: sunPosition(middleMs, lonDeg, latDeg).elevationDeg,
    catalogueNumber: satellite.catalogueNumber,
    satellite: satellite.name,
    coverageRatio: imaged.places.length / area.grid.length,
    strips: imaged.strips.map((index) => stripOutline(area, plan, index)),
    elementsEpochMs,
    uncertaintyS: windowUncertaintyS(elementsAgeDays(elementsEpochMs, startMs, endMs)),
  };
}

function nearestToCentre(places: readonly AreaSample[]): AreaSample {
  return places.reduce((nearest, place) => (fromCentreM(place) < fromCentreM(nearest) ? place : nearest));
}

function fromCentreM({ eastM, northM }: AreaSample): number {
  return Math.hypot(eastM, northM);
}
