import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "../bands/band-role.ts";
import type { Scene } from "../scenes/scene.ts";
import type { StoredBand, StoredRaster } from "../scenes/stored-raster.ts";
import { planComposite } from "./composite.ts";

const STATISTICS = {
  validPixels: 5_000,
  min: 0,
  max: 1,
  mean: 0.5,
  std: 0.1,
  p005: 0.001,
  p05: 0.1,
  p50: 0.2,
  p95: 0.5,
  p995: 0.9,
};

function sceneOf(
  bands: readonly { readonly role?: BandRole | null; readonly name?: string; readonly stored?: Partial<StoredBand> }[],
): readonly [Scene, StoredRaster] {
  const scene = {
    sceneId: "s",
    bands: bands.map(({ name }, i) => ({ names: [name ?? `b${i}`], bitDepth: 16 })),
  } as unknown as Scene;
  const raster: StoredRaster = {
    proj4: "+proj=longlat +datum=WGS84",
    controlGrid: null,
    bands: bands.map(({ role = null, stored }, i) => ({
      key: `k${i}`,
      role,
      quantity: "other",
      dataType: "uint16",
      widthPx: 1,
      heightPx: 1,
      geotransform: [1, 0, 0, 0, -1, 0],
      nodata: null,
      maskKey: null,
      palette: null,
      statistics: STATISTICS,
      ...stored,
    })),
  };
  return [scene, raster];
}

function bandsOf(...bands: readonly { readonly role?: BandRole | null; readonly name?: string }[]): readonly number[] {
  return planComposite(...sceneOf(bands), { percentile: false }).bands;
}

const roles = (...names: readonly (BandRole | null)[]): { readonly role: BandRole | null }[] =>
  names.map((role) => ({ role }));

test("red, green and blue are found by role, then by name", () => {
  assert.deepEqual(bandsOf(...roles("B", "G", "R", "N")), [2, 1, 0]);
  assert.deepEqual(bandsOf({ name: "Blue" }, { name: "green" }, { name: "R" }), [2, 1, 0]);
});

test("without blue the infrared composite is drawn, otherwise the nearest wavelengths, otherwise the first three", () => {
  assert.deepEqual(bandsOf(...roles("G", "R", "N")), [2, 1, 0]);
  assert.deepEqual(bandsOf(...roles("A", "G1", "Y", "RE1")), [3, 1, 0], "704 nm is nearer to 660 than 610 nm is");
  assert.deepEqual(bandsOf(...roles(null, null, null, null)), [0, 1, 2]);
  assert.equal(planComposite(...sceneOf(roles("N", "R")), { percentile: false }).kind, "gray");
});

test("a palette is drawn with its own colours", () => {
  const palette = [[1, 2, 3]] as const;
  const composite = planComposite(...sceneOf([{ stored: { palette } }]), { percentile: true });
  assert.deepEqual(composite, { kind: "palette", bands: [0], palette });
});

test("radar is drawn in decibels between fixed ends, or between its percentiles when asked", () => {
  const bands = [
    { role: "VH", stored: { quantity: "backscatter-linear", dataType: "float32" } },
    { role: "VV", stored: { quantity: "backscatter-linear", dataType: "float32" } },
  ] as const;
  const fixed = planComposite(...sceneOf(bands), { percentile: false });
  assert.ok(fixed.kind === "radar");
  assert.deepEqual(fixed.bands, [1, 0]);
  assert.deepEqual(
    [fixed.coDb, fixed.crossDb],
    [
      { low: -20, high: 0 },
      { low: -28, high: -5 },
    ],
  );
  const stretched = planComposite(...sceneOf(bands), { percentile: true });
  assert.ok(stretched.kind === "radar" && Math.abs(stretched.coDb.low + 30) < 1e-9);
  assert.equal(planComposite(...sceneOf(roles("HH")), { percentile: false }).kind, "radar-gray");
});

test("limits of the caller hold for each band as stored, and for radar in decibels", () => {
  const range = { low: 120, high: 480 };
  const picture = planComposite(...sceneOf(roles("R", "G", "B")), { percentile: false, range });
  assert.ok(picture.kind === "rgb");
  assert.deepEqual(picture.stretch, { ranges: [range, range, range], gamma: 1 });
  const bands = (["VV", "VH"] as const).map((role) => ({
    role,
    stored: { quantity: "backscatter-linear", dataType: "float32" } as const,
  }));
  const inDb = { low: -25, high: -5 };
  const radar = planComposite(...sceneOf(bands), { percentile: false, range: inDb });
  assert.ok(radar.kind === "radar");
  assert.deepEqual([radar.coDb, radar.crossDb], [inDb, inDb]);
});

test("sixteen-bit power is drawn between the same ends, in its own units of 2 to the power of -15", () => {
  const stored = { quantity: "backscatter-linear", dataType: "uint16" } as const;
  const scaled = planComposite(
    ...sceneOf([
      { role: "VV", stored },
      { role: "VH", stored },
    ]),
    { percentile: false },
  );
  assert.ok(scaled.kind === "radar");
  // 0 dB is the number 32768, -20 dB is 327.68.
  assert.ok(Math.abs(10 ** (scaled.coDb.high / 10) - 32_768) < 1e-6);
  assert.ok(Math.abs(10 ** (scaled.coDb.low / 10) - 327.68) < 1e-6);
  assert.ok(Math.abs(10 ** (scaled.crossDb.high / 10) - 32_768 * 10 ** -0.5) < 1e-6);
});

test("a scene without bands is a RangeError", () => {
  assert.throws(() => planComposite(...sceneOf([]), { percentile: false }), RangeError);
});
