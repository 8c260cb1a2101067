import { gstime, json2satrec, SatRecError, sgp4, twoline2satrec, type OMMJsonObject, type SatRec } from "satellite.js";
import type { StateVector } from "./state-vector.ts";

/** Mean elements of the SGP4 theory at one moment. */
export interface MeanElements {
  /** Milliseconds since 1970, UTC. */
  readonly epochMs: number;
  /** Revolutions per day, as in element sets (Kozai). */
  readonly meanMotionRevPerDay: number;
  readonly eccentricity: number;
  readonly inclinationDeg: number;
  /** Right ascension of the ascending node. */
  readonly nodeDeg: number;
  readonly perigeeDeg: number;
  readonly meanAnomalyDeg: number;
}

/** Secular rates of an orbit, radians per second. */
export interface SecularRates {
  /** Of the ascending node, inertial. */
  readonly nodeRadPerS: number;
  /** Of the mean argument of latitude. */
  readonly argumentRadPerS: number;
}

/** State of a satellite at a moment. @throws {RangeError} when the orbit has decayed by then or the elements make no sense */
export type Propagator = (timeMs: number) => StateVector;

/** Mean rotation of the earth against the equinox of date, radians per second (IAU 1982). */
export const EARTH_ROTATION_RAD_PER_S = (360.98564736629 / 86_400) * (Math.PI / 180);

const UNIX_EPOCH_JD = 2_440_587.5;
const KM = 1000;

/** Greenwich mean sidereal time, radians. */
export function siderealAngle(timeMs: number): number {
  return gstime(timeMs / 86_400_000 + UNIX_EPOCH_JD);
}

/**
 * Propagator of a two-line element set.
 *
 * @throws {RangeError} when the lines are none
 */
export function propagatorOfTle(line1: string, line2: string): Propagator {
  const lines = [line1, line2].map((line) => line.trimEnd());
  if (!lines.every((line, index) => line.startsWith(`${index + 1} `) && line.length === 69 && checksumHolds(line))) {
    throw new RangeError(`expected two lines of 69 characters with right checksums, got "${line1}" and "${line2}"`);
  }
  return propagatorOf(twoline2satrec(line1, line2));
}

/** Whether the last digit of a line of a two-line element set is the sum of the others. */
export function checksumHolds(line: string): boolean {
  let sum = 0;
  for (const character of line.slice(0, 68)) {
    if (character >= "0" && character <= "9") sum += Number(character);
    else if (character === "-") sum += 1;
  }
  return String(sum % 10) === line[68];
}

/** Propagator of mean elements without drag. */
export function propagatorOfElements(elements: MeanElements): Propagator {
  return propagatorOf(recordOf(elements));
}

/** Rates at which SGP4 turns the node and the satellite of a drag-free orbit. */
export function secularRates(elements: MeanElements): SecularRates {
  const { nodedot, mdot, argpdot } = recordOf(elements);
  return { nodeRadPerS: nodedot / 60, argumentRadPerS: (mdot + argpdot) / 60 };
}

function recordOf(elements: MeanElements): SatRec {
  const omm: OMMJsonObject = {
    OBJECT_NAME: "SIMULATED",
    OBJECT_ID: "1957-000A",
    EPOCH: new Date(elements.epochMs).toISOString().slice(0, -1),
    MEAN_MOTION: elements.meanMotionRevPerDay,
    ECCENTRICITY: elements.eccentricity,
    INCLINATION: elements.inclinationDeg,
    RA_OF_ASC_NODE: elements.nodeDeg,
    ARG_OF_PERICENTER: elements.perigeeDeg,
    MEAN_ANOMALY: elements.meanAnomalyDeg,
    NORAD_CAT_ID: 0,
    ELEMENT_SET_NO: 0,
    BSTAR: 0,
    MEAN_MOTION_DOT: 0,
    MEAN_MOTION_DDOT: 0,
  };
  return json2satrec(omm);
}

function propagatorOf(record: SatRec): Propagator {
  requireUsable(record);
  return (timeMs) => {
    const julianDay = timeMs / 86_400_000 + UNIX_EPOCH_JD;
    const result = sgp4(record, (julianDay - record.jdsatepoch) * 1440);
    if (result === null) throw failureAt(record, timeMs);
    return earthFixed(timeMs, result.position, result.velocity, gstime(julianDay));
  };
}

/**
 * Propagator of a record whose epoch is known more precisely than the Julian day in it, which steps by 40 µs.
 *
 * @param epochMs milliseconds since 1970, UTC, with a fraction
 * @throws {RangeError} when SGP4 refuses the elements
 */
export function propagatorSince(record: SatRec, epochMs: number): Propagator {
  requireUsable(record);
  return (timeMs) => {
    const result = sgp4(record, (timeMs - epochMs) / 60_000);
    if (result === null) throw failureAt(record, timeMs);
    return earthFixed(timeMs, result.position, result.velocity, siderealAngle(timeMs));
  };
}

function requireUsable({ error }: SatRec): void {
  if (error !== SatRecError.None) throw new RangeError(`SGP4 refuses the elements with error ${error}`);
}

function failureAt({ error }: SatRec, timeMs: number): RangeError {
  return new RangeError(`SGP4 fails at ${new Date(timeMs).toISOString()} with error ${error}`);
}

interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * From the true equator, mean equinox frame of SGP4 (kilometres) to the rotating frame by sidereal time alone; polar
 * motion and UT1 - UTC, together below 30 m on the ground, are left out.
 */
function earthFixed(timeMs: number, position: Vector, velocity: Vector, sidereal: number): StateVector {
  const c = Math.cos(sidereal);
  const s = Math.sin(sidereal);
  const x = (c * position.x + s * position.y) * KM;
  const y = (c * position.y - s * position.x) * KM;
  return {
    timeMs,
    positionM: [x, y, position.z * KM],
    velocityMs: [
      (c * velocity.x + s * velocity.y) * KM + EARTH_ROTATION_RAD_PER_S * y,
      (c * velocity.y - s * velocity.x) * KM - EARTH_ROTATION_RAD_PER_S * x,
      velocity.z * KM,
    ],
  };
}
