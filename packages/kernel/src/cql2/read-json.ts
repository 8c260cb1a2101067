import type { Geometry } from "../geometry/geojson.ts";
import { Cql2Error, MAX_FILTER_DEPTH, MAX_FILTER_NODES, type Expression } from "./expression.ts";
import { dateOf, endOf, timestampOf } from "./instant.ts";

const GEOMETRY_TYPES: ReadonlySet<unknown> = new Set([
  "Point",
  "LineString",
  "Polygon",
  "MultiPoint",
  "MultiLineString",
  "MultiPolygon",
  "GeometryCollection",
]);
const MAX_NAME_LENGTH = 200;

/**
 * Reads a filter in the JSON encoding of CQL2.
 *
 * @throws {Cql2Error} when it is malformed, deeper than 32 operators or larger than 2,000 nodes
 * @see OGC 21-065r2, annex "JSON schema for CQL2"
 */
export function readCql2Json(value: unknown): Expression {
  return read(value, 0, { nodes: 0 });
}

function read(value: unknown, depth: number, count: { nodes: number }): Expression {
  count.nodes += 1;
  if (count.nodes > MAX_FILTER_NODES) throw new Cql2Error(`a filter has at most ${MAX_FILTER_NODES} parts`);
  if (depth > MAX_FILTER_DEPTH) throw new Cql2Error(`a filter has at most ${MAX_FILTER_DEPTH} levels`);
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return { kind: "literal", value };
  }
  const readInner = (one: unknown): Expression => read(one, depth + 1, count);
  if (Array.isArray(value)) return { kind: "array", items: value.map(readInner) };
  if (typeof value !== "object") throw new Cql2Error(`${typeof value} is no part of a filter`);
  return readObject(new Map(Object.entries(value)), readInner);
}

function readObject(members: ReadonlyMap<string, unknown>, readInner: (value: unknown) => Expression): Expression {
  if (members.has("property")) {
    const name = members.get("property");
    if (typeof name !== "string" || name.length > MAX_NAME_LENGTH) throw new Cql2Error("property must be a name");
    return { kind: "property", name };
  }
  if (members.has("timestamp")) return timestampOf(members.get("timestamp"));
  if (members.has("date")) return dateOf(members.get("date"));
  if (members.has("interval")) return readInterval(members.get("interval"), readInner);
  if (members.has("bbox")) return { kind: "geometry", geometry: boxGeometry(members.get("bbox")) };
  if (GEOMETRY_TYPES.has(members.get("type"))) {
    // Whether its coordinates are a geometry is decided where an area is made of it.
    return { kind: "geometry", geometry: Object.fromEntries(members) as unknown as Geometry };
  }
  const op = members.get("op");
  const args = members.get("args");
  if (typeof op !== "string" || !Array.isArray(args)) {
    throw new Cql2Error(
      `expected op and args, got the members ${[...members.keys()].slice(0, 5).join(", ") || "none"}`,
    );
  }
  return { kind: "call", op: op.toLowerCase(), args: args.map(readInner) };
}

function readInterval(value: unknown, readInner: (value: unknown) => Expression): Expression {
  if (!Array.isArray(value) || value.length !== 2) throw new Cql2Error("interval must be two moments");
  const [start, end] = value.map((one: unknown) => (typeof one === "string" ? endOf(one) : readInner(one)));
  return { kind: "interval", start: start ?? null, end: end ?? null };
}

/** The polygon of `[west, south, east, north]`, or of six numbers with heights. @throws {Cql2Error} for other values */
export function boxGeometry(value: unknown): Geometry {
  const numbers = Array.isArray(value) ? value.filter((one) => typeof one === "number" && Number.isFinite(one)) : [];
  if (!Array.isArray(value) || numbers.length !== value.length || ![4, 6].includes(numbers.length)) {
    throw new Cql2Error("bbox must be four or six numbers");
  }
  const half = numbers.length / 2;
  const [west, south, east, north] = [numbers[0], numbers[1], numbers[half], numbers[half + 1]] as [
    number,
    number,
    number,
    number,
  ];
  const turned = west > east ? east + 360 : east;
  const ring: [number, number][] = [
    [west, south],
    [turned, south],
    [turned, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}
