import { DEGREE } from "../geometry/wgs84.ts";
import {
  EARTH_ROTATION_RAD_PER_S,
  propagatorOfElements,
  secularRates,
  siderealAngle,
  type MeanElements,
  type Propagator,
} from "./sgp4.ts";

/*
 * A repeating orbit closes its ground track after `revolutions` revolutions in `nodalDays` turns of the earth against
 * the orbital plane. Its mean motion (and, when sun-synchronous, its inclination) follow from SGP4's own secular rates,
 * so that SGP4 flies exactly that track. Without drag and with a circular orbit every revolution is the one before
 * turned west by `nodeSpacingDeg`: the field of SGP4 is the same all around the axis.
 */

/** What a repeating orbit is ordered by. */
export interface RepeatOrbitOrder {
  readonly revolutions: number;
  /** Solar days when sun-synchronous. No common divisor with `revolutions`. */
  readonly nodalDays: number;
  /** Null for the one that is sun-synchronous. */
  readonly inclinationDeg: number | null;
}

export interface RepeatOrbit extends RepeatOrbitOrder {
  readonly inclinationDeg: number;
  readonly meanMotionRevPerDay: number;
  /** From one ascending node to the next. */
  readonly nodalPeriodMs: number;
  readonly cycleMs: number;
  /** From the longitude of one ascending node to the next one's, which is west of it. */
  readonly nodeSpacingDeg: number;
}

/** The mean sun's motion, which the node follows: the rest of a sidereal turn over a day. */
const SUN_RATE_RAD_PER_S = EARTH_ROTATION_RAD_PER_S - (2 * Math.PI) / 86_400;
/** Circular but for what the theory needs to stay regular. */
const ECCENTRICITY = 1e-6;
const REFERENCE_EPOCH_MS = Date.UTC(2015, 0, 1);

function elementsOf(meanMotionRevPerDay: number, inclinationDeg: number, nodeDeg = 0): MeanElements {
  return {
    epochMs: REFERENCE_EPOCH_MS,
    meanMotionRevPerDay,
    eccentricity: ECCENTRICITY,
    inclinationDeg,
    nodeDeg,
    perigeeDeg: 0,
    meanAnomalyDeg: 0,
  };
}

/**
 * The orbit that repeats as ordered.
 *
 * @throws {RangeError} if the numbers have a common divisor or no low orbit fulfils them
 * @example repeatOrbit({ revolutions: 143, nodalDays: 10, inclinationDeg: null }).inclinationDeg // 98.6
 */
export function repeatOrbit(order: RepeatOrbitOrder): RepeatOrbit {
  const { revolutions, nodalDays } = order;
  const perDay = revolutions / nodalDays;
  if (!(perDay > 11 && perDay < 16.2) || greatestCommonDivisor(revolutions, nodalDays) !== 1) {
    throw new RangeError(
      `a repeating orbit needs 11 to 16.2 revolutions a day without common divisor, got ${revolutions} in ${nodalDays}`,
    );
  }
  let motion = perDay;
  let inclination = order.inclinationDeg ?? 98;
  let nodeRate = 0;
  let argumentRate = 0;
  for (let step = 0; step < 60; step += 1) {
    const rates = secularRates(elementsOf(motion, inclination));
    nodeRate = rates.nodeRadPerS;
    argumentRate = rates.argumentRadPerS;
    const wantedNode = order.inclinationDeg === null ? SUN_RATE_RAD_PER_S : nodeRate;
    const wantedArgument = perDay * (EARTH_ROTATION_RAD_PER_S - wantedNode);
    motion *= wantedArgument / argumentRate;
    if (order.inclinationDeg === null) {
      const cosine = Math.cos(inclination * DEGREE) * (SUN_RATE_RAD_PER_S / nodeRate);
      if (!(Math.abs(cosine) < 1)) throw new RangeError(`no sun-synchronous orbit has ${perDay} revolutions a day`);
      inclination = Math.acos(cosine) / DEGREE;
    }
  }
  const nodalPeriodMs = ((2 * Math.PI) / argumentRate) * 1000;
  return {
    revolutions,
    nodalDays,
    inclinationDeg: inclination,
    meanMotionRevPerDay: motion,
    nodalPeriodMs,
    cycleMs: order.inclinationDeg === null ? nodalDays * 86_400_000 : nodalPeriodMs * revolutions,
    nodeSpacingDeg: (360 * nodalDays) / revolutions,
  };
}

/** Elements of a satellite on the orbit, at an ascending node. The epoch is a whole millisecond. */
export function elementsAtNode(orbit: RepeatOrbit, nodeMs: number, nodeLonDeg: number): MeanElements {
  const epochMs = Math.round(nodeMs);
  const nodeDeg = siderealAngle(epochMs) / DEGREE + nodeLonDeg;
  return { ...elementsOf(orbit.meanMotionRevPerDay, orbit.inclinationDeg, nodeDeg), epochMs };
}

/**
 * SGP4 along the first revolution: at `REFERENCE_EPOCH_MS + t` the satellite is `t` after an ascending node at
 * longitude 0.
 */
export function referenceRevolution(orbit: RepeatOrbit): { readonly epochMs: number; readonly propagate: Propagator } {
  return { epochMs: REFERENCE_EPOCH_MS, propagate: propagatorOfElements(elementsAtNode(orbit, REFERENCE_EPOCH_MS, 0)) };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
