import type { AreaSample } from "./area-samples.ts";
import type { ImagingSatellite } from "./imaging-satellite.ts";
import { spanNear } from "./seen-area.ts";
import { stripOf, type StripPlan } from "./strips.ts";

/** The strips that a sensor takes in one pass. */
export interface ImagedStrips {
  /** Numbers of the strips, from left to right. */
  readonly strips: readonly number[];
  /** Places of the area that lie in them and are seen. */
  readonly places: readonly AreaSample[];
}

/**
 * The strips with the most places in sight, as many as the sensor has time for: an optical one turns to the next after
 * its setup gap, a radar sees all of them at the same time and takes one.
 */
export function imagedStrips(
  satellite: ImagingSatellite,
  plan: StripPlan,
  seen: readonly AreaSample[],
  centreMs: number,
): ImagedStrips {
  const byStrip = Map.groupBy(seen, (place) => stripOf(plan, place));
  const fullest = [...byStrip].toSorted(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a - b);
  const middle = fullest[0]?.[1][0];
  const turns = plan.count === 1 || middle === undefined ? 1 : turnsOver(satellite, middle, centreMs);
  const taken = fullest.slice(0, turns).toSorted(([a], [b]) => a - b);
  return { strips: taken.map(([index]) => index), places: taken.flatMap(([, places]) => places) };
}

function turnsOver(satellite: ImagingSatellite, place: AreaSample, centreMs: number): number {
  if (satellite.limits.kind === "radar") return 1;
  const span = spanNear(satellite, place, centreMs);
  const dwellS = span === null ? 0 : (span.endMs - span.startMs) / 1000;
  return 1 + Math.floor(dwellS / Math.max(satellite.setupGapS, 1));
}
