import * as fc from "fast-check";
import { geojsonOf } from "./geojson-values.ts";
import { hostileText } from "./hostile-texts.ts";

const path = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("collection", "id", "geometry", "length", "a", "a.b", "properties.a", "tags"),
  },
  { weight: 1, arbitrary: hostileText },
);

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>("fuzz", 1, 0, -0, 1e308, 5e-324, true, null, "") },
  { weight: 1, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);

const list = fc.array(value, { maxLength: 4 });
const geometry = geojsonOf(["Point", "LineString", "Polygon", "MultiPolygon", "GeometryCollection"]);
const metres = fc.constantFrom<unknown>(0, -1, 1, 1000, 1_000_000, 1_000_001, 1e308, "1", null);

const MONGO = {
  $eq: value,
  $ne: value,
  $gt: value,
  $gte: value,
  $lt: value,
  $lte: value,
  $between: list,
  $in: list,
  $nin: list,
  $exists: value,
  $like: fc.oneof(hostileText, fc.constantFrom("%", "_", "%a%b%c%", "\\", "a\\", "%_".repeat(128))),
  $prefix: hostileText,
  $contains: value,
  $all: list,
  $geoIntersects: geometry,
  $geoWithin: geometry,
  $geoContains: geometry,
  $near: fc.record({ $geometry: geometry, $maxDistance: metres }),
  $where: hostileText,
} as const;

const operator = fc
  .constantFrom(...Object.entries(MONGO))
  .chain(([name, operand]: readonly [string, fc.Arbitrary<unknown>]) => operand.map((given) => ({ [name]: given })));

const condition = fc
  .tuple(path, fc.oneof({ weight: 4, arbitrary: operator }, { weight: 1, arbitrary: value }))
  .map(([name, test]) => Object.fromEntries([[name, test]]));

const place = fc
  .tuple(fc.constantFrom("$geoIntersects", "$geoWithin", "$geoContains"), geometry)
  .map(([name, area]) => ({
    geometry: { [name]: area },
  }));

const property = path.map((name) => ({ property: name }));

const cql = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("=", "<>", "<", "<=", ">", ">=", "like", "a_contains", "a_overlaps", "casei"),
      property,
      value,
    )
    .map(([op, name, operand]) => ({ op, args: [name, operand] })),
  fc
    .tuple(fc.constantFrom("between", "in", "isNull"), property, list)
    .map(([op, name, args]) => ({ op, args: [name, args] })),
  fc
    .tuple(fc.constantFrom("s_intersects", "s_within", "s_contains", "s_disjoint"), geometry)
    .map(([op, area]) => ({ op, args: [{ property: "geometry" }, area] })),
  fc.tuple(geometry, metres).map(([area, distance]) => ({
    op: "s_dwithin",
    args: [{ property: "geometry" }, area, distance, "meters"],
  })),
  fc
    .tuple(fc.constantFrom("t_before", "t_after", "t_during", "t_equals"), property, hostileText)
    .map(([op, name, timestamp]) => ({ op, args: [name, { timestamp }] })),
);

const single: fc.Arbitrary<object> = fc.oneof(condition, place, cql);

/** Queries of the feature store in both of its languages, right and wrong. */
export const featureQuery: fc.Arbitrary<object> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 5, arbitrary: single },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("$and", "$or", "$nor", "$not"), fc.array(single, { maxLength: 4 }))
      .map(([name, parts]) => ({ [name]: name === "$not" ? (parts[0] ?? {}) : parts })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("and", "or", "not"), fc.array(cql, { maxLength: 3 }))
      .map(([op, args]) => ({ op, args })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(single, fc.nat({ max: 12 }))
      .map(([inner, depth]) => Array.from({ length: depth }).reduce<object>((query) => ({ $not: query }), inner)),
  },
);
