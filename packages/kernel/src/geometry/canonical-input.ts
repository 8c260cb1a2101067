import { roundDegrees } from "./canonical-degrees.ts";
import { ringArea, windPolygon } from "./canonical-winding.ts";
import type { Geometry, LinearRing, PolygonCoordinates, Position } from "./geojson.ts";
import type { GeometryFault } from "./validate-geometry.ts";

export interface CanonicalRules {
  /** Deepest nesting of collections, the outermost counted; 8 unless said. */
  readonly maxDepth?: number;
  /** Positions in all; 500 000 unless said. */
  readonly maxPositions?: number;
}

export type CanonicalReading =
  | { readonly kind: "canonical"; readonly geometry: Geometry }
  | { readonly kind: "faulty"; readonly faults: readonly GeometryFault[] };

/** More are not listed: a wrong projection makes every position a fault. */
const MAX_FAULTS = 10;
/** Longitude, latitude, height and one measure. */
const MAX_DIMENSIONS = 4;
/** Positions that are read in a step: some two milliseconds. */
const POSITIONS_PER_STEP = 10_000;
const MAX_LATITUDE_DEG = 90;
/** Clients unwrap across the antimeridian by up to one turn either way. */
const MAX_LONGITUDE_DEG = 540;
/** Areas that differ by less, relatively, are equal but for rounding. */
const AREA_TOLERANCE = 1e-12;

type Json = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSame(a: Position, b: Position): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Work that pauses between steps of some milliseconds. */
type Steps<Result> = Generator<void, Result, void>;

/** Reads JSON as a geometry, rounded; null where it is not one, which is then among the faults. */
class Reader {
  readonly faults: GeometryFault[] = [];
  readonly #maxDepth: number;
  readonly #maxPositions: number;
  #positions = 0;
  #nextStep = POSITIONS_PER_STEP;

  constructor(rules: CanonicalRules) {
    this.#maxDepth = rules.maxDepth ?? 8;
    this.#maxPositions = rules.maxPositions ?? 500_000;
  }

  fault(path: string, message: string): null {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ path, message });
    return null;
  }

  /** A position at `path`, or at `path/index`: the path is put together for faults only. */
  position(value: unknown, path: string, index?: number): Position | null {
    if (Array.isArray(value) && value.length === 2 && this.#positions < this.#maxPositions) {
      // Nearly all positions are two plain numbers.
      const [x, y] = value as readonly unknown[];
      if (typeof x === "number" && typeof y === "number") {
        const lon = roundDegrees(x);
        const lat = roundDegrees(y);
        if (Math.abs(lat) <= MAX_LATITUDE_DEG && Math.abs(lon) <= MAX_LONGITUDE_DEG) {
          this.#positions += 1;
          return [lon, lat];
        }
      }
    }
    return this.#position(value, index === undefined ? path : `${path}/${index}`);
  }

  /** Positions with heights, and what is none. */
  #position(value: unknown, path: string): Position | null {
    const fault = (message: string): null => this.fault(path, message);
    if (!Array.isArray(value) || value.length < 2) return fault("a position is [longitude, latitude]");
    if (value.length > MAX_DIMENSIONS) {
      return fault(`a position has at most ${MAX_DIMENSIONS} numbers, got ${value.length}`);
    }
    this.#positions += 1;
    if (this.#positions === this.#maxPositions + 1) {
      return fault(`the geometry has more than ${this.#maxPositions} positions; simplify or divide it`);
    }
    const rounded: number[] = [];
    for (const number of value as readonly unknown[]) {
      if (typeof number !== "number" || !Number.isFinite(number)) return fault("coordinates are finite numbers");
      rounded.push(roundDegrees(number));
    }
    const [lon = 0, lat = 0, ...rest] = rounded;
    if (Math.abs(lat) > MAX_LATITUDE_DEG) {
      return fault(`latitude ${lat} is beyond ±${MAX_LATITUDE_DEG}; positions are [longitude, latitude]`);
    }
    if (Math.abs(lon) > MAX_LONGITUDE_DEG) return fault(`longitude ${lon} is beyond ±${MAX_LONGITUDE_DEG}`);
    return rest.length === 0 ? [lon, lat] : [lon, lat, ...rest];
  }

  *list<Item>(
    value: unknown,
    path: string,
    least: number,
    read: (item: unknown, path: string, index: number) => Steps<Item | null>,
  ): Steps<Item[] | null> {
    if (!Array.isArray(value)) return this.fault(path, "must be an array");
    if (value.length < least) return this.fault(path, `must have at least ${least} items, has ${value.length}`);
    const items: Item[] = [];
    for (let i = 0; i < value.length && this.faults.length < MAX_FAULTS; i += 1) {
      const item = yield* read(value[i], path, i);
      if (item !== null) items.push(item);
      if (this.#positions > this.#maxPositions) break;
    }
    return items;
  }

  *positions(value: unknown, path: string, least: number): Steps<Position[] | null> {
    if (!Array.isArray(value)) return this.fault(path, "must be an array");
    if (value.length < least) return this.fault(path, `must have at least ${least} items, has ${value.length}`);
    const positions: Position[] = [];
    for (let i = 0; i < value.length && this.faults.length < MAX_FAULTS; i += 1) {
      const position = this.position(value[i], path, i);
      if (position !== null) positions.push(position);
      if (this.#positions > this.#maxPositions) break;
      if (this.#positions >= this.#nextStep) {
        this.#nextStep = this.#positions + POSITIONS_PER_STEP;
        yield;
      }
    }
    return positions;
  }

  *ring(value: unknown, path: string): Steps<{ readonly ring: LinearRing; readonly area: number } | null> {
    const before = this.faults.length;
    const ring = yield* this.positions(value, path, 4);
    if (ring === null || this.faults.length > before) return null;
    const [first] = ring;
    const last = ring.at(-1);
    if (first === undefined || last === undefined || !isSame(first, last)) {
      return this.fault(path, "a ring is closed: its last position equals its first");
    }
    const { area } = ringArea(ring);
    if (area === 0) return this.fault(path, "the ring encloses no area once rounded to seven decimals");
    return { ring, area };
  }

  *polygon(value: unknown, path: string): Steps<PolygonCoordinates | null> {
    const before = this.faults.length;
    const rings = yield* this.list(value, path, 1, (one, parent, i) => this.ring(one, `${parent}/${i}`));
    if (rings === null || this.faults.length > before) return null;
    const [exterior, ...holes] = rings;
    if (exterior === undefined) return null;
    const inside = holes.reduce((sum, { area }) => sum + area, 0);
    if (inside >= exterior.area * (1 - AREA_TOLERANCE)) {
      return this.fault(path, "the polygon has no area: its holes take all of the exterior");
    }
    return windPolygon(
      rings.map(({ ring }) => ring),
      1,
    );
  }

  *geometry(value: unknown, path: string, depth: number): Steps<Geometry | null> {
    if (!isRecord(value)) return this.fault(path, "must be a GeoJSON geometry");
    const at = `${path}/coordinates`;
    const given = value["coordinates"];
    switch (value["type"]) {
      case "Point": {
        const coordinates = this.position(given, at);
        return coordinates && { type: "Point", coordinates };
      }
      case "MultiPoint": {
        const coordinates = yield* this.positions(given, at, 1);
        return coordinates && { type: "MultiPoint", coordinates };
      }
      case "LineString": {
        const coordinates = yield* this.positions(given, at, 2);
        return coordinates && { type: "LineString", coordinates };
      }
      case "MultiLineString": {
        const coordinates = yield* this.list(given, at, 1, (line, p, i) => this.positions(line, `${p}/${i}`, 2));
        return coordinates && { type: "MultiLineString", coordinates };
      }
      case "Polygon": {
        const coordinates = yield* this.polygon(given, at);
        return coordinates && { type: "Polygon", coordinates };
      }
      case "MultiPolygon": {
        const coordinates = yield* this.list(given, at, 1, (one, p, i) => this.polygon(one, `${p}/${i}`));
        return coordinates && { type: "MultiPolygon", coordinates };
      }
      case "GeometryCollection": {
        if (depth > this.#maxDepth) {
          return this.fault(path, `collections are nested more than ${this.#maxDepth} deep`);
        }
        const geometries = yield* this.list(value["geometries"], `${path}/geometries`, 0, (one, p, i) =>
          this.geometry(one, `${p}/${i}`, depth + 1),
        );
        return geometries && { type: "GeometryCollection", geometries };
      }
      default:
        return this.fault(`${path}/type`, "must be a GeoJSON geometry type");
    }
  }
}

/**
 * Reads any JSON value as a geometry in canonical form: seven decimals, exteriors counter-clockwise, holes clockwise,
 * foreign members dropped at every depth. What is checked is checked after rounding, as the geometry will be kept:
 * rings are closed, have at least four positions and an area; holes leave some of their exterior. Numbers after
 * longitude and latitude are kept. At most ten faults are listed.
 *
 * @param path JSON Pointer of the value in its document, such as "/geometry"
 */
export function readCanonical(value: unknown, path = "", rules: CanonicalRules = {}): CanonicalReading {
  const steps = readCanonicalInSteps(value, path, rules);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** `readCanonical` in steps of some two milliseconds, so that a caller can let others run in between. */
export function* readCanonicalInSteps(value: unknown, path = "", rules: CanonicalRules = {}): Steps<CanonicalReading> {
  const reader = new Reader(rules);
  const geometry = yield* reader.geometry(value, path, 1);
  return geometry === null || reader.faults.length > 0
    ? { kind: "faulty", faults: reader.faults }
    : { kind: "canonical", geometry };
}
