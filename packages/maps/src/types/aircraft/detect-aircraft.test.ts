import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, FoundObject } from "../../analysis/block.ts";
import { boxMean } from "../../analysis/shape/box-mean.ts";
import { AIRCRAFT_VALUE } from "./aircraft-classes.ts";
import { detectAircraft } from "./detect-aircraft.ts";

const PIXEL_M = 2;
const SIDE = 200;
/** Half widths of a body with swept wings and a tail plane at distances from the middle, in lengths: drawn by hand. */
const PROFILE = [
  [-0.5, 0.19],
  [-0.44, 0.17],
  [-0.4, 0.06],
  [-0.2, 0.05],
  [-0.16, 0.45],
  [-0.1, 0.46],
  [0, 0.28],
  [0.1, 0.1],
  [0.18, 0.05],
  [0.44, 0.05],
  [0.5, 0.02],
] as const;

interface Plane {
  readonly xM: number;
  readonly yM: number;
  readonly lengthM: number;
  /** Of the nose, from the column axis towards the row axis. */
  readonly angleDeg: number;
}

function covers({ xM, yM, lengthM, angleDeg }: Plane, x: number, y: number): boolean {
  const angle = (angleDeg * Math.PI) / 180;
  const ahead = ((x - xM) * Math.cos(angle) + (y - yM) * Math.sin(angle)) / lengthM;
  const aside = Math.abs(-(x - xM) * Math.sin(angle) + (y - yM) * Math.cos(angle)) / lengthM;
  for (const [index, [from, width]] of PROFILE.entries()) {
    const next = PROFILE[index + 1];
    if (next === undefined || ahead < from || ahead > next[0]) continue;
    const share = (ahead - from) / (next[0] - from);
    return aside <= width + (next[1] - width) * share;
  }
  return false;
}

type Box = readonly [xM: number, yM: number, widthM: number, heightM: number];

function found(planes: readonly Plane[], boxes: readonly Box[] = []): ReturnType<typeof detectAircraft.compute> {
  const brightness = new Float32Array(SIDE * SIDE);
  for (let at = 0; at < brightness.length; at++) {
    const [column, row] = [at % SIDE, Math.floor(at / SIDE)];
    let white = 0;
    for (let k = 0; k < 9; k++) {
      const x = (column + ((k % 3) + 0.5) / 3) * PIXEL_M;
      const y = (row + (Math.floor(k / 3) + 0.5) / 3) * PIXEL_M;
      const isWhite =
        planes.some((plane) => covers(plane, x, y)) ||
        boxes.some(([bx, by, width, height]) => Math.abs(x - bx) <= width / 2 && Math.abs(y - by) <= height / 2);
      if (isWhite) white++;
    }
    const texture = 1 + 0.03 * Math.sin(column * 12.9898 + row * 78.233);
    brightness[at] = (0.2 + (0.4 * white) / 9) * texture;
  }
  const rect = { column: 1000, row: 2000, columns: SIDE, rows: SIDE };
  const ground = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
  const block: AnalysisBlock = {
    rect,
    core: rect,
    scenes: [[brightness, brightness, brightness]],
    land: null,
    ground,
  };
  return detectAircraft.compute(block, null, { hasNir: false, pixelM: PIXEL_M });
}

function nearest(objects: readonly FoundObject[], { xM, yM }: Plane): FoundObject | undefined {
  return objects.find(({ centre: [x, y] }) => Math.hypot((x - 1000) * PIXEL_M - xM, (y - 2000) * PIXEL_M - yM) < 6);
}

test("aircraft of several sizes and directions are found once, with place, size and nose", () => {
  const planes: readonly Plane[] = [
    { xM: 100, yM: 100, lengthM: 38, angleDeg: 0 },
    { xM: 250, yM: 90, lengthM: 62, angleDeg: 110 },
    { xM: 100, yM: 260, lengthM: 48, angleDeg: 215 },
    { xM: 280, yM: 280, lengthM: 30, angleDeg: 300 },
  ];
  const { objects, layers } = found(planes);
  assert.equal(objects.length, planes.length);
  for (const plane of planes) {
    const object = nearest(objects, plane);
    assert.ok(object !== undefined, `the aircraft at ${plane.xM}, ${plane.yM}`);
    assert.ok(object.confidence <= 0.6);
    const ratio = Number(object.properties["lengthM"]) / plane.lengthM;
    assert.ok(ratio > 0.75 && ratio < 1.33, `length ${String(object.properties["lengthM"])} of ${plane.lengthM}`);
    const turn = Math.abs(((Number(object.properties["headingDeg"]) - plane.angleDeg - 90 + 900) % 360) - 180);
    assert.ok(turn <= 12, `heading ${String(object.properties["headingDeg"])}, drawn towards ${plane.angleDeg}`);
  }
  assert.ok(layers[0]?.includes(AIRCRAFT_VALUE));
});

test("buildings, lines and crossings without a tail are not aircraft", () => {
  const { objects } = found(
    [],
    [
      [80, 80, 40, 40],
      [280, 80, 60, 24],
      [200, 200, 380, 4],
      [90, 300, 30, 12],
      [300, 300, 24, 24],
    ],
  );
  assert.deepEqual(objects, []);
});

test("aircraft in a row before a terminal are found one by one, whatever the gap between their wings", () => {
  const rowM = 150;
  for (const [lengthM, gapM, angleDeg] of [
    [38, 3, 90],
    [38, 12, 75],
    [48, 5, 90],
    [62, 3, 75],
  ] as const) {
    const planes: Plane[] = [];
    for (let xM = lengthM; xM < SIDE * PIXEL_M - lengthM; xM += 0.94 * lengthM + gapM) {
      planes.push({ xM, yM: rowM, lengthM, angleDeg });
    }
    const noseM = rowM + lengthM / 2;
    const terminal: Box = [(SIDE * PIXEL_M) / 2, noseM + 30, SIDE * PIXEL_M, 40];
    const passages = planes.map(({ xM }): Box => [xM + 4, noseM + 3, 3, 16]);
    const { objects } = found(planes, [terminal, ...passages]);
    const what = `${lengthM} m, ${gapM} m between wings`;
    assert.ok(planes.length >= 4, what);
    assert.equal(objects.length, planes.length, what);
    for (const plane of planes) assert.ok(nearest(objects, plane) !== undefined, `${what}: at ${plane.xM}`);
  }
});

/** Numbers of a seed, 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

type Patch = readonly [xM: number, yM: number, widthM: number, heightM: number, brightness: number];

/** A row at gates in pixels of 3 m: bright concrete, a terminal, bridges, vehicles, shadows, blur and noise. */
function crowdedRow(seed: number): { readonly planes: readonly Plane[]; readonly brightness: Float32Array } {
  const random = randomOf(seed);
  const [apron, white] = [0.28 + 0.2 * random(), 0.52 + 0.2 * random()];
  const lengthM = 30 + 25 * random();
  const angleDeg = 75 + 30 * random();
  const planes: Plane[] = [];
  for (let xM = lengthM; xM < ROW_SIDE * ROW_PIXEL_M - lengthM; xM += lengthM + 6 + 8 * random()) {
    planes.push({ xM, yM: 120, lengthM: lengthM * (0.9 + 0.2 * random()), angleDeg });
  }
  const noseM = 120 + lengthM / 2;
  const patches: Patch[] = [[150, noseM + 30, 300, 40, 0.25 + 0.5 * random()]];
  for (const { xM } of planes) {
    patches.push([xM + 4, noseM + 2, 4, 18, 0.45]);
    for (let k = 0; k < 7; k++) {
      const place = [xM + (random() - 0.5) * lengthM, 120 + (random() - 0.5) * 1.6 * lengthM] as const;
      patches.push([...place, 4 + 6 * random(), 2.5 + 2 * random(), 0.3 + 0.4 * random()]);
    }
  }
  const brightnessAt = (x: number, y: number): number => {
    if (planes.some((plane) => covers(plane, x, y))) return white;
    if (planes.some((plane) => covers(plane, x - 4, y - 5))) return apron / 2;
    const last = patches.findLast(
      ([px, py, width, height]) => Math.abs(x - px) <= width / 2 && Math.abs(y - py) <= height / 2,
    );
    return last === undefined ? apron : last[4];
  };
  const sharp = Float32Array.from({ length: ROW_SIDE ** 2 }, (_, at) => {
    const [column, row] = [at % ROW_SIDE, Math.floor(at / ROW_SIDE)];
    let sum = 0;
    for (let k = 0; k < 9; k++) {
      sum += brightnessAt(
        (column + ((k % 3) + 0.5) / 3) * ROW_PIXEL_M,
        (row + (Math.floor(k / 3) + 0.5) / 3) * ROW_PIXEL_M,
      );
    }
    return (sum / 9) * (1 + 0.12 * (random() - 0.5));
  });
  return { planes, brightness: boxMean(sharp, ROW_SIDE, ROW_SIDE, 1) };
}

const ROW_PIXEL_M = 3;
const ROW_SIDE = 100;

test("seven of ten aircraft in crowded rows at gates are found, and little else", () => {
  let [all, right, wrong] = [0, 0, 0];
  for (let seed = 101; seed <= 108; seed++) {
    const { planes, brightness } = crowdedRow(seed);
    const rect = { column: 0, row: 0, columns: ROW_SIDE, rows: ROW_SIDE };
    const ground = { metresPerPixelX: 3, metresPerPixelY: 3, northDeg: 0, lonDeg: 0, latDeg: 0 };
    const block: AnalysisBlock = {
      rect,
      core: rect,
      scenes: [[brightness, brightness, brightness]],
      land: null,
      ground,
    };
    const { objects } = detectAircraft.compute(block, null, { hasNir: false, pixelM: ROW_PIXEL_M });
    const isAt = ({ centre: [x, y] }: FoundObject, { xM, yM }: Plane): boolean =>
      Math.hypot(x * ROW_PIXEL_M - xM, y * ROW_PIXEL_M - yM) < 15;
    all += planes.length;
    right += planes.filter((plane) => objects.some((object) => isAt(object, plane))).length;
    wrong += objects.filter((object) => !planes.some((plane) => isAt(object, plane))).length;
  }
  assert.ok(right >= 0.7 * all, `found ${right} of ${all}`);
  assert.ok(wrong <= 0.1 * right, `${wrong} wrong, ${right} right`);
});
