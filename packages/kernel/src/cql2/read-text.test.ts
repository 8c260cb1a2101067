import assert from "node:assert/strict";
import { test } from "node:test";
import { Cql2Error, type Expression } from "./expression.ts";
import { readCql2Json } from "./read-json.ts";
import { readCql2Text } from "./read-text.ts";

const property = (name: string) => ({ property: name });

// Pairs of the two encodings, after the examples of OGC 21-065r2.
const PAIRS: readonly (readonly [text: string, json: unknown])[] = [
  ["city='Toronto'", { op: "=", args: [property("city"), "Toronto"] }],
  ["a <> -1.5e2", { op: "<>", args: [property("a"), -150] }],
  [
    "a = 1 OR b = 2 AND NOT c = TRUE",
    {
      op: "or",
      args: [
        { op: "=", args: [property("a"), 1] },
        {
          op: "and",
          args: [
            { op: "=", args: [property("b"), 2] },
            { op: "not", args: [{ op: "=", args: [property("c"), true] }] },
          ],
        },
      ],
    },
  ],
  [
    "(a + 2) * 3 > b",
    {
      op: ">",
      args: [{ op: "*", args: [{ op: "+", args: [property("a"), 2] }, 3] }, property("b")],
    },
  ],
  ["a - 1 - 2 = 0", { op: "=", args: [{ op: "-", args: [{ op: "-", args: [property("a"), 1] }, 2] }, 0] }],
  ["eo:cloud_cover BETWEEN 10 AND 20", { op: "between", args: [property("eo:cloud_cover"), 10, 20] }],
  ["name NOT LIKE 'it''s%'", { op: "not", args: [{ op: "like", args: [property("name"), "it's%"] }] }],
  ["a IN (1, 2)", { op: "in", args: [property("a"), [1, 2]] }],
  ['"my name" IS NOT NULL', { op: "not", args: [{ op: "isNull", args: [property("my name")] }] }],
  [
    "CASEI(a) = casei('B')",
    {
      op: "=",
      args: [
        { op: "casei", args: [property("a")] },
        { op: "casei", args: ["B"] },
      ],
    },
  ],
  [
    "T_DURING(t, INTERVAL('2024-01-01', '..'))",
    { op: "t_during", args: [property("t"), { interval: ["2024-01-01", ".."] }] },
  ],
  ["t > TIMESTAMP('2024-01-01T00:00:00Z')", { op: ">", args: [property("t"), { timestamp: "2024-01-01T00:00:00Z" }] }],
  ["A_CONTAINS(tags, ('a', 'b'))", { op: "a_contains", args: [property("tags"), ["a", "b"]] }],
  [
    "S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 -1, 0 0)))",
    {
      op: "s_intersects",
      args: [
        property("geometry"),
        {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, -1],
              [0, 0],
            ],
          ],
        },
      ],
    },
  ],
  [
    "S_INTERSECTS(geometry, BBOX(0, 1, 2, 3))",
    { op: "s_intersects", args: [property("geometry"), { bbox: [0, 1, 2, 3] }] },
  ],
  [
    "S_INTERSECTS(geometry, MULTIPOINT((1 2), (3 4)))",
    {
      op: "s_intersects",
      args: [
        property("geometry"),
        {
          type: "MultiPoint",
          coordinates: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    },
  ],
];

for (const [text, json] of PAIRS) {
  test(`both encodings read alike: ${text}`, () => {
    assert.deepEqual(readCql2Text(text), readCql2Json(json));
  });
}

test("a comparison has its operator and its operands in order", () => {
  const expected: Expression = {
    kind: "call",
    op: "<",
    args: [
      { kind: "property", name: "a" },
      { kind: "instant", ms: Date.UTC(2024, 0, 1), dayLong: true },
    ],
  };
  assert.deepEqual(readCql2Text("a < DATE('2024-01-01')"), expected);
});

test("malformed filters are refused", () => {
  const malformed = [
    "",
    "a =",
    "= 1",
    "a = 1)",
    "(a = 1",
    "a = 'open",
    "a NOT 1",
    "a IS 1",
    "a = 1 b = 2",
    "AND",
    "a ? 1",
    "t > TIMESTAMP('yesterday')",
    "POINT(1)",
    `${"(".repeat(33)}a${")".repeat(33)}`,
    `a = ${"1 + ".repeat(2001)}1`,
    `a = '${"x".repeat(16_384)}'`,
  ];
  for (const text of malformed) assert.throws(() => readCql2Text(text), Cql2Error, text.slice(0, 40));
});

test("malformed filters in JSON are refused", () => {
  let deep: unknown = true;
  for (let level = 0; level < 34; level += 1) deep = { op: "not", args: [deep] };
  const malformed = [
    {},
    { op: 1, args: [] },
    { op: "=" },
    { property: 1 },
    { timestamp: 1 },
    { interval: [1] },
    { bbox: [1] },
  ];
  for (const json of [...malformed, deep, Array.from({ length: 2001 }, () => 1), undefined]) {
    assert.throws(() => readCql2Json(json), Cql2Error);
  }
});
