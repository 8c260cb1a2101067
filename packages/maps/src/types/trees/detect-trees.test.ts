import assert from "node:assert/strict";
import { test } from "node:test";
import type { FoundObject, PixelRect } from "../../analysis/block.ts";
import { cutBlock } from "../../analysis/cut-block-testing.ts";
import { detectTrees, OTHER_VALUE, TREE_VALUE } from "./detect-trees.ts";
import { gaussianBlur } from "./gaussian-blur.ts";

const PIXEL_M = 0.5;
const SIDE = 480;
const GROUND = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
/** Blue, green, red, near infrared. */
type Colour = readonly [number, number, number, number];
const PAVEMENT: Colour = [0.1, 0.11, 0.12, 0.14];
const LAWN: Colour = [0.05, 0.09, 0.06, 0.36];
const CROWN: Colour = [0.03, 0.05, 0.035, 0.33];
const LAWN_FROM_PX = 240;

interface Crown {
  /** Middle, metres from the corner of the scene. */
  readonly xM: number;
  readonly yM: number;
  readonly radiusM: number;
}

/** Crowns on pavement in the west and on a lawn in the east, with shadows in the north-west, and a hedge. */
function drawn(crowns: readonly Crown[], hasHedge = false): readonly Float32Array[] {
  const planes = PAVEMENT.map(() => new Float32Array(SIDE * SIDE));
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const [x, y] = [(column + 0.5) * PIXEL_M, (row + 0.5) * PIXEL_M];
      const isHedge = hasHedge && Math.abs(y - 60) < 0.8 && x > 20 && x < 100;
      const within = (dx: number, dy: number): boolean =>
        crowns.some(({ xM, yM, radiusM }) => Math.hypot(x - xM + dx * radiusM, y - yM + dy * radiusM) < radiusM);
      const isCrown = isHedge || within(0, 0);
      const light = !isCrown && (within(0.6, 0.6) || within(1.2, 1.2)) ? 0.35 : 1;
      const colour = isCrown ? CROWN : column < LAWN_FROM_PX ? PAVEMENT : LAWN;
      const texture = light * (1 + 0.03 * Math.sin(column * 12.9898 + row * 78.233));
      for (const [band, plane] of planes.entries()) plane[row * SIDE + column] = colour[band] * texture;
    }
  }
  return planes;
}

const WHOLE: PixelRect = { column: 0, row: 0, columns: SIDE, rows: SIDE };

function detected(
  planes: readonly Float32Array[],
  rect: PixelRect = WHOLE,
  hasNir = true,
): ReturnType<typeof detectTrees.compute> {
  const used = hasNir ? planes : planes.slice(0, 3);
  const parameters = { hasNir, pixelM: PIXEL_M, sunAzimuthDeg: 135 };
  const whole = cutBlock(used, SIDE, WHOLE, GROUND);
  const model = detectTrees.survey?.({ overview: whole, windows: [whole] }, parameters);
  assert.ok(model !== undefined);
  return detectTrees.compute(cutBlock(used, SIDE, rect, GROUND), model, parameters);
}

/** Crowns of four sizes on pavement and on the lawn. */
const CROWNS: readonly Crown[] = Array.from({ length: 24 }, (_, index) => ({
  xM: 25 + (index % 6) * 38,
  yM: 25 + Math.floor(index / 6) * 50,
  radiusM: [2.2, 3, 4, 5.5][index % 4],
}));

function at(objects: readonly FoundObject[], { xM, yM, radiusM }: Crown): readonly FoundObject[] {
  return objects.filter(({ centre: [x, y] }) => Math.hypot(x * PIXEL_M - xM, y * PIXEL_M - yM) < 0.5 * radiusM);
}

test("each crown is found once with its size, on pavement and on a lawn, and shadows are none", () => {
  const { objects, layers } = detected(drawn(CROWNS));
  assert.equal(objects.length, CROWNS.length);
  for (const crown of CROWNS) {
    const [found, ...more] = at(objects, crown);
    assert.ok(found !== undefined && more.length === 0, `the crown at ${crown.xM}, ${crown.yM}`);
    assert.equal(found.className, "trees");
    const diameterM = Number(found.properties["crownDiameterM"]);
    assert.ok(Math.abs(diameterM / (2 * crown.radiusM) - 1) < 0.25, `${diameterM} m of ${2 * crown.radiusM} m`);
    assert.ok(found.confidence > 0.4 && found.confidence <= 0.6, `confidence ${found.confidence}`);
  }
  const painted = layers[0].filter((value) => value === TREE_VALUE).length * PIXEL_M ** 2;
  const covered = CROWNS.reduce((sum, { radiusM }) => sum + Math.PI * radiusM ** 2, 0);
  assert.ok(Math.abs(painted / covered - 1) < 0.15, `${painted} m² of ${covered} m²`);
  assert.ok(layers[0].every((value) => value === TREE_VALUE || value === OTHER_VALUE));
});

test("a lawn, pavement and a hedge are no trees", () => {
  assert.equal(detected(drawn([])).objects.length, 0);
  const { objects } = detected(drawn([CROWNS[0]], true));
  assert.ok(objects.length <= 3, `${objects.length} found where one tree stands`);
});

test("without near infrared crowns on pavement are found, less surely", () => {
  const { objects } = detected(drawn(CROWNS), WHOLE, false);
  const onPavement = CROWNS.filter(({ xM }) => xM + 8 < LAWN_FROM_PX * PIXEL_M);
  for (const crown of onPavement) assert.equal(at(objects, crown).length, 1, `the crown at ${crown.xM}, ${crown.yM}`);
  for (const { confidence } of objects) assert.ok(confidence <= 0.35);
});

function inCore({ objects }: ReturnType<typeof detectTrees.compute>): readonly string[] {
  return objects
    .filter(({ centre: [x, y] }) => x >= 140 && x < 340 && y >= 140 && y < 340)
    .map(({ centre, areaM2 }) => `${centre.map((value) => value.toFixed(6)).join()} ${areaM2.toFixed(6)}`)
    .toSorted();
}

test("a block finds in its core what the whole scene finds there", () => {
  const crowded = [...CROWNS, ...CROWNS.map(({ xM, yM, radiusM }) => ({ xM: xM + 7, yM: yM + 4, radiusM }))];
  const planes = drawn(crowded);
  const core = { column: 140, row: 140, columns: 200, rows: 200 };
  const margin = 128;
  const rect = { column: core.column - margin, row: core.row - margin, columns: 456, rows: 456 };
  const part = inCore(detected(planes, rect));
  assert.ok(part.length > 4);
  assert.deepEqual(part, inCore(detected(planes)));
});

test("pixels without data are no data, and nothing is found on them", () => {
  const planes = drawn(CROWNS);
  for (const plane of planes) plane.fill(Number.NaN, 0, 120 * SIDE);
  const { layers, objects } = detected(planes);
  assert.equal(layers[0][60 * SIDE + 60], 0);
  assert.equal(objects.filter(({ centre: [, y] }) => y < 120).length, 0);
});

/** Of sigmas 3 and 2. */
function bell(dx: number, dy: number): number {
  return Math.exp(-(dx * dx) / 18 - (dy * dy) / 8) / (2 * Math.PI * 6);
}

test("a blurred point is a bell curve", () => {
  const plane = new Float32Array(41 * 41);
  plane[20 * 41 + 20] = 1;
  const blurred = gaussianBlur(plane, 41, 41, 3, 2);
  for (const [dx, dy] of [
    [0, 0],
    [3, 0],
    [-2, 3],
    [5, -4],
  ] as const) {
    const value = blurred[(20 + dy) * 41 + 20 + dx];
    assert.ok(Math.abs(value - bell(dx, dy)) < 0.0002, `${value} at ${dx}, ${dy}, ${bell(dx, dy)} expected`);
  }
  assert.ok(Math.abs(blurred.reduce((sum, value) => sum + value, 0) - 1) < 1e-5);
});
