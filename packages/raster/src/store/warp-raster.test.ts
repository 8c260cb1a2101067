import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { planFromAffine, planFromGroundPoints } from "@swath/kernel/raster-mathematics/warp-plan";
import type { WarpPlan } from "@swath/kernel/raster-mathematics/warp-plan";
import { applyAffine } from "@swath/kernel/raster-mathematics/affine";
import type { Affine } from "@swath/kernel/raster-mathematics/affine";
import type { SourceRaster } from "../source-raster.ts";
import { memoryRaster } from "./memory-raster.ts";
import { warpRaster } from "./warp-raster.ts";

const signal = new AbortController().signal;

async function warped<T>(
  source: SourceRaster,
  plan: WarpPlan,
  isClass: boolean,
  use: (raster: SourceRaster) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "warp-"));
  try {
    assert.ok(source.crs !== null);
    const spoolPath = join(folder, "pixels");
    const raster = await warpRaster(source, plan, {
      spoolPath,
      crs: source.crs,
      isClass: source.bands.map(() => isClass),
      signal,
    });
    const result = await use(raster);
    await raster[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(folder), []);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A smooth function of the place, so that any correct resampling finds nearly the same value there. */
const field = (x: number, y: number): number => 1000 + 300 * Math.sin(x / 400) + 200 * Math.cos(y / 500);

function fieldOn(transform: Affine, width: number, height: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, i) =>
    field(...applyAffine(transform, (i % width) + 0.5, Math.floor(i / width) + 0.5)),
  );
}

test("mirrored and turned rasters come out exact, pixel for pixel", async () => {
  const pixels = Uint8Array.from({ length: 60 }, (_, i) => i + 1);
  const cases: readonly { transform: Affine; at: (x: number, y: number) => number; size: readonly [number, number] }[] =
    [
      // Rows running north.
      { transform: [10, 0, 0, 0, 10, 0], at: (x, y) => pixels[(5 - y) * 10 + x] ?? 0, size: [10, 6] },
      // Columns running west.
      { transform: [-10, 0, 100, 0, -10, 60], at: (x, y) => pixels[y * 10 + 9 - x] ?? 0, size: [10, 6] },
      // A quarter turn: columns run south, rows run west.
      { transform: [0, -10, 60, -10, 0, 100], at: (x, y) => pixels[(5 - x) * 10 + y] ?? 0, size: [6, 10] },
    ];
  for (const { transform, at, size } of cases) {
    const source = memoryRaster({ widthPx: 10, heightPx: 6, bands: [pixels], transform });
    const plan = planFromAffine(transform, 10, 6);
    assert.deepEqual([plan.widthPx, plan.heightPx], size);
    for (const isClass of [false, true]) {
      await warped(source, plan, isClass, async (raster) => {
        const [rows] = await raster.readRows(0, size[1], signal);
        const mask = await raster.readMask(0, size[1], signal);
        assert.deepEqual(
          rows,
          Uint8Array.from({ length: 60 }, (_, i) => at(i % size[0], Math.floor(i / size[0]))),
        );
        assert.ok(mask?.every((value) => value === 255));
      });
    }
  }
});

test("a raster turned by 30 degrees keeps its values in place and is invalid outside", async () => {
  const [cos, sin] = [Math.cos(Math.PI / 6) * 10, Math.sin(Math.PI / 6) * 10];
  const transform: Affine = [cos, sin, 5000, sin, -cos, 9000];
  const source = memoryRaster({
    widthPx: 500,
    heightPx: 400,
    bands: [fieldOn(transform, 500, 400)],
    transform,
    nodata: -1,
  });
  const plan = planFromAffine(transform, 500, 400);
  assert.equal(plan.transform[1], 0);
  await warped(source, plan, false, async (raster) => {
    assert.equal(raster.hasMask, false);
    let valid = 0;
    let worst = 0;
    for (let row = 0; row < plan.heightPx; row += 256) {
      const count = Math.min(256, plan.heightPx - row);
      const [rows = new Uint8Array()] = await raster.readRows(row, count, signal);
      rows.forEach((value: number, i: number) => {
        if (value === -1) return;
        valid++;
        const [x, y] = applyAffine(plan.transform, (i % plan.widthPx) + 0.5, row + Math.floor(i / plan.widthPx) + 0.5);
        worst = Math.max(worst, Math.abs(value - field(x, y)));
      });
    }
    assert.ok(Math.abs(valid / (500 * 400) - 1) < 0.01, String(valid));
    assert.ok(worst < 5, String(worst));
  });
});

/** Columns and rows of a slightly bent grid. */
const bend = (column: number, row: number): readonly [number, number] => [
  20_000 + column * 10 + row * 2 + 0.002 * row * row,
  80_000 - row * 10 + column + 0.001 * column * column,
];

test("ground control points put a curved strip back into place", async () => {
  // The grid is known at 9 x 7 points only.
  const pixels = Float32Array.from({ length: 600 * 500 }, (_, i) =>
    field(...bend((i % 600) + 0.5, Math.floor(i / 600) + 0.5)),
  );
  const points = Array.from({ length: 63 }, (_, i) => {
    const [column, row] = [(i % 9) * 75, Math.floor(i / 9) * (500 / 6)];
    const [x, y] = bend(column, row);
    return { column, row, x, y };
  });
  const source = memoryRaster({ widthPx: 600, heightPx: 500, bands: [pixels], georeference: { kind: "gcps", points } });
  const plan = planFromGroundPoints(points, 600, 500);
  assert.ok(plan.residualPx < 1, String(plan.residualPx));
  await warped(source, plan, false, async (raster) => {
    const [rows = new Uint8Array()] = await raster.readRows(0, plan.heightPx, signal);
    const mask = await raster.readMask(0, plan.heightPx, signal);
    let worst = 0;
    let valid = 0;
    rows.forEach((value: number, i: number) => {
      if (mask?.[i] === 0) return;
      valid++;
      const [x, y] = applyAffine(plan.transform, (i % plan.widthPx) + 0.5, Math.floor(i / plan.widthPx) + 0.5);
      worst = Math.max(worst, Math.abs(value - field(x, y)));
    });
    assert.ok(Math.abs(valid / (600 * 500) - 1) < 0.03, String(valid));
    assert.ok(worst < 10, String(worst));
  });
});

test("points on one line, or too few, are refused", () => {
  const line = Array.from({ length: 5 }, (_, i) => ({ column: i * 10, row: i * 10, x: i * 100, y: i * 100 }));
  assert.throws(() => planFromGroundPoints(line, 100, 100), RangeError);
  assert.throws(() => planFromGroundPoints(line.slice(0, 2), 100, 100), RangeError);
});
