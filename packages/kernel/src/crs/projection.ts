import proj4 from "proj4";

/** Both directions between WGS84 longitude/latitude in degrees and the plane of a CRS. */
export interface Projection {
  /** @throws {RangeError} when the point has no image in the CRS */
  readonly forward: (lonDeg: number, latDeg: number) => readonly [x: number, y: number];
  /** @throws {RangeError} when the point has no longitude and latitude */
  readonly inverse: (x: number, y: number) => readonly [lonDeg: number, latDeg: number];
}

interface Converter {
  /** `enforceAxis` makes proj4 honour `+axis`, which it otherwise ignores. */
  forward(coordinates: [number, number], enforceAxis: boolean): readonly number[];
  inverse(coordinates: [number, number], enforceAxis: boolean): readonly number[];
}

/** Keys of a proj string in order of appearance; flags such as `+south` and `+no_defs` have the value null. */
export function parseProjString(text: string): ReadonlyMap<string, string | null> {
  const parameters = new Map<string, string | null>();
  for (const token of text.trim().split(/\s+/)) {
    const match = /^\+([A-Za-z0-9_]+)(?:=(.*))?$/.exec(token);
    if (match?.[1] === undefined) {
      throw new RangeError(`proj string "${text}" has the token "${token}", expected +key or +key=value`);
    }
    parameters.set(match[1], match[2] ?? null);
  }
  return parameters;
}

export function formatProjString(parameters: ReadonlyMap<string, string | null>): string {
  return [...parameters].map(([key, value]) => (value === null ? `+${key}` : `+${key}=${value}`)).join(" ");
}

/**
 * The same CRS with `+x_0` and `+y_0` present: proj4 2.11 to 2.22 answers NaN for laea, aea and cea without them.
 * Longitude/latitude and geocentric CRSs are left alone.
 *
 * @throws {RangeError} when `text` is not a proj string
 */
export function withFalseOrigin(text: string): string {
  const parameters = new Map(parseProjString(text));
  const name = parameters.get("proj");
  if (name === "longlat" || name === "latlong" || name === "geocent") return formatProjString(parameters);
  for (const key of ["x_0", "y_0"]) {
    if (!parameters.has(key)) parameters.set(key, "0");
  }
  return formatProjString(parameters);
}

/** True when coordinates of the CRS are degrees of longitude and latitude. */
export function isGeographic(projString: string): boolean {
  return /\+proj=(?:longlat|latlong)(?:\s|$)/.test(projString);
}

/**
 * Projection of a proj string. EPSG codes and WKT are refused: their definitions differ between proj4 builds.
 *
 * @throws {RangeError} when proj4 does not know the projection
 * @example createProjection("+proj=utm +zone=32 +datum=WGS84").forward(9, 0) // [500000, 0]
 */
export function createProjection(projString: string): Projection {
  const known = KEPT.get(projString);
  if (known !== undefined) return known;
  const made = newProjection(projString);
  if (KEPT.size >= MAX_KEPT) KEPT.clear();
  KEPT.set(projString, made);
  return made;
}

/** Projections have no state, and reading a proj string costs more than a hundred points. */
const KEPT = new Map<string, Projection>();
const MAX_KEPT = 256;

function newProjection(projString: string): Projection {
  const definition = withFalseOrigin(projString);
  if (isGeographic(definition) && isWgs84(definition)) return identity;
  let converter: Converter;
  try {
    converter = proj4("+proj=longlat +datum=WGS84 +no_defs", definition);
  } catch (cause) {
    throw new RangeError(`proj string "${projString}" is not understood`, { cause });
  }
  return {
    forward: (lonDeg, latDeg) =>
      finitePair(
        attempt(() => converter.forward([lonDeg, latDeg], true)),
        lonDeg,
        latDeg,
      ),
    inverse: (x, y) =>
      finitePair(
        attempt(() => converter.inverse([x, y], true)),
        x,
        y,
      ),
  };
}

const identity: Projection = {
  forward: (lonDeg, latDeg) => finitePair([lonDeg, latDeg], lonDeg, latDeg),
  inverse: (x, y) => finitePair([x, y], x, y),
};

function isWgs84(definition: string): boolean {
  const parameters = parseProjString(definition);
  if (parameters.has("pm") || parameters.has("to_meter") || parameters.has("axis")) return false;
  return parameters.get("datum") === "WGS84" || (parameters.get("ellps") === "WGS84" && !parameters.has("towgs84"));
}

/** proj4 throws plain strings and errors for points it cannot transform. */
function attempt(transform: () => readonly number[]): readonly number[] {
  try {
    return transform();
  } catch {
    return [];
  }
}

function finitePair(pair: readonly number[], a: number, b: number): readonly [number, number] {
  const [first, second] = pair;
  if (first === undefined || second === undefined || !Number.isFinite(first) || !Number.isFinite(second)) {
    throw new RangeError(`coordinates ${a}, ${b} cannot be transformed to or from the coordinate reference system`);
  }
  return [first, second];
}
