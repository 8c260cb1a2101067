import { canonicalGeometry } from "../geometry/canonical.ts";
import type { Geometry } from "../geometry/geojson.ts";
import { positionFaults } from "../geometry/validate-geometry.ts";
import { isStorableText } from "../text/storable-text.ts";
import type { JsonScalar, JsonValue, QueryField } from "./ast.ts";
import { pointer, QueryError } from "./query-error.ts";

/** What a query may be at most; what it is told when it is more names the limit. */
export const QUERY_LIMITS = {
  depth: 8,
  nodes: 200,
  listItems: 1000,
  pathSegments: 8,
  textLength: 4096,
  patternLength: 256,
  geometryPositions: 3000,
  /** Of a geometry that distances are measured from: each costs a geodesic to every edge of a feature. */
  distancePositions: 500,
  distanceM: 1_000_000,
} as const;

/** A name of a property as queries may use it. */
export const PATH_SEGMENT = /^[A-Za-z0-9_:-]{1,64}$/;

const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  "Point",
  "MultiPoint",
  "LineString",
  "MultiLineString",
  "Polygon",
  "MultiPolygon",
  "GeometryCollection",
]);

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as a message names it. */
export function told(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/**
 * Positions of a geometry or of coordinates. A list that begins with a position counts as a list of positions:
 * `positionFaults` refuses another one. To look at each number took 40 % of the memory of a query of 499 positions.
 */
export function positionCount(value: unknown): number {
  if (!Array.isArray(value)) return isRecord(value) ? positionCount(value["coordinates"] ?? value["geometries"]) : 0;
  const [first] = value;
  if (typeof first === "number") return 1;
  if (Array.isArray(first) && typeof first[0] === "number") return value.length;
  let count = 0;
  for (const one of value) count += positionCount(one);
  return count;
}

/** Reads the parts both query languages share, and counts what is read against the limits. */
export class QueryReader {
  #nodes = 0;
  #positions = 0;

  /** Called once for each condition and each combination of conditions. */
  node(path: string, depth: number): void {
    if (depth > QUERY_LIMITS.depth) {
      throw new QueryError(path, `conditions are nested more than ${QUERY_LIMITS.depth} deep`);
    }
    this.#nodes += 1;
    if (this.#nodes > QUERY_LIMITS.nodes) {
      throw new QueryError(path, `the query has more than ${QUERY_LIMITS.nodes} conditions`);
    }
  }

  field(name: unknown, path: string): QueryField {
    if (typeof name !== "string") throw new QueryError(path, `a property is named by text, got ${told(name)}`);
    if (name === "id" || name === "geometry") return { kind: name };
    const segments = (name.startsWith("properties.") ? name.slice("properties.".length) : name).split(".");
    if (segments.length > QUERY_LIMITS.pathSegments) {
      throw new QueryError(path, `a property lies at most ${QUERY_LIMITS.pathSegments} names deep`);
    }
    const wrong = segments.find((segment) => !PATH_SEGMENT.test(segment));
    if (wrong !== undefined) {
      throw new QueryError(
        path,
        `${told(name)} is no property path: names of 1 to 64 letters, digits, "_", ":", "-", joined by dots`,
      );
    }
    return { kind: "property", path: segments };
  }

  /** A field whose value is compared, which the geometry is not. */
  valueField(name: unknown, path: string): QueryField {
    const field = this.field(name, path);
    if (field.kind === "geometry") {
      throw new QueryError(path, "the geometry takes spatial conditions and questions of existence only");
    }
    return field;
  }

  text(value: unknown, path: string, maxLength: number = QUERY_LIMITS.textLength): string {
    if (typeof value !== "string") throw new QueryError(path, `expected a text, got ${told(value)}`);
    if (value.length > maxLength) {
      throw new QueryError(path, `a text of a query has at most ${maxLength} characters, got ${value.length}`);
    }
    if (!isStorableText(value)) throw new QueryError(path, "a text has no U+0000 and no halves of surrogate pairs");
    return value;
  }

  scalar(value: unknown, path: string): JsonScalar {
    if (typeof value === "string") return this.text(value, path);
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw new QueryError(path, `expected a text, a finite number, true, false or null, got ${told(value)}`);
  }

  /** Something that has an order. */
  ordered(value: unknown, path: string): number | string {
    const scalar = this.scalar(value, path);
    if (typeof scalar === "number" || typeof scalar === "string") return scalar;
    throw new QueryError(path, `only numbers and texts have an order, got ${told(value)}`);
  }

  /** Any JSON; of arrays and objects as much as a text may be long. */
  json(value: unknown, path: string): JsonValue {
    if (typeof value !== "object" || value === null) return this.scalar(value, path);
    const size = JSON.stringify(value).length;
    if (size > QUERY_LIMITS.textLength) {
      throw new QueryError(path, `a value of a query has at most ${QUERY_LIMITS.textLength} characters, got ${size}`);
    }
    return this.#checked(value, path);
  }

  #checked(value: unknown, path: string): JsonValue {
    if (Array.isArray(value)) return value.map((one, index) => this.#checked(one, pointer(path, index)));
    if (!isRecord(value)) return this.scalar(value, path);
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.text(name, path), this.#checked(one, pointer(path, name))]),
    );
  }

  list<Item>(
    value: unknown,
    path: string,
    least: number,
    read: (item: unknown, path: string) => Item,
  ): readonly Item[] {
    if (!Array.isArray(value)) throw new QueryError(path, `expected an array, got ${told(value)}`);
    if (value.length < least) throw new QueryError(path, `expected at least ${least} items, got ${value.length}`);
    if (value.length > QUERY_LIMITS.listItems) {
      throw new QueryError(path, `a list has at most ${QUERY_LIMITS.listItems} items, got ${value.length}`);
    }
    return value.map((item, index) => read(item, pointer(path, index)));
  }

  /** The geometry that a distance is measured from. */
  nearGeometry(value: unknown, path: string): Geometry {
    const positions = positionCount(value);
    if (positions > QUERY_LIMITS.distancePositions) {
      const most = QUERY_LIMITS.distancePositions;
      throw new QueryError(path, `a distance is measured from at most ${most} positions, got ${positions}`);
    }
    return this.geometry(value, path);
  }

  geometry(value: unknown, path: string): Geometry {
    if (!isRecord(value) || !isGeometry(value)) {
      throw new QueryError(path, `expected a GeoJSON geometry, got ${told(value)}`);
    }
    this.#positions += positionCount(value);
    if (this.#positions > QUERY_LIMITS.geometryPositions) {
      throw new QueryError(path, `the query has more than ${QUERY_LIMITS.geometryPositions} positions; simplify it`);
    }
    // How often outlines meet shows when features are tested, within a bound of time.
    const [fault] = positionFaults(value, path);
    if (fault !== undefined) throw new QueryError(fault.path, fault.message);
    return canonicalGeometry(value);
  }

  distanceM(value: unknown, path: string): number {
    if (typeof value !== "number" || !(value >= 0 && value <= QUERY_LIMITS.distanceM)) {
      throw new QueryError(path, `a distance is 0 to ${QUERY_LIMITS.distanceM} metres, got ${told(value)}`);
    }
    return value;
  }
}

/** By its type only; the rest is for `positionFaults`, which is safe on anything. */
function isGeometry(value: object): value is Geometry {
  return "type" in value && GEOMETRY_TYPES.has(value.type);
}
