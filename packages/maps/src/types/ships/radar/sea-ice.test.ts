import assert from "node:assert/strict";
import { test } from "node:test";
import { seededGamma, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { fleet, parameters, seaWith } from "../sea/drawn-sea-testing.ts";
import { shipsOf, type SeaScene } from "../sea/sea-testing.ts";
import { ships as shipSearch } from "../ships.ts";

/** Floes: patches of eight pixels that are each far brighter or darker than the next. */
function icy(scene: SeaScene, fromColumn: number, seed: number): SeaScene {
  const uniform = seededUniform(seed);
  const patch = seededGamma(0.15, uniform);
  const side = 8;
  const [power] = scene.planes;
  if (power === undefined) return scene;
  for (let row = 0; row < scene.rows; row += side) {
    for (let column = fromColumn; column < scene.columns; column += side) {
      const level = patch();
      for (let y = row; y < Math.min(row + side, scene.rows); y++) {
        for (let x = column; x < Math.min(column + side, scene.columns); x++) power[y * scene.columns + x] *= level;
      }
    }
  }
  return scene;
}

test("nothing is looked for in sea ice, and the result says so", () => {
  const side = 768;
  const scene = icy(seaWith(side, side, Infinity, fleet(side, 200, 3), 4), 0, 5);
  const { objects, model } = shipsOf(scene, parameters());
  assert.equal(objects.length, 0);
  const told = shipSearch.describe!(model);
  assert.ok(Number(told["seaIceShare"]) > 0.5, JSON.stringify(told));
  assert.match(String(told["note"]), /no ships were looked for/);
});

test("ice on a part of the sea hides that part only", () => {
  const side = 1024;
  const ships = fleet(side, 200, 7);
  const scene = icy(seaWith(side, side, 4, ships, 8), 640, 9);
  const { objects, model } = shipsOf(scene, parameters());
  const told = shipSearch.describe!(model);
  assert.equal(told["note"], undefined, JSON.stringify(told));
  const open = ships.filter(({ column }) => column < 560);
  const found = open.filter((ship) =>
    objects.some(({ centre }) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 20),
  );
  assert.ok(found.length >= 0.8 * open.length, `${found.length} of ${open.length}`);
  assert.deepEqual(
    objects.filter(({ centre }) => centre[0] > 720),
    [],
  );
});
