import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { EMPTY_STATE, type ConsoleState } from "./console-state.ts";
import type { Drawing } from "./maps/drawing.ts";
import { formatState } from "./format-state.ts";
import { parseState } from "./parse-state.ts";

/** Without negative zero, which no text keeps. */
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true }).map((value) => value + 0);
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const day = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("2100-12-31T00:00:00Z"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const pair = (min: number, max: number) =>
  fc
    .tuple(between(min, max), between(min, max))
    .filter(([a, b]) => a !== b)
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);

const drawing: fc.Arbitrary<Drawing> = fc.oneof(
  fc.integer({ min: -1_000, max: 1_000 }).map((low) => ({ kind: "limits" as const, low, high: low + 0.25 })),
  fc.constant({ kind: "percentiles" as const }),
  fc.string({ minLength: 1, maxLength: 100 }).map((classification) => ({ kind: "classes" as const, classification })),
);

const states: fc.Arbitrary<ConsoleState> = fc.record({
  view: fc.option(fc.record({ longitude: between(-180, 180), latitude: between(-90, 90), zoom: between(0, 30) })),
  area: fc.option(
    fc.oneof(
      fc.record({ geometryId: text }),
      fc.tuple(pair(-180, 180), pair(-90, 90), fc.boolean()).map(([[a, b], [south, north], crosses]) => ({
        box: { west: crosses ? b : a, south, east: crosses ? a : b, north },
      })),
    ),
  ),
  time: fc.option(
    fc
      .tuple(fc.option(day), fc.option(day))
      .map(([a, b]) => (a !== null && b !== null && b < a ? { start: b, end: a } : { start: a, end: b })),
  ),
  datasets: fc.array(fc.record({ provider: text, dataset: text }), { maxLength: 5 }),
  cloud: fc.option(
    fc
      .tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }))
      .map(([a, b]) => ({ least: Math.min(a, b), most: Math.max(a, b) })),
  ),
  offNadir: fc.option(fc.integer({ min: 1, max: 90 })),
  gsd: fc.option(between(0.1, 1_000)),
  layers: fc.array(
    fc.record(
      { mapId: text, fileName: text, opacity: between(0, 1), drawing },
      { requiredKeys: ["mapId", "fileName", "opacity"] },
    ),
    { maxLength: 5 },
  ),
  comparison: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant("swipe" as const), share: between(0, 1) }),
      fc.record({ kind: fc.constantFrom("split" as const, "blink" as const) }),
    ),
  ),
  selectedSceneId: fc.option(text),
  pins: fc.array(fc.record({ sceneId: text, day }), { maxLength: 5 }),
  objectFilter: fc.option(text),
  selectedObjectId: fc.option(text),
  hasPatterns: fc.boolean(),
  theme: fc.option(fc.constantFrom("dark" as const, "light" as const)),
});

test("a link restores the state that it was made of", () => {
  fc.assert(
    fc.property(states, (state) => {
      // Generated records have no prototype.
      assert.deepEqual(parseState(formatState(state)), { state: structuredClone(state), dropped: [] });
    }),
    { numRuns: 1000, endOnFailure: true },
  );
});

test("a link has the documented form", () => {
  const state: ConsoleState = {
    ...EMPTY_STATE,
    view: { longitude: 174.87, latitude: -36.88, zoom: 12.5 },
    area: { box: { west: 179, south: -20, east: -179, north: -10 } },
    time: { start: "2024-09-01", end: null },
    datasets: [{ provider: "local", dataset: "uploads" }],
    cloud: { least: 0, most: 20 },
    offNadir: 30,
    gsd: 0.5,
  };
  assert.equal(
    decodeURIComponent(formatState(state)),
    "v=174.87,-36.88,12.5&aoi=179,-20,-179,-10&t=2024-09-01/&d=local.uploads&cloud=0-20&nadir=30&gsd=0.5",
  );
  assert.equal(formatState(EMPTY_STATE), "");
});

test("any text is read without an error", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (query) => {
      assert.equal(typeof parseState(query).state, "object");
    }),
    { endOnFailure: true },
  );
});

for (const [name, query] of [
  ["a latitude beyond the pole", "v=0,91,3"],
  ["a number in exponents that overflow", "v=1e999,0,3"],
  ["a box without height", "aoi=0,1,2,1"],
  ["a day that the calendar lacks", "t=2024-04-31/"],
  ["a period that ends before it starts", "t=2024-05-02/2024-05-01"],
  ["cloud above 100 percent", "cloud=0-101"],
  ["an angle beyond the horizon", "nadir=91"],
  ["pixels without size", "gsd=0"],
  ["an escape that ends early", "d=a%25.b"],
  ["a layer without opacity", "l=map:ndvi.png"],
  ["more layers than a link holds", `l=${Array.from({ length: 21 }, () => "m:f:1").join(",")}`],
  ["a member that objects inherit", "constructor=1"],
  ["a pin of no day", "pin=2024-13-01:scene"],
  ["a pin of no scene", "pin=2024-06-03:"],
  ["a comparison beyond the edge", "cmp=swipe:1.2"],
  ["a comparison of two modes", "cmp=split,blink"],
  ["an unknown theme", "ui=neon"],
  ["patterns neither on nor absent", "pat=yes"],
] as const) {
  test(`${name} is dropped and named, and the rest of the link is kept`, () => {
    const { state, dropped } = parseState(`${query}&sel=scene`);
    assert.deepEqual(state, { ...EMPTY_STATE, selectedSceneId: "scene" });
    assert.deepEqual(dropped, [query.split("=")[0]]);
  });
}
