import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisBlock, FoundObject, PixelRect } from "../../analysis/block.ts";
import { seededNormal, seededUniform } from "../../analysis/clutter/simulate-clutter.ts";
import type { FlightParameters } from "./aircraft-in-flight.ts";
import { detectAircraft } from "./detect-aircraft.ts";
import { paintFlight, type Flight } from "./flight-testing.ts";

const PIXEL_M = 10;
const SIDE = 400;
const SECONDS = [0.527, 1.005] as const;
const PARAMETERS: FlightParameters = { mode: "flight", pixelM: PIXEL_M, parallaxS: SECONDS };
const MARGIN_PX = 64;

/** Fields of several colours with roofs, on which bands vary together. */
function ground(seed: number): readonly Float32Array[] {
  const uniform = seededUniform(seed);
  const normal = seededNormal(uniform);
  const planes = [0.06, 0.08, 0.07].map((level) => new Float32Array(SIDE * SIDE).fill(level));
  for (let field = 0; field < 120; field++) {
    const [left, top] = [Math.floor(uniform() * SIDE), Math.floor(uniform() * SIDE)];
    const [width, height] = [8 + Math.floor(uniform() * 40), 8 + Math.floor(uniform() * 40)];
    const colour = [0.04 + 0.05 * uniform(), 0.05 + 0.08 * uniform(), 0.04 + 0.12 * uniform()];
    box(left, top, width, height, colour);
  }
  for (let roof = 0; roof < 1200; roof++) {
    const bright = 0.08 + 0.2 * uniform();
    const tint = uniform();
    const colour = tint < 0.4 ? [0.6 * bright, 0.8 * bright, bright] : [bright, bright, bright];
    box(
      Math.floor(uniform() * SIDE),
      Math.floor(uniform() * SIDE),
      1 + Math.floor(3 * uniform()),
      1 + Math.floor(3 * uniform()),
      colour,
    );
  }
  for (const plane of planes) for (let i = 0; i < plane.length; i++) plane[i] += 0.003 * normal();
  return planes;

  function box(left: number, top: number, width: number, height: number, colour: readonly number[]): void {
    for (let row = top; row < Math.min(SIDE, top + height); row++) {
      for (let column = left; column < Math.min(SIDE, left + width); column++) {
        for (const [b, plane] of planes.entries()) plane[row * SIDE + column] = colour[b]!;
      }
    }
  }
}

function flights(count: number, seed: number): readonly Flight[] {
  const uniform = seededUniform(seed);
  return Array.from({ length: count }, (_, k) => ({
    column: 60 + (k % 4) * 90 + 10 * uniform(),
    row: 60 + Math.floor(k / 4) * 90 + 10 * uniform(),
    lengthM: 36 + 30 * uniform(),
    headingDeg: 360 * uniform(),
    speedMs: 150 + 120 * uniform(),
    light: 0.35,
  }));
}

function blockOf(planes: readonly Float32Array[], core: PixelRect, marginPx: number): AnalysisBlock {
  const rect = {
    column: core.column - marginPx,
    row: core.row - marginPx,
    columns: core.columns + 2 * marginPx,
    rows: core.rows + 2 * marginPx,
  };
  const cut = planes.map((plane) =>
    Float32Array.from({ length: rect.columns * rect.rows }, (_, i) => {
      const column = rect.column + (i % rect.columns);
      const row = rect.row + Math.floor(i / rect.columns);
      return column < 0 || row < 0 || column >= SIDE || row >= SIDE ? Number.NaN : plane[row * SIDE + column];
    }),
  );
  const place = { metresPerPixelX: PIXEL_M, metresPerPixelY: PIXEL_M, northDeg: 0, lonDeg: 0, latDeg: 0 };
  return { rect, core, scenes: [cut], land: null, ground: place };
}

function foundIn(planes: readonly Float32Array[], blockPx = SIDE): readonly FoundObject[] {
  const objects: FoundObject[] = [];
  for (let row = 0; row < SIDE; row += blockPx) {
    for (let column = 0; column < SIDE; column += blockPx) {
      const core = { column, row, columns: blockPx, rows: blockPx };
      const { objects: own } = detectAircraft.compute(blockOf(planes, core, MARGIN_PX), null, { ...PARAMETERS });
      objects.push(
        ...own.filter(({ centre: [x, y] }) => x >= column && y >= row && x < column + blockPx && y < row + blockPx),
      );
    }
  }
  return objects.toSorted((a, b) => a.centre[1] - b.centre[1] || a.centre[0] - b.centre[0]);
}

test("aircraft over fields and roofs are found with speed and course", () => {
  let [found, all, wrong] = [0, 0, 0];
  for (const seed of [1, 2, 3]) {
    const planes = ground(seed);
    const there = flights(16, seed + 100);
    for (const flight of there) paintFlight(planes, SIDE, PIXEL_M, SECONDS, flight);
    const objects = foundIn(planes);
    const matched = new Set<FoundObject>();
    for (const flight of there) {
      const x = flight.column + (Math.sin((flight.headingDeg * Math.PI) / 180) * flight.speedMs * SECONDS[0]) / PIXEL_M;
      const y = flight.row - (Math.cos((flight.headingDeg * Math.PI) / 180) * flight.speedMs * SECONDS[0]) / PIXEL_M;
      const object = objects.find(({ centre }) => Math.hypot(centre[0] - x, centre[1] - y) < 2);
      all++;
      if (object === undefined) continue;
      matched.add(object);
      found++;
      assert.ok(Math.abs(Number(object.properties["speedMs"]) - flight.speedMs) < 8, JSON.stringify(object.properties));
      const turn = Math.abs(Number(object.properties["headingDeg"]) - (flight.headingDeg % 180));
      assert.ok(Math.min(turn, 180 - turn) < 4, JSON.stringify(object.properties));
      assert.ok(object.confidence <= 0.6);
    }
    wrong += objects.length - matched.size;
  }
  assert.ok(found >= 0.75 * all, `${found} of ${all}`);
  assert.ok(wrong <= 1, `${wrong} are none`);
});

test("ground alone gives no aircraft, nor does what stands, or drives", () => {
  const planes = ground(7);
  for (const [k, flight] of flights(16, 8).entries()) {
    paintFlight(planes, SIDE, PIXEL_M, SECONDS, { ...flight, speedMs: k % 2 === 0 ? 0 : 35 });
  }
  assert.deepEqual(foundIn(planes), []);
});

const near = (objects: readonly FoundObject[]): unknown =>
  objects.map(({ centre, confidence, properties }) => [
    centre.map((v) => Math.round(v * 100)),
    Math.round(confidence * 1e3),
    properties["speedMs"],
  ]);

test("aircraft do not depend on the blocks they were found in", () => {
  const planes = ground(4);
  for (const flight of flights(16, 5)) paintFlight(planes, SIDE, PIXEL_M, SECONDS, flight);
  assert.deepEqual(near(foundIn(planes, 100)), near(foundIn(planes)));
});
