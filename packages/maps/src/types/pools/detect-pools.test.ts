import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject, PixelRect } from "../../analysis/block.ts";
import { cutBlock } from "../../analysis/cut-block-testing.ts";
import { detectPools, OTHER_VALUE, POOL_VALUE } from "./detect-pools.ts";

const PIXEL_M = 0.5;
const SIDE = 480;
const GROUND = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
/** Blue, green, red, near infrared. */
type Colour = readonly [number, number, number, number];
/** What the air scatters into every pixel. */
const HAZE: Colour = [0.05, 0.03, 0.02, 0.01];
const GARDEN: Colour = [0.04, 0.075, 0.055, 0.32];
const ROOF: Colour = [0.14, 0.15, 0.16, 0.19];
const POOL: Colour = [0.27, 0.25, 0.1, 0.03];
const BLUE_PAINT: Colour = [0.3, 0.2, 0.09, 0.25];
const LAKE: Colour = [0.05, 0.06, 0.04, 0.01];
const LAGOON: Colour = [0.2, 0.22, 0.1, 0.02];

interface Box {
  readonly xM: number;
  readonly yM: number;
  readonly lengthM: number;
  readonly widthM: number;
  readonly angleDeg: number;
  readonly colour: Colour;
  readonly light?: number;
}

function covers({ xM, yM, lengthM, widthM, angleDeg }: Box, x: number, y: number): boolean {
  const angle = (angleDeg * Math.PI) / 180;
  const along = (x - xM) * Math.cos(angle) + (y - yM) * Math.sin(angle);
  const across = -(x - xM) * Math.sin(angle) + (y - yM) * Math.cos(angle);
  return Math.abs(along) <= lengthM / 2 && Math.abs(across) <= widthM / 2;
}

/** Houses with shadows in gardens, every 24 m, and boxes on them; the last box that covers a place is seen. */
function drawn(boxes: readonly Box[]): readonly Float32Array[] {
  const planes = HAZE.map(() => new Float32Array(SIDE * SIDE));
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const [x, y] = [(column + 0.5) * PIXEL_M, (row + 0.5) * PIXEL_M];
      const isHouse = x % 24 < 10 && y % 24 < 9;
      const isShade = !isHouse && x % 24 < 12 && y % 24 < 11;
      const box = boxes.findLast((one) => covers(one, x, y));
      const colour = box?.colour ?? (isHouse ? ROOF : GARDEN);
      const light =
        (box === undefined ? (isShade ? 0.3 : 1) : (box.light ?? 1)) * (1 + 0.03 * Math.sin(x * 25 + y * 156));
      for (const [band, plane] of planes.entries()) plane[row * SIDE + column] = HAZE[band] + colour[band]! * light;
    }
  }
  return planes;
}

const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };

function detected(planes: readonly Float32Array[], rect: PixelRect = WHOLE): ReturnType<typeof detectPools.compute> {
  const whole = cutBlock(planes, SIDE, WHOLE, GROUND);
  const model = detectPools.survey?.({ overview: whole, windows: [whole] }, {});
  assert.ok(model !== undefined);
  return detectPools.compute(cutBlock(planes, SIDE, rect, GROUND), model, {});
}

/** In the middle of gardens. */
const POOLS: readonly Box[] = Array.from({ length: 16 }, (_, index) => ({
  xM: 41 + (index % 4) * 48,
  yM: 41 + Math.floor(index / 4) * 48,
  lengthM: 6 + (index % 3) * 2,
  widthM: 3 + (index % 2),
  angleDeg: index * 23,
  colour: POOL,
}));

function at(objects: readonly FoundObject[], { xM, yM }: Box): readonly FoundObject[] {
  return objects.filter(({ centre: [x, y] }) => Math.hypot(x * PIXEL_M - xM, y * PIXEL_M - yM) < 1);
}

test("pools of every direction are found once, with their area", () => {
  const { objects, layers } = detected(drawn(POOLS));
  assert.equal(objects.length, POOLS.length);
  for (const pool of POOLS) {
    const [found, ...more] = at(objects, pool);
    assert.ok(found !== undefined && more.length === 0, `the pool at ${pool.xM}, ${pool.yM}`);
    assert.ok(Math.abs(found.areaM2 / (pool.lengthM * pool.widthM) - 1) < 0.12, `${found.areaM2} m²`);
    assert.ok(found.confidence > 0.3 && found.confidence <= 0.6);
  }
  const painted = layers[0].filter((value) => value === POOL_VALUE).length * PIXEL_M ** 2;
  assert.ok(Math.abs(painted - objects.reduce((sum, { areaM2 }) => sum + areaM2, 0)) < 1e-6);
  assert.ok(layers[0].every((value) => value === POOL_VALUE || value === OTHER_VALUE));
});

test("blue cars and roofs, shadows, ponds, lagoons and pools without houses are none", () => {
  const others: readonly Box[] = [
    { xM: 41, yM: 41, lengthM: 9, widthM: 5, angleDeg: 20, colour: BLUE_PAINT },
    { xM: 89, yM: 41, lengthM: 9, widthM: 5, angleDeg: 20, colour: LAKE },
    { xM: 137, yM: 41, lengthM: 9, widthM: 5, angleDeg: 20, colour: POOL, light: 0.12 },
    { xM: 185, yM: 41, lengthM: 2.2, widthM: 1.6, angleDeg: 0, colour: POOL },
    { xM: 41, yM: 120, lengthM: 30, widthM: 30, angleDeg: 0, colour: POOL },
    // A bright shoal of a lagoon.
    { xM: 170, yM: 170, lengthM: 120, widthM: 120, angleDeg: 0, colour: LAKE },
    { xM: 150, yM: 150, lengthM: 10, widthM: 6, angleDeg: 0, colour: LAGOON },
  ];
  assert.deepEqual(
    detected(drawn(others)).objects.map(({ centre }) => centre),
    [],
  );
});

function inCore({ objects }: ReturnType<typeof detectPools.compute>): readonly string[] {
  return objects
    .filter(({ centre: [x, y] }) => x >= 160 && x < 300 && y >= 160 && y < 300)
    .map(
      ({ centre, areaM2, confidence }) =>
        `${centre.map((value) => value.toFixed(6)).join()} ${areaM2.toFixed(6)} ${confidence.toFixed(6)}`,
    )
    .toSorted();
}

test("a block finds in its core what the whole scene finds there", () => {
  const planes = drawn(POOLS);
  const core = { column: 160, row: 160, columns: 140, rows: 140 };
  const margin = 128;
  const rect = { column: core.column - margin, row: core.row - margin, columns: 396, rows: 396 };
  const part = inCore(detected(planes, rect));
  assert.ok(part.length >= 2);
  assert.deepEqual(part, inCore(detected(planes)));
});

test("pixels without data are no data, and nothing is found on them", () => {
  const planes = drawn(POOLS);
  for (const plane of planes) plane.fill(Number.NaN, 0, 120 * SIDE);
  const { layers, objects } = detected(planes);
  assert.equal(layers[0][60 * SIDE + 60], 0);
  assert.equal(objects.length, POOLS.length - 4);
});
