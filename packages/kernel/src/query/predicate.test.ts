import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import * as siftModule from "sift";
import { parseQuery } from "./parse-query.ts";
import { queryPredicate } from "./predicate.ts";
import { QueryError } from "./query-error.ts";
import { gridGeometry } from "./spatial/grid-geometry.ts";

function matches(query: unknown, properties: Record<string, unknown>): boolean {
  return queryPredicate(parseQuery(query, ""))({ id: "i", properties, geometry: null });
}

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0.5, -0.5, 1e21),
  fc.constantFrom("", "a", "ab", "b", "B", "ž", "\u{1F600}", "\uFFFD"),
  fc.boolean(),
);
const name = fc.constantFrom("a", "b", "c");
const document = fc.dictionary(name, fc.oneof(scalar, fc.record({ d: scalar })), { maxKeys: 3 });

/** Operators that both understand the same way: no arrays, no null, no order of booleans. */
const comparison = fc.oneof(
  scalar,
  scalar.map((value) => ({ $eq: value })),
  scalar.map((value) => ({ $ne: value })),
  fc
    .tuple(
      fc.constantFrom("$gt", "$gte", "$lt", "$lte"),
      fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom("a", "ab", "b")),
    )
    .map(([operator, value]) => ({ [operator]: value })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ $in: values })),
  fc.array(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ $nin: values })),
  fc.boolean().map((value) => ({ $exists: value })),
  scalar.map((value) => ({ $not: { $eq: value } })),
);
const leaf = fc.tuple(fc.constantFrom("a", "b", "c", "a.d"), comparison).map(([field, test_]) => ({ [field]: test_ }));
const { query } = fc.letrec<{ query: Record<string, unknown> }>((tie) => ({
  query: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    leaf,
    fc
      .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(tie("query"), { minLength: 1, maxLength: 3 }))
      .map(([operator, of]) => ({ [operator]: of })),
  ),
}));

/** A CommonJS module whose types tell of its default export only. */
const sift = siftModule.default.default;

/** sift orders texts by UTF-16 and compares across types by JavaScript's rules, so it gets documents of one type each. */
test("the Mongo-like language means what sift makes of it where both say the same", () => {
  fc.assert(
    fc.property(query, document, (given, properties) => {
      assert.equal(matches(given, properties), sift(given)(properties), JSON.stringify([given, properties]));
    }),
    { numRuns: 3000 },
  );
});

test("double negation and De Morgan's laws hold, missing values included", () => {
  fc.assert(
    fc.property(query, query, document, (a, b, properties) => {
      assert.equal(matches({ $not: { $not: a } }, properties), matches(a, properties));
      assert.equal(matches({ $nor: [a, b] }, properties), matches({ $and: [{ $not: a }, { $not: b }] }, properties));
      assert.equal(
        matches({ $not: { $and: [a, b] } }, properties),
        matches({ $or: [{ $not: a }, { $not: b }] }, properties),
      );
    }),
  );
});

test("what is missing compares with nothing, and is unequal to everything", () => {
  const cases: readonly [unknown, Record<string, unknown>, boolean][] = [
    [{ a: null }, {}, false],
    [{ a: null }, { a: null }, true],
    [{ a: { $ne: 1 } }, {}, true],
    [{ a: { $nin: [1] } }, {}, true],
    [{ a: { $gt: 1 } }, { a: "2" }, false],
    [{ a: "1" }, { a: 1 }, false],
    [{ a: { $lt: "2024-02" } }, { a: "2024-01-31T10:00:00Z" }, true],
    [{ a: 1 }, { a: [1] }, false],
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, true],
    [{ "a.b": 1 }, { a: { b: 1 } }, true],
    [{ "properties.a": 1 }, { a: 1 }, true],
    [{ "a.0": 1 }, { a: [1] }, false],
    [{ a: { $contains: 1 } }, { a: [0, 1] }, true],
    [{ a: { $contains: 1 } }, { a: 1 }, false],
    [{ a: { $all: [1, "x"] } }, { a: ["x", 1, 2] }, true],
    [{ a: { $all: [1, "y"] } }, { a: ["x", 1, 2] }, false],
    [{ a: { $between: [1, 2] } }, { a: 2 }, true],
    [{ a: { $between: ["a", "b"] } }, { a: 2 }, false],
    [{ a: { $prefix: "ab" } }, { a: "abc" }, true],
    [{ a: { $like: "a%c_" } }, { a: "abbcd" }, true],
    [{ a: { $like: "a\\%%" } }, { a: "a%x" }, true],
    [{ a: { $like: "a\\%%" } }, { a: "axx" }, false],
    [{ a: { $like: "_" } }, { a: "\u{1F600}" }, true],
    [{ a: { $gt: "\uFFFD" } }, { a: "\u{1F600}" }, true],
    [{ constructor: { $exists: true } }, {}, false],
    [{ __proto__x: 1 }, {}, false],
    [{}, {}, true],
    [{ op: "isNull", args: [{ property: "a" }] }, {}, true],
    [{ op: "=", args: [2, { property: "a" }] }, { a: 2 }, true],
    [{ op: "<", args: [2, { property: "a" }] }, { a: 3 }, true],
    [
      { op: "t_after", args: [{ property: "t" }, { timestamp: "2024-01-01T00:00:00Z" }] },
      { t: "2024-01-02T00:00:00Z" },
      true,
    ],
    [{ op: "t_during", args: [{ property: "t" }, { interval: ["2024-01-01", ".."] }] }, { t: "2024-01-01" }, false],
    [{ op: "t_intersects", args: [{ property: "t" }, { interval: ["2024-01-01", ".."] }] }, { t: "2024-01-01" }, true],
    [{ op: "a_contains", args: [{ property: "a" }, ["x"]] }, { a: ["x", "y"] }, true],
    [{ op: "a_overlaps", args: [{ property: "a" }, ["z", "y"]] }, { a: ["x", "y"] }, true],
    [{ op: "between", args: [{ property: "a" }, 1, 3] }, { a: 3 }, true],
    [{ op: "not", args: [{ op: "in", args: [{ property: "a" }, [1, 2]] }] }, {}, true],
    [{ op: "and", args: [true, { op: "like", args: [{ property: "a" }, "x%"] }] }, { a: "xy" }, true],
  ];
  for (const [given, properties, expected] of cases) {
    assert.equal(matches(given, properties), expected, JSON.stringify([given, properties]));
  }
});

test("a geometry that is missing has no relation to any", () => {
  const box = { bbox: [0, 0, 1, 1] };
  for (const op of ["s_intersects", "s_within", "s_contains", "s_disjoint"]) {
    assert.equal(matches({ op, args: [{ property: "geometry" }, box] }, {}), false, op);
  }
  const point = gridGeometry({ type: "Point", coordinates: [5, 5] });
  const disjoint = parseQuery({ op: "s_disjoint", args: [box, { property: "geometry" }] }, "");
  assert.equal(queryPredicate(disjoint)({ id: "", properties: {}, geometry: point }), true);
});

test("a query that is not understood is told where", () => {
  const nested = (depth: number): unknown => (depth === 0 ? { a: 1 } : { $and: [nested(depth - 1)] });
  const cases: readonly [unknown, string, RegExp][] = [
    [{ $where: "1" }, "/$where", /unknown operator/],
    [{ a: { $regex: "x" } }, "/a/$regex", /expected \$eq/],
    [{ a: { $gt: true } }, "/a/$gt", /order/],
    [{ a: { $gt: Number.POSITIVE_INFINITY } }, "/a/$gt", /finite/],
    [{ a: { $in: 1 } }, "/a/$in", /array/],
    [{ a: { $in: Array.from({ length: 1001 }, (_, i) => i) } }, "/a/$in", /at most 1000/],
    [{ "a b": 1 }, "/a b", /letters/],
    [{ "a'; drop table features; --": 1 }, "/a'; drop table features; --", /no property path/],
    [{ "a..b": 1 }, "/a..b", /no property path/],
    [{ "a/b~c": 1 }, "/a~1b~0c", /no property path/],
    [{ "a.b.c.d.e.f.g.h.i": 1 }, "/a.b.c.d.e.f.g.h.i", /at most 8/],
    [{ $or: [{ a: 1 }, { b: { $lte: null } }] }, "/$or/1/b/$lte", /order/],
    [{ $or: [] }, "/$or", /at least 1/],
    [nested(8), "/$and/0/$and/0/$and/0/$and/0/$and/0/$and/0/$and/0/$and/0", /nested/],
    [{ $or: Array.from({ length: 201 }, () => ({ a: 1 })) }, "/$or/99/a", /200/],
    [{ a: "x\0" }, "/a", /U\+0000/],
    [{ a: "\uD800" }, "/a", /surrogate/],
    [{ a: "x".repeat(5000) }, "/a", /4096/],
    [{ a: { $like: "x\\" } }, "/a/$like", /escape/],
    [{ geometry: 1 }, "/geometry", /\$geoIntersects/],
    [{ geometry: { $geoWithin: { type: "Circle" } } }, "/geometry/$geoWithin", /GeoJSON/],
    [
      { geometry: { $geoIntersects: { type: "Point", coordinates: [0, 91] } } },
      "/geometry/$geoIntersects/coordinates",
      /latitude/,
    ],
    [
      { geometry: { $near: { $geometry: { type: "Point", coordinates: [0, 1] } } } },
      "/geometry/$near/$maxDistance",
      /metres/,
    ],
    [{ geometry: { $gt: 1 } }, "/geometry/$gt", /geometry takes/],
    [{ op: "casei", args: [] }, "/op", /unknown operator/],
    [{ op: "=", args: [{ property: "a" }, { property: "b" }] }, "/args/1", /each other/],
    [{ op: "=", args: [1] }, "/args", /2 arguments/],
    [
      { op: "and", args: [{ op: "=", args: [{ property: "a.$b" }, 1] }] },
      "/args/0/args/0/property",
      /no property path/,
    ],
    [{ op: "s_within", args: [{ property: "x" }, { bbox: [0, 0, 1, 1] }] }, "/args/0/property", /geometry/],
    [{ op: "t_before", args: [{ property: "x" }, { date: "2024-02-30" }] }, "/args/1/date", /ISO/],
    [{ op: "s_dwithin", args: [{ property: "geometry" }, { bbox: [0, 0, 1, 1] }, 1, "miles"] }, "/args/3", /meters/],
  ];
  for (const [given, path, message] of cases) {
    assert.throws(
      () => parseQuery(given, ""),
      (error) => error instanceof QueryError && error.path === path && message.test(error.message),
      `${JSON.stringify(given).slice(0, 100)} should fail at ${path}`,
    );
  }
});

test("a pattern that backtracks takes no time", () => {
  const start = performance.now();
  assert.equal(matches({ a: { $like: `${"%a".repeat(100)}%b` } }, { a: "a".repeat(20_000) }), false);
  assert.ok(performance.now() - start < 2000);
});
