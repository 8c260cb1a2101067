import assert from "node:assert/strict";
import { test } from "node:test";
import { seriesSvg, type SeriesPoint } from "./series-svg.ts";

const CAPTION = { title: "a < b", caption: "date, UTC" };
const at = (date: string, value: number | null): SeriesPoint => ({ timeMs: Date.parse(`${date}T00:00:00Z`), value });

test("points lie at their time and value, and dates without a value interrupt the line", () => {
  const points = [at("2024-02-10", 0.6), at("2024-01-01", 0.2), at("2024-01-11", null), at("2024-01-21", 0.4)];
  const svg = seriesSvg([{ name: "ndvi", points }], CAPTION) ?? "";
  const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
  // 40 days on 800 pixels; values from 0.2 to 0.6 on 304.
  assert.deepEqual(dots, [
    [70, 350],
    [470, 198],
    [870, 46],
  ]);
  assert.deepEqual(
    [...svg.matchAll(/<polyline points="([^"]+)"/g)].map(([, line]) => line),
    ["470,198 870,46"],
    "the first point stands alone",
  );
  assert.deepEqual(
    [...svg.matchAll(/class="gap" r="3" cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [x, y]),
    [["270", "350"]],
  );
  for (const words of ["a &lt; b", "2024-01-01", "2024-02-10", ">0.2<", ">0.6<", "date, UTC", ">ndvi<"]) {
    assert.ok(svg.includes(words), words);
  }
});

test("a point after a gap begins the line again, and the gap has no date and no mark", () => {
  const days = [at("2024-01-01", 0.2), at("2024-01-02", 0.2), { ...at("2024-01-21", 0.4), isAfterGap: true }];
  const svg = seriesSvg([{ name: "ndvi", points: [...days, at("2024-01-22", 0.4)] }], CAPTION) ?? "";
  assert.equal(svg.match(/<polyline/g)?.length, 2);
  assert.equal(svg.match(/<circle cx/g)?.length, 4);
  assert.equal(svg.match(/class="gap"/g), null);
});

test("a single date, equal values and no value at all are charts or none", () => {
  const one = [{ name: "one", points: [at("2024-01-01", 0)] }];
  assert.ok(seriesSvg(one, CAPTION)?.includes("<circle"));
  assert.equal(seriesSvg([{ name: "none", points: [at("2024-01-01", null)] }], CAPTION), null);
  assert.equal(seriesSvg([], CAPTION), null);
  const even = [{ name: "even", points: [at("2024-01-01", 3), at("2025-01-01", 3)] }];
  assert.doesNotMatch(seriesSvg(even, CAPTION) ?? "", /NaN|Infinity/);
});

test("many thousand points are drawn without a limit of the stack", () => {
  const points = Array.from({ length: 200_000 }, (_, day) => ({ timeMs: day * 60_000, value: Math.sin(day / 1000) }));
  const svg = seriesSvg([{ name: "many", points }], CAPTION) ?? "";
  assert.equal(svg.match(/<circle cx/g)?.length, 200_000);
});
