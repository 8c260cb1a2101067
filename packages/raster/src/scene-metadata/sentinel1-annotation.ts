import type { Ecef, StateVector } from "@swath/kernel/orbits/state-vector";
import { RasterError } from "../raster-error.ts";
import { child, children, number, parseXml, text, type XmlNode } from "./sentinel1-xml.ts";

/** A place of the geolocation grid. */
export interface GridPoint {
  readonly lonDeg: number;
  readonly latDeg: number;
  readonly incidenceDeg: number;
}

/** Annotation of one swath and polarisation of a Sentinel-1 product. */
export interface Sentinel1Annotation {
  /** Such as "S1A". */
  readonly mission: string;
  /** "SLC" or "GRD". */
  readonly productType: string;
  readonly mode: string;
  readonly swath: string;
  readonly polarisation: string;
  readonly startMs: number;
  readonly stopMs: number;
  readonly orbitPass: "ascending" | "descending";
  /** Null when the mission's numbering is not known. */
  readonly relativeOrbit: number | null;
  readonly sliceNumber: number | null;
  /** Slant range for SLC, ground range for GRD. */
  readonly rangeSpacingM: number;
  readonly azimuthSpacingM: number;
  readonly stateVectors: readonly StateVector[];
  readonly grid: readonly GridPoint[];
}

const MAX_STATE_VECTORS = 10_000;
const MAX_GRID_POINTS = 100_000;
const ORBITS_PER_CYCLE = 175;
/** Absolute orbits with which each satellite's cycles begin. */
const FIRST_ORBIT: Readonly<Record<string, number>> = { S1A: 73, S1B: 27, S1C: 172 };

/** Number of the repeated ground track, 1 to 175; null when the satellite's numbering is not known. */
export function relativeOrbitOf(mission: string, absoluteOrbit: number): number | null {
  const first = FIRST_ORBIT[mission];
  if (first === undefined || !(absoluteOrbit >= first)) return null;
  return ((absoluteOrbit - first) % ORBITS_PER_CYCLE) + 1;
}

/** A time of the products, UTC without zone and with microseconds, as milliseconds since 1970; null when it is none. */
export function parseAnnotationTime(value: string | null): number | null {
  const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d+)?Z?$/.exec(value ?? "");
  if (match === null) return null;
  const wholeMs = Date.parse(`${match[1]}T${match[2]}Z`);
  return Number.isFinite(wholeMs) ? wholeMs + Number(match[3] ?? "0") * 1000 : null;
}

/**
 * Reads an annotation document.
 *
 * @throws {RasterError} bad-document naming what is missing
 */
export function readSentinel1Annotation(content: string, name: string): Sentinel1Annotation {
  const product = child(parseXml(content, name), "product");
  const header = child(product, "adsHeader");
  const required = <Value>(value: Value | null, what: string): Value => {
    if (value === null)
      throw new RasterError("bad-document", `${name}: has no ${what}, expected a Sentinel-1 annotation`);
    return value;
  };
  const mission = required(text(header, "missionId"), "missionId");
  const pass = required(text(product, "generalAnnotation", "productInformation", "pass"), "pass").toLowerCase();
  if (pass !== "ascending" && pass !== "descending") {
    throw new RasterError("bad-document", `${name}: pass is "${pass.slice(0, 40)}", expected Ascending or Descending`);
  }
  const image = child(product, "imageAnnotation", "imageInformation");
  return {
    mission,
    productType: required(text(header, "productType"), "productType"),
    mode: required(text(header, "mode"), "mode"),
    swath: required(text(header, "swath"), "swath"),
    polarisation: required(text(header, "polarisation"), "polarisation"),
    startMs: required(parseAnnotationTime(text(header, "startTime")), "startTime"),
    stopMs: required(parseAnnotationTime(text(header, "stopTime")), "stopTime"),
    orbitPass: pass,
    relativeOrbit: relativeOrbitOf(mission, number(header, "absoluteOrbitNumber") ?? Number.NaN),
    sliceNumber: number(image, "sliceNumber"),
    rangeSpacingM: required(number(image, "rangePixelSpacing"), "rangePixelSpacing"),
    azimuthSpacingM: required(number(image, "azimuthPixelSpacing"), "azimuthPixelSpacing"),
    stateVectors: children(child(product, "generalAnnotation", "orbitList"), "orbit")
      .slice(0, MAX_STATE_VECTORS)
      .flatMap(readStateVector),
    grid: children(child(product, "geolocationGrid", "geolocationGridPointList"), "geolocationGridPoint")
      .slice(0, MAX_GRID_POINTS)
      .flatMap(readGridPoint),
  };
}

function readStateVector(orbit: XmlNode): StateVector[] {
  const timeMs = parseAnnotationTime(text(orbit, "time"));
  const positionM = readEcef(child(orbit, "position"));
  const velocityMs = readEcef(child(orbit, "velocity"));
  const isEarthFixed = text(orbit, "frame") === "Earth Fixed";
  return timeMs === null || positionM === null || velocityMs === null || !isEarthFixed
    ? []
    : [{ timeMs, positionM, velocityMs }];
}

function readEcef(node: XmlNode | null): Ecef | null {
  const [x, y, z] = [number(node, "x"), number(node, "y"), number(node, "z")];
  return x === null || y === null || z === null ? null : [x, y, z];
}

function readGridPoint(point: XmlNode): GridPoint[] {
  const [lonDeg, latDeg] = [number(point, "longitude"), number(point, "latitude")];
  const incidenceDeg = number(point, "incidenceAngle");
  if (lonDeg === null || latDeg === null || incidenceDeg === null) return [];
  return Math.abs(lonDeg) <= 180 && Math.abs(latDeg) <= 90 ? [{ lonDeg, latDeg, incidenceDeg }] : [];
}
