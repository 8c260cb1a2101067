import { json2satrec } from "satellite.js";
import { propagatorSince, type MeanElements, type Propagator } from "./sgp4.ts";

/** Elements of a satellite as catalogues publish them, with its drag. */
export interface ElementSet extends MeanElements {
  readonly name: string;
  /** Number of the satellite catalogue. */
  readonly catalogueNumber: number;
  /** International designator such as `2015-028A`; empty when it is not known. */
  readonly objectId: string;
  /** Drag term of SGP4, per earth radius. */
  readonly bstar: number;
  /** First derivative of the mean motion divided by two, revolutions per day². */
  readonly meanMotionDot: number;
  /** Second derivative of the mean motion divided by six, revolutions per day³. */
  readonly meanMotionDdot: number;
}

/** Elements of an undisturbed satellite. */
export function withoutDrag(elements: MeanElements, name: string, catalogueNumber: number): ElementSet {
  return { ...elements, name, catalogueNumber, objectId: "", bstar: 0, meanMotionDot: 0, meanMotionDdot: 0 };
}

/**
 * Propagator of an element set.
 *
 * @throws {RangeError} when SGP4 refuses the elements
 */
export function propagatorOfElementSet(set: ElementSet): Propagator {
  const record = json2satrec({
    OBJECT_NAME: set.name,
    OBJECT_ID: set.objectId,
    EPOCH: new Date(set.epochMs).toISOString().slice(0, -1),
    MEAN_MOTION: set.meanMotionRevPerDay,
    ECCENTRICITY: set.eccentricity,
    INCLINATION: set.inclinationDeg,
    RA_OF_ASC_NODE: set.nodeDeg,
    ARG_OF_PERICENTER: set.perigeeDeg,
    MEAN_ANOMALY: set.meanAnomalyDeg,
    NORAD_CAT_ID: set.catalogueNumber,
    ELEMENT_SET_NO: 0,
    BSTAR: set.bstar,
    MEAN_MOTION_DOT: set.meanMotionDot,
    MEAN_MOTION_DDOT: set.meanMotionDdot,
  });
  return propagatorSince(record, set.epochMs);
}

/** The same elements in the same words, whatever format they came in: sets with equal texts are equal. */
export function canonicalElements(set: ElementSet): string {
  return JSON.stringify([
    set.catalogueNumber,
    Math.round(set.epochMs * 1000),
    set.meanMotionRevPerDay,
    set.eccentricity,
    set.inclinationDeg,
    set.nodeDeg,
    set.perigeeDeg,
    set.meanAnomalyDeg,
    set.bstar,
    set.meanMotionDot,
    set.meanMotionDdot,
  ]);
}
