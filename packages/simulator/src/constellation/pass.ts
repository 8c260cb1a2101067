import type { Bounds } from "@swath/kernel/geometry/geojson";
import type { Satellite } from "./satellites.ts";

/*
 * A pass is one revolution of one satellite or swarm member, counted within a cycle from 0. All members of a swarm pass
 * before the first passes again.
 */

/** All passes of a cycle. */
export function passCount(satellite: Satellite): number {
  return satellite.orbit.revolutions * satellite.members;
}

export function nodeLonDeg(satellite: Satellite, pass: number): number {
  return satellite.nodeLonDeg - (pass * satellite.orbit.nodeSpacingDeg) / satellite.members;
}

/** When the pass begins, since the beginning of the cycle. */
export function nodeMs(satellite: Satellite, pass: number): number {
  return (pass * satellite.orbit.nodalPeriodMs) / satellite.members;
}

/** The nearest equivalent to 0. */
export function shortWayDeg(lonDeg: number): number {
  return lonDeg - 360 * Math.round(lonDeg / 360);
}

const inverses = new Map<number, number>();

/** The number that turns steps between neighbouring nodes into passes: the inverse of the days modulo the passes. */
function stepInverse(satellite: Satellite): number {
  const { nodalDays } = satellite.orbit;
  const modulus = passCount(satellite);
  const key = modulus * 1000 + nodalDays;
  let inverse = inverses.get(key);
  if (inverse === undefined) {
    inverse = 1;
    while ((inverse * nodalDays) % modulus !== 1) {
      inverse += 1;
      if (inverse > modulus) throw new RangeError(`${nodalDays} days and ${modulus} passes have a common divisor`);
    }
    inverses.set(key, inverse);
  }
  return inverse;
}

/**
 * Passes whose reference longitudes from west to east come to lie within a box, any number of turns away. The nodes of
 * a cycle are evenly spread, so they follow from the longitudes without looking at the others.
 */
export function passesOver(satellite: Satellite, west: number, east: number, box: Bounds): readonly number[] {
  const modulus = passCount(satellite);
  const stepDeg = 360 / modulus;
  const first = Math.ceil((satellite.nodeLonDeg - (box[2] - west)) / stepDeg);
  const last = Math.min(Math.floor((satellite.nodeLonDeg - (box[0] - east)) / stepDeg), first + modulus - 1);
  const inverse = stepInverse(satellite);
  const passes: number[] = [];
  for (let node = first; node <= last; node += 1) {
    const place = ((node % modulus) + modulus) % modulus;
    passes.push((place * inverse) % modulus);
  }
  return passes;
}
