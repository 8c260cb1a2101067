import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject, PixelRect } from "../../analysis/block.ts";
import { cutBlock } from "../../analysis/cut-block-testing.ts";
import { CAR_VALUE, detectCars, GROUND_VALUE, TRUCK_VALUE } from "./detect-cars.ts";

const PIXEL_M = 0.4;
const SIDE = 400;
type Colour = readonly [blue: number, green: number, red: number];
const ASPHALT: Colour = [0.08, 0.085, 0.09];
const WHITE: Colour = [0.5, 0.52, 0.52];
const RED: Colour = [0.04, 0.05, 0.25];
const DARK: Colour = [0.02, 0.02, 0.02];

function colourOf(index: number): Colour {
  return index % 3 === 0 ? WHITE : index % 3 === 1 ? RED : DARK;
}

interface Vehicle {
  /** Middle, metres from the corner of the scene. */
  readonly xM: number;
  readonly yM: number;
  readonly lengthM: number;
  readonly widthM: number;
  /** From the column axis towards the row axis. */
  readonly angleDeg: number;
  readonly colour: Colour;
}

/** Rectangles on asphalt with shares of pixels at their edges, and a texture of two per cent. */
function drawn(vehicles: readonly Vehicle[]): readonly Float32Array[] {
  const planes = ASPHALT.map(() => new Float32Array(SIDE * SIDE));
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const texture = 1 + 0.02 * Math.sin(column * 12.9898 + row * 78.233);
      const near = vehicles.filter(({ xM, yM }) => Math.hypot(column * PIXEL_M - xM, row * PIXEL_M - yM) < 14);
      const mixed: number[] = [];
      for (let k = 0; k < 9; k++) {
        const x = (column + ((k % 3) + 0.5) / 3) * PIXEL_M;
        const y = (row + (Math.floor(k / 3) + 0.5) / 3) * PIXEL_M;
        const on = near.find((vehicle) => covers(vehicle, x, y));
        for (const [band, value] of (on?.colour ?? ASPHALT).entries()) mixed[band] = (mixed[band] ?? 0) + value / 9;
      }
      for (const [band, plane] of planes.entries()) plane[row * SIDE + column] = (mixed[band] ?? 0) * texture;
    }
  }
  return planes;
}

function covers({ xM, yM, lengthM, widthM, angleDeg }: Vehicle, x: number, y: number): boolean {
  const angle = (angleDeg * Math.PI) / 180;
  const along = (x - xM) * Math.cos(angle) + (y - yM) * Math.sin(angle);
  const across = -(x - xM) * Math.sin(angle) + (y - yM) * Math.cos(angle);
  return Math.abs(along) <= lengthM / 2 && Math.abs(across) <= widthM / 2;
}

function detected(planes: readonly Float32Array[], rect: PixelRect): ReturnType<typeof detectCars.compute> {
  const ground = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return detectCars.compute(cutBlock(planes, SIDE, rect, ground), null, { hasNir: false, pixelM: PIXEL_M });
}

const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };
const car = (xM: number, yM: number, angleDeg: number, colour: Colour): Vehicle => ({
  xM,
  yM,
  lengthM: 4.5,
  widthM: 1.8,
  angleDeg,
  colour,
});

function nearest(objects: readonly FoundObject[], { xM, yM }: Vehicle): FoundObject | undefined {
  return objects.find(({ centre: [x, y] }) => Math.hypot(x * PIXEL_M - xM, y * PIXEL_M - yM) < 0.6);
}

test("cars of every direction and colour are found once, with place and heading", () => {
  const vehicles = [0, 20, 45, 70, 90, 110, 135, 160].map((angleDeg, index) =>
    car(30 + (index % 4) * 30, 50 + Math.floor(index / 4) * 40, angleDeg, colourOf(index)),
  );
  const { objects, layers } = detected(drawn(vehicles), WHOLE);
  assert.equal(objects.length, vehicles.length);
  for (const vehicle of vehicles) {
    const found = nearest(objects, vehicle);
    assert.ok(found !== undefined, `the car at ${vehicle.xM}, ${vehicle.yM}`);
    assert.equal(found.className, "cars");
    assert.equal(found.count, 1);
    const expected = (vehicle.angleDeg + 90) % 180;
    const off = Math.abs(((Number(found.properties["headingDeg"]) - expected + 270) % 180) - 90);
    assert.ok(off <= 10, `heading ${String(found.properties["headingDeg"])}, expected ${expected}`);
  }
  const [layer] = layers;
  assert.ok(layer !== undefined);
  const painted = layer.filter((value) => value === CAR_VALUE).length * PIXEL_M ** 2;
  assert.ok(Math.abs(painted - vehicles.length * 8.1) < 0.15 * vehicles.length * 8.1);
  assert.ok(layer.every((value) => value === CAR_VALUE || value === GROUND_VALUE));
});

test("parked cars are told apart, a truck is a truck, and kerbs, squares and roofs are neither", () => {
  const row = Array.from({ length: 8 }, (_, index) => car(40 + index * 2.7, 60, 90, colourOf(index)));
  const truck: Vehicle = { xM: 90, yM: 100, lengthM: 10.5, widthM: 2.5, angleDeg: 30, colour: WHITE };
  const others: readonly Vehicle[] = [
    { xM: 80, yM: 25, lengthM: 120, widthM: 2, angleDeg: 5, colour: WHITE },
    { xM: 120, yM: 60, lengthM: 2.4, widthM: 2.4, angleDeg: 20, colour: WHITE },
    { xM: 40, yM: 120, lengthM: 14, widthM: 11, angleDeg: 40, colour: RED },
  ];
  const { objects } = detected(drawn([...row, truck, ...others]), WHOLE);
  for (const vehicle of row) assert.equal(nearest(objects, vehicle)?.className, "cars");
  const long = objects.find(({ className }) => className === "trucks");
  assert.ok(long !== undefined);
  assert.ok(Math.hypot(long.centre[0] * PIXEL_M - truck.xM, long.centre[1] * PIXEL_M - truck.yM) < 1.5);
  assert.equal(objects.length, row.length + 1);
  const { layers } = detected(drawn([truck]), WHOLE);
  assert.ok(layers[0]?.includes(TRUCK_VALUE));
});

/** Objects of the middle of the scene, as texts. */
function inCore(objects: readonly FoundObject[]): readonly string[] {
  return objects
    .filter(({ centre: [x, y] }) => x >= 130 && x < 250 && y >= 130 && y < 250)
    .map(({ className, centre }) => `${className} ${centre[0].toFixed(6)} ${centre[1].toFixed(6)}`)
    .toSorted();
}

test("a block finds in its core what the whole scene finds there", () => {
  const vehicles = Array.from({ length: 24 }, (_, index) =>
    car(48 + (index % 6) * 12, 48 + Math.floor(index / 6) * 16, (index * 37) % 180, colourOf(index)),
  );
  const planes = drawn(vehicles);
  const core = { column: 130, row: 130, columns: 120, rows: 120 };
  const margin = 112;
  const rect = {
    column: core.column - margin,
    row: core.row - margin,
    columns: core.columns + 2 * margin,
    rows: core.rows + 2 * margin,
  };
  const block = inCore(detected(planes, rect).objects);
  assert.ok(block.length > 5);
  assert.deepEqual(block, inCore(detected(planes, WHOLE).objects));
});

test("pixels without data are no data, and nothing is found on them", () => {
  const planes = drawn([car(60, 60, 0, WHITE)]);
  for (const plane of planes) plane.fill(Number.NaN, 0, 100 * SIDE);
  const { layers, objects } = detected(planes, WHOLE);
  assert.equal(layers[0]?.[50 * SIDE + 50], 0);
  assert.equal(objects.length, 1);
});
