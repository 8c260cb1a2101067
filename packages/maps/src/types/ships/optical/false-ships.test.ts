import assert from "node:assert/strict";
import { test } from "node:test";
import { seededNormal, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { shipsOf, type SeaScene } from "../sea/sea-testing.ts";
import type { ShipParameters } from "../ships.ts";

const SIDE = 320;
const WATER = [0.06, 0.05, 0.035, 0.02] as const;
const STEEL = [0.2, 0.2, 0.19, 0.17] as const;
/** A bottom of sand under clear water: light in blue and green, none in the infrared. */
const SHOAL = [0.13, 0.13, 0.07, 0.022] as const;
/** A mat of floating weed. */
const WEED = [0.04, 0.07, 0.06, 0.3] as const;

interface Shape {
  readonly colour: readonly number[];
  /** Whether a place in pixels belongs to it. */
  readonly covers: (column: number, row: number) => boolean;
}

const bar = (left: number, top: number, columns: number, rows: number, colour: readonly number[] = STEEL): Shape => ({
  colour,
  covers: (x, y) => x >= left && x < left + columns && y >= top && y < top + rows,
});

function sea(shapes: readonly Shape[], pixelM: number, seed: number): SeaScene {
  const normal = seededNormal(seededUniform(seed));
  const planes = WATER.map(() => new Float32Array(SIDE * SIDE));
  for (let i = 0; i < SIDE * SIDE; i++) {
    const swell = normal() * 0.002;
    const shape = shapes.find(({ covers }) => covers(i % SIDE, Math.floor(i / SIDE)));
    for (const [b, plane] of planes.entries()) {
      plane[i] = (shape?.colour[b] ?? WATER[b]) + (shape === undefined ? swell : 0) + normal() * 0.001;
    }
  }
  return { columns: SIDE, rows: SIDE, planes, land: null, pixelM };
}

const parameters = (pixelM: number): ShipParameters => ({
  mode: "optical",
  className: "ships",
  lengthM: [50, null],
  pixelM,
  roles: ["B", "G", "R", "N"],
  isReflectance: true,
  falseAlarmRate: 1e-6,
});

const centresOf = (shapes: readonly Shape[], pixelM: number, seed: number): readonly string[] =>
  shipsOf(sea(shapes, pixelM, seed), parameters(pixelM))
    .objects.map(({ centre: [column, row] }) => `${Math.round(column)},${Math.round(row)}`)
    .toSorted();

test("at ten metres a shoal and a mat of weed of the size of a ship are none, the ship beside them is", () => {
  const ship = bar(60, 60, 4, 18);
  assert.deepEqual(centresOf([ship], 10, 1), ["62,69"]);
  assert.deepEqual(centresOf([ship, bar(160, 60, 4, 18, SHOAL), bar(60, 200, 4, 18, WEED)], 10, 1), ["62,69"]);
});

test("a pier that reaches the edge of the data is no ship, a detached pier of that shape is one", () => {
  const ship = bar(200, 60, 8, 40);
  assert.deepEqual(centresOf([ship, bar(0, 200, 60, 8)], 3, 2), ["204,80"]);
  assert.deepEqual(centresOf([ship, bar(100, 200, 60, 8)], 3, 2), ["130,204", "204,80"]);
});
