import assert from "node:assert/strict";
import { test } from "node:test";
import { shownColours } from "./shown-colours.ts";

const MADE = { water: [0, 0, 255], forest: [0, 128, 0] };

test("without classes of its own a layer shows the classes of its map type", () => {
  assert.equal(shownColours(MADE, null), MADE);
  assert.equal(shownColours(MADE, { kind: "percentiles" }), MADE);
});

test("a class that a link names like a member of every object has no colour", () => {
  const classification = "constructor\na:toString\n__proto__:water:#000000";
  const shown = shownColours(MADE, { kind: "classes", classification });
  assert.deepEqual(Object.entries(shown), [["__proto__", [0, 0, 0]]]);
});

test("own classes have their colour, or the one of their first member", () => {
  const classification = "wet:water:#102030\n green : forest ; water\nunknown:vegetation";
  assert.deepEqual(shownColours(MADE, { kind: "classes", classification }), {
    wet: [16, 32, 48],
    green: [0, 128, 0],
    water: [0, 0, 255],
  });
  const ranges = "bare::0.2:#B0903C\ngreen:0.2::#1a9641";
  assert.deepEqual(shownColours({}, { kind: "classes", classification: ranges }), {
    bare: [176, 144, 60],
    green: [26, 150, 65],
  });
});
