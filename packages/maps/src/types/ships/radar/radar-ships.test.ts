import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject } from "../../../analysis/block.ts";
import { seededGamma, seededUniform } from "../../../analysis/clutter/simulate-clutter.ts";
import { fleet, LOOKS, parameters, PIXEL_M, seaWith } from "../sea/drawn-sea-testing.ts";
import { shipsOf, withoutLastDigits } from "../sea/sea-testing.ts";
import { BACKGROUND, SHIP } from "../ship-classes.ts";
import type { ShipParameters } from "../ships.ts";

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function property(object: FoundObject, name: string): number {
  return Number(object.properties[name]);
}

test("ships on a rough sea are found and measured", () => {
  const side = 1000;
  const drawn = fleet(side, 125, 31);
  const { objects } = shipsOf(seaWith(side, side, 4, drawn, 32), parameters());
  const pairs = drawn.flatMap((ship) => {
    const found = objects.filter(
      ({ centre }) =>
        Math.hypot(centre[0] - ship.column, centre[1] - ship.row) * PIXEL_M <= Math.max(200, ship.lengthM),
    );
    return found.length === 0 ? [] : [{ ship, object: found[0] }];
  });
  const recall = pairs.length / drawn.length;
  const precision = pairs.length / objects.length;
  assert.equal(drawn.length, 64);
  assert.ok(recall >= 0.85, `recall ${recall}`);
  assert.ok(precision >= 0.95, `precision ${precision}`);
  const lengthError = mean(pairs.map(({ ship, object }) => Math.abs(property(object, "lengthM") - ship.lengthM)));
  const widthError = mean(pairs.map(({ ship, object }) => Math.abs(property(object, "widthM") - ship.widthM)));
  const headingError = mean(
    pairs
      .filter(({ ship }) => ship.lengthM > 80)
      .map(({ ship, object }) => {
        const off = Math.abs(property(object, "headingDeg") - ship.headingDeg) % 180;
        return Math.min(off, 180 - off);
      }),
  );
  assert.ok(lengthError < 20, `length is off by ${lengthError} m`);
  assert.ok(widthError < 8, `width is off by ${widthError} m`);
  assert.ok(headingError < 4, `heading is off by ${headingError} degrees`);
});

test("open sea without ships gives no ships, whatever its texture", () => {
  for (const nu of [Infinity, 4, 1.5]) {
    const { objects, classes } = shipsOf(seaWith(500, 500, nu, [], 40), parameters());
    assert.deepEqual(objects, [], `nu ${nu}`);
    assert.ok(classes.every((value) => value === BACKGROUND));
  }
});

test("sea that is steadier than its looks gives no ships either", () => {
  const scene = seaWith(500, 500, Infinity, [], 41);
  for (const plane of scene.planes) for (let i = 0; i < plane.length; i++) plane[i] += 0.003;
  assert.deepEqual(shipsOf(scene, parameters()).objects, []);
});

test("a line is a wake or a wall, a bar is a ship", () => {
  const bar = { column: 150, row: 150, lengthM: 240, widthM: 34, headingDeg: 70, contrastDb: 20 };
  const line = { ...bar, column: 350, row: 330, lengthM: 400, widthM: 10, headingDeg: 90 };
  const { objects } = shipsOf(seaWith(500, 500, 8, [bar, line], 42), parameters());
  assert.deepEqual(
    objects.map(({ centre }) => Math.round(centre[0] / 50)),
    [3],
  );
});

test("objects do not depend on the blocks they were found in", () => {
  const side = 600;
  const scene = seaWith(side, side, 4, fleet(side, 120, 51), 52);
  const whole = shipsOf(scene, parameters());
  const parts = shipsOf(scene, parameters(), 300);
  assert.ok(whole.objects.length > 18);
  assert.deepEqual(withoutLastDigits(parts.objects), withoutLastDigits(whole.objects));
  assert.deepEqual(parts.classes, whole.classes);
});

test("a slanted edge of the data gives no false ships and hides none near it", () => {
  const side = 700;
  const drawn = fleet(side, 140, 61).map((ship) => ({ ...ship, contrastDb: 22, lengthM: 200, widthM: 32 }));
  const scene = seaWith(side, side, 8, drawn, 62);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < 150 + row / 6; column++) scene.planes[0][row * side + column] = Number.NaN;
  }
  const { objects, classes } = shipsOf(scene, parameters());
  const whole = drawn.filter(({ column, row }) => column > 150 + row / 6 + 14);
  for (const ship of whole) {
    assert.ok(
      objects.some(({ centre }) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 10),
      `ship at ${ship.column}, ${ship.row}`,
    );
  }
  for (const { centre } of objects) {
    assert.ok(drawn.some((ship) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 20));
  }
  assert.equal(classes[0], 0);
});

test("land, piers and walls are no ships, though coastlines are wrong by 300 m", () => {
  const [columns, rows] = [900, 700];
  const offshore = fleet(900, 140, 71)
    .filter(({ column, row }) => column > 480 && row < 660)
    .map((ship) => ({ ...ship, contrastDb: 20, lengthM: 150, widthM: 24 }));
  const sea = seaWith(columns, rows, 8, offshore, 72);
  const power = sea.planes[0];
  const uniform = seededUniform(73);
  const speckle = seededGamma(LOOKS, uniform);
  for (let row = 0; row < rows; row++) {
    const shore = 300 + 40 * Math.sin(row / 60);
    for (let column = 0; column < columns; column++) {
      const isPier = row % 170 < 20 && column < shore + 60;
      const isWall = Math.abs(row - 600) < 2 && column >= 500 && column < 640;
      if (column >= shore && !isPier && !isWall) continue;
      const building = column < shore && uniform() < 0.01 ? 100 : 1;
      power[row * columns + column] = 0.12 * building * speckle();
    }
  }
  const land = Uint8Array.from({ length: columns * rows }, (_, i) => (i % columns < 330 ? 1 : 0));
  const { objects } = shipsOf({ ...sea, land }, parameters());
  const onLand = objects.filter(({ centre: [column, row] }) => column < 310 + 40 * Math.sin(row / 60));
  assert.deepEqual(
    onLand.map(({ centre }) => centre),
    [],
  );
  const apart = offshore.filter(({ row }) => Math.abs(row - 600) > 40);
  for (const ship of apart) {
    assert.ok(
      objects.some(({ centre }) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 10),
      `ship at ${ship.column}, ${ship.row}`,
    );
  }
  const isFalse = ({ centre }: FoundObject): boolean =>
    !offshore.some((ship) => Math.hypot(centre[0] - ship.column, centre[1] - ship.row) < 20);
  assert.ok(objects.filter(isFalse).length <= 1, JSON.stringify(objects.filter(isFalse).map(({ centre }) => centre)));
});

test("what either polarisation shows is found, once", () => {
  const ship = { column: 150, row: 150, lengthM: 180, widthM: 28, headingDeg: 30, contrastDb: 20 };
  const other = { ...ship, column: 300, row: 280, headingDeg: 120 };
  const first = seaWith(450, 450, 8, [ship], 81);
  const second = seaWith(450, 450, 8, [ship, other], 82);
  const scene = { ...first, planes: [first.planes[0], second.planes[0]] };
  const { objects, classes } = shipsOf(scene, parameters());
  assert.equal(objects.length, 2);
  assert.equal(classes[150 * 450 + 150], SHIP);
  for (const object of objects) {
    assert.equal(object.className, "ships");
    assert.ok(object.confidence > 0.9);
    assert.equal(object.corners.length, 4);
  }
});

test("a weak echo at the ambiguity of a strong ship, or on its side lobe, is left out", () => {
  const strong = { column: 300, row: 150, lengthM: 250, widthM: 40, headingDeg: 80, contrastDb: 38 };
  const angle = (12 * Math.PI) / 180;
  const away = { column: strong.column + 400 * Math.sin(angle), row: strong.row + 400 * Math.cos(angle) };
  const ghost = { ...away, lengthM: 60, widthM: 30, headingDeg: 170, contrastDb: 15 };
  const real = { ...ghost, column: 120, row: 420 };
  const scene = seaWith(600, 650, 8, [strong, ghost, real], 91);
  const rows = (told: ShipParameters): readonly number[] =>
    shipsOf(scene, told).objects.map(({ centre }) => Math.round(centre[1] / 50));
  assert.deepEqual(rows(parameters()), [3, 8, 11]);
  assert.deepEqual(rows(parameters({ ambiguityM: [4000] })), [3, 8]);
});
