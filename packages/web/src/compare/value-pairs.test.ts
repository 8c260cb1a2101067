import assert from "node:assert/strict";
import { test } from "node:test";
import { valuePairs } from "./value-pairs.ts";

type Layers = Parameters<typeof valuePairs>[1];
type Answer = NonNullable<Layers[number]["answer"]>;

function layer(mapId: string, values: Answer["values"]): Layers[number] {
  return { mapId, mapType: "some", answer: { point: [0, 0], resolutionM: 10, values, reason: null } };
}

const value = (name: string, number: number | null, more: { valid?: boolean; className?: string } = {}) => ({
  name,
  unit: null,
  value: number,
  valid: true,
  ...more,
});

test("the difference is B minus A", () => {
  const [pair] = valuePairs({ a: "1", b: "2" }, [layer("2", [value("N", 0.75)]), layer("1", [value("N", 0.5)])]);
  assert.equal(pair?.difference, 0.25);
});

test("values that one map lacks, invalid ones and classes have no difference", () => {
  const pairs = valuePairs({ a: "1", b: "2" }, [
    layer("1", [value("N", 1), value("cloud", 3, { className: "clear" }), value("R", 1, { valid: false })]),
    layer("2", [value("cloud", 1, { className: "cloud" }), value("R", 2), value("G", 2)]),
  ]);
  assert.deepEqual(
    pairs.map(({ name, difference }) => [name, difference]),
    [
      ["N", null],
      ["cloud", null],
      ["R", null],
      ["G", null],
    ],
  );
});

test("a map compared with itself differs by nothing", () => {
  const [pair] = valuePairs({ a: "1", b: "1" }, [layer("1", [value("N", 0.5)])]);
  assert.equal(pair?.difference, 0);
});
