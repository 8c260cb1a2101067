import assert from "node:assert/strict";
import { test } from "node:test";
import { seededNormal, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { shipsOf, withoutLastDigits, type SeaScene } from "../sea/sea-testing.ts";
import type { ShipParameters } from "../ships.ts";

const PIXEL_M = 3;
const SIDE = 600;
const WATER = [0.06, 0.05, 0.035, 0.02] as const;

const parameters: ShipParameters = {
  mode: "optical",
  className: "ships",
  lengthM: [0, null],
  pixelM: PIXEL_M,
  roles: ["B", "G", "R", "N"],
  isReflectance: true,
  falseAlarmRate: 1e-6,
};

interface Patch {
  readonly column: number;
  readonly row: number;
  readonly lengthM: number;
  readonly widthM: number;
  readonly headingDeg: number;
  readonly colour: readonly number[];
}

/** Water of slowly changing colour with noise that the bands share in part, and flat patches on it. */
function water(patches: readonly Patch[], seed: number): SeaScene {
  const normal = seededNormal(seededUniform(seed));
  const planes = WATER.map(() => new Float32Array(SIDE * SIDE));
  for (let i = 0; i < SIDE * SIDE; i++) {
    const swell = normal() * 0.002;
    const drift = 0.01 * Math.sin((i % SIDE) / 150) * Math.cos(Math.floor(i / SIDE) / 190);
    for (const [b, plane] of planes.entries()) plane[i] = WATER[b] + drift + swell + normal() * 0.001;
  }
  for (const { column, row, lengthM, widthM, headingDeg, colour } of patches) {
    const [sine, cosine] = [Math.sin((headingDeg * Math.PI) / 180), Math.cos((headingDeg * Math.PI) / 180)];
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        const right = (x + 0.5 - column) * PIXEL_M;
        const down = (y + 0.5 - row) * PIXEL_M;
        if (Math.abs(right * sine - down * cosine) > lengthM / 2) continue;
        if (Math.abs(right * cosine + down * sine) > widthM / 2) continue;
        for (const [b, plane] of planes.entries()) plane[y * SIDE + x] = colour[b] + normal() * 0.004;
      }
    }
  }
  return { columns: SIDE, rows: SIDE, planes, land: null, pixelM: PIXEL_M };
}

const RED = [0.06, 0.07, 0.25, 0.3] as const;
const GREEN = [0.06, 0.1, 0.045, 0.09] as const;
const WHITE = [0.5, 0.5, 0.5, 0.45] as const;
const SAND = [0.15, 0.2, 0.25, 0.32] as const;

const SHIPS: readonly Patch[] = [
  { column: 120, row: 130, lengthM: 230, widthM: 36, headingDeg: 20, colour: RED },
  { column: 400, row: 150, lengthM: 180, widthM: 30, headingDeg: 100, colour: GREEN },
  { column: 230, row: 400, lengthM: 60, widthM: 14, headingDeg: 150, colour: WHITE },
  { column: 480, row: 420, lengthM: 330, widthM: 55, headingDeg: 60, colour: WHITE },
];

test("ships of any colour are found on water and measured", () => {
  const { objects } = shipsOf(water(SHIPS, 3), parameters);
  assert.equal(objects.length, SHIPS.length);
  for (const ship of SHIPS) {
    const found = objects.find(({ centre }) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 5);
    assert.ok(found !== undefined, `ship at ${ship.column}, ${ship.row}`);
    const { lengthM, widthM, headingDeg } = found.properties;
    assert.ok(Math.abs(Number(lengthM) - ship.lengthM) < 10, `${lengthM} m long, expected ${ship.lengthM}`);
    assert.ok(Math.abs(Number(widthM) - ship.widthM) < 8, `${widthM} m wide, expected ${ship.widthM}`);
    assert.ok(Math.abs((Number(headingDeg) % 180) - ship.headingDeg) < 3, `${headingDeg}, expected ${ship.headingDeg}`);
  }
});

test("water alone gives nothing, and islands, long walls and round clouds are no ships", () => {
  assert.deepEqual(shipsOf(water([], 4), parameters).objects, []);
  const island = { column: 150, row: 150, lengthM: 260, widthM: 200, headingDeg: 10, colour: SAND };
  const wall = { column: 330, row: 420, lengthM: 1200, widthM: 20, headingDeg: 80, colour: SAND };
  const cloud = { column: 450, row: 130, lengthM: 130, widthM: 125, headingDeg: 0, colour: WHITE };
  assert.deepEqual(shipsOf(water([island, wall, cloud], 5), parameters).objects, []);
});

test("objects do not depend on the blocks they were found in", () => {
  const scene = water(SHIPS, 6);
  const whole = shipsOf(scene, parameters);
  const parts = shipsOf(scene, parameters, 256);
  assert.equal(whole.objects.length, SHIPS.length);
  assert.deepEqual(withoutLastDigits(parts.objects), withoutLastDigits(whole.objects));
  assert.deepEqual(parts.classes, whole.classes);
});

test("missing data in one band hides a pixel, and its border is no ship", () => {
  const scene = water(SHIPS.slice(2), 7);
  for (let row = 0; row < SIDE; row++) scene.planes[3].fill(Number.NaN, row * SIDE, row * SIDE + 90 + (row % 7));
  const { objects, classes } = shipsOf(scene, parameters);
  assert.equal(objects.length, 2);
  assert.equal(classes[0], 0);
});

test("a wake tells the bow from the stern", () => {
  const heading = 40;
  const sine = Math.sin((heading * Math.PI) / 180);
  const cosine = Math.cos((heading * Math.PI) / 180);
  const ship = { column: 380, row: 300, lengthM: 90, widthM: 18, headingDeg: heading, colour: WHITE };
  const wakeM = 330;
  const back = (ship.lengthM + wakeM) / 2 / PIXEL_M;
  const foam = WATER.map((level) => level + 0.012);
  const wake = {
    column: ship.column - back * sine,
    row: ship.row + back * cosine,
    lengthM: wakeM,
    widthM: 9,
    headingDeg: heading,
    colour: foam,
  };
  const { objects } = shipsOf(water([wake, ship], 8), parameters);
  const found = objects.find(({ centre }) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 15);
  assert.equal(found?.properties["wake"], "yes");
  assert.ok(Math.abs(Number(found?.properties["headingDeg"]) - heading) < 6, `${found?.properties["headingDeg"]}`);
});
