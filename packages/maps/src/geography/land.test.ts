import assert from "node:assert/strict";
import { test } from "node:test";
import { landMask } from "./land.ts";

const [COLUMNS, ROWS] = [720, 240];

/** Half degrees from 60 degrees south to 60 degrees north, with their known cover. */
const PLACES = [
  ["Chad", 18, 15, 1],
  ["Australia", 134, -25, 1],
  ["Brazil", -55, -10, 1],
  ["Atlantic", -30, 0, 0],
  ["Indian Ocean", 75, -25, 0],
  ["Pacific", -140, 5, 0],
  ["Pacific at the date line", 179.6, 5, 0],
  ["Viti Levu", 177.9, -17.8, 1],
] as const;

const plain = (lon: number): number => lon;
const wrapped = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

function isLand(mask: Uint8Array, west: number, lon: number, lat: number): number | undefined {
  const column = Math.floor((((lon - west) % 360) + 360) % 360) * 2 + ((lon - west) % 1 >= 0.5 ? 1 : 0);
  return mask[Math.floor((60 - lat) * 2) * COLUMNS + column];
}

test("a block as wide as the Earth has its land, wherever it begins and however longitudes are written", () => {
  for (const [west, write] of [
    [-180, plain],
    [-180, wrapped],
    [0, plain],
    [0, wrapped],
  ] as const) {
    const mask = landMask(COLUMNS, ROWS, (column, row) => [write(west + column / 2), 60 - row / 2]);
    for (const [name, lon, lat, expected] of PLACES)
      assert.equal(isLand(mask, west, lon, lat), expected, `${name} from ${west}`);
  }
});

test("a block across the date line has the land of both sides", () => {
  const mask = landMask(200, 80, (column, row) => [
    170 + column / 10 > 180 ? column / 10 - 190 : 170 + column / 10,
    70 - row / 10,
  ]);
  // Chukotka: 175 east and 175 west, 66 north.
  assert.equal(mask[40 * 200 + 50], 1);
  assert.equal(mask[40 * 200 + 150], 1);
  assert.equal(mask[75 * 200 + 100], 0);
});

test("corners beyond the edge of a projection are left out", () => {
  const mask = landMask(100, 100, (column, row) => {
    if (column < 20 && row < 20) throw new RangeError("beyond");
    return [10 + column / 10, 20 - row / 10];
  });
  assert.equal(mask[50 * 100 + 50], 1);
});

test("outlines across the date line and around the pole leave other places of their latitudes alone", () => {
  const places = [
    ["Lapland", 26, 67.5, 1],
    ["Norwegian Sea", 5, 67, 0],
    ["Alaska", -155, 67, 1],
    ["Antarctica", 100, -80, 1],
    ["Southern Ocean", 100, -60, 0],
    ["Chukotka", -175, 66.2, 1],
  ] as const;
  for (const [name, lon, lat, expected] of places) {
    const mask = landMask(20, 20, (column, row) => [lon - 0.5 + column / 20, lat + 0.5 - row / 20]);
    assert.equal(mask[10 * 20 + 10], expected, name);
  }
});
