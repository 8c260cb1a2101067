import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  distributionStatistics,
  weightedQuantiles,
} from "../packages/kernel/src/raster-mathematics/distribution-statistics.ts";
import { pixelCoverage } from "../packages/kernel/src/raster-mathematics/pixel-coverage.ts";
import type { PixelPolygon } from "../packages/kernel/src/raster-mathematics/pixel-polygon.ts";
import { valueDistribution } from "../packages/kernel/src/raster-mathematics/value-distribution.ts";
import { exactextractPython, PythonPeer } from "../bench/peers/python.ts";
import { seededRandom } from "../bench/statistics.ts";

const RASTERS = 50;
const POLYGONS_EACH = 10;
const QUANTILES = [0, 0.05, 0.25, 0.5, 0.9, 1] as const;
const TOLERANCE = 1e-6;
/** exactextract keeps the coverage of a pixel as a 32-bit float: all that is known of a pixel with hardly any. */
const SINGLE_PRECISION = 2 ** -23;

interface PeerRow extends Readonly<Record<string, number | null | readonly number[]>> {
  readonly unique: readonly number[];
  readonly frac: readonly number[];
}

interface Sample {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly values: Float32Array;
  readonly polygons: readonly (readonly PixelPolygon[])[];
}

/** A ring around a point whose radius changes with the angle. */
function star(random: () => number, x: number, y: number, radius: number): Float64Array {
  const corners = 3 + Math.floor(random() * 12);
  const turn = random() * 2 * Math.PI;
  return Float64Array.from(
    Array.from({ length: corners }, (_, i) => {
      const angle = turn + (2 * Math.PI * (i + 0.4 * random())) / corners;
      const distance = radius * (0.4 + 0.6 * random());
      return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
    }).flat(),
  );
}

/** One or two parts far from each other, some with a hole around the middle. */
function polygonsOf(random: () => number, widthPx: number, heightPx: number): readonly PixelPolygon[] {
  const part = (x: number, y: number): PixelPolygon => {
    const radius = 0.05 + random() ** 2 * widthPx;
    const outline = star(random, x, y, radius);
    // Radii of the outline are 0.4 and more of `radius`; of a triangle, the nearest edge may be at a tenth of it.
    return outline.length > 16 && random() < 0.5 ? [outline, star(random, x, y, radius * 0.2)] : [outline];
  };
  const first = part(random() * widthPx, random() * heightPx);
  return random() < 0.3 ? [first, part(widthPx * (3 + random()), 0), part(-widthPx * 2.5, 0)] : [first];
}

/** Every other raster has few distinct values; a tenth of the pixels have none. */
function sampleOf(random: () => number, index: number): Sample {
  const widthPx = 3 + Math.floor(random() * 40);
  const heightPx = 3 + Math.floor(random() * 40);
  const values = Float32Array.from({ length: widthPx * heightPx }, () => {
    if (random() < 0.1) return Number.NaN;
    return index % 2 === 0 ? 1 + Math.floor(random() * 6) : 100 + 900 * random();
  });
  const polygons = Array.from({ length: POLYGONS_EACH }, () => polygonsOf(random, widthPx, heightPx));
  return { widthPx, heightPx, values, polygons };
}

/** Coordinates northwards from the lower edge. */
function coordinatesOf(polygons: readonly PixelPolygon[], heightPx: number): readonly (readonly number[][][])[] {
  return polygons.map((polygon) =>
    polygon.map((ring) => {
      const points = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, heightPx - ring[2 * i + 1]!]);
      return [...points, points[0]!];
    }),
  );
}

function assertNear(actual: number | null, expected: unknown, what: string, floor = 0): void {
  if (typeof expected !== "number") return assert.equal(actual, expected, what);
  const isNear = actual !== null && Math.abs(actual - expected) <= TOLERANCE * Math.abs(expected) + floor;
  return assert.ok(isNear, `${what}: ${actual}, exactextract ${expected}`);
}

test("statistics of 500 random polygons equal those of exactextract", async (t) => {
  const python = exactextractPython();
  if (python === null) return t.skip("Python or its package index is missing");
  const folder = await mkdtemp(join(tmpdir(), "swath-exactextract-"));
  let compared = 0;
  try {
    using peer = new PythonPeer(python, "zonal_statistics.py");
    const random = seededRandom(11);
    for (let index = 0; index < RASTERS; index++) {
      const { widthPx, heightPx, values, polygons } = sampleOf(random, index);
      const file = join(folder, "pixels.raw");
      await writeFile(file, values);
      const { rows } = await peer.ask<{ readonly rows: readonly PeerRow[] }>({
        widthPx,
        heightPx,
        file,
        dtype: "float32",
        quantiles: QUANTILES,
        classes: true,
        polygons: polygons.map((one) => coordinatesOf(one, heightPx)),
      });
      for (const [number, one] of polygons.entries()) {
        const expected = rows[number]!;
        const what = `raster ${index}, polygon ${number}`;
        const found = valueDistribution(pixelCoverage(one, widthPx, heightPx), { values, widthPx, valid: null });
        const { count, sum, mean, std, min, max } = distributionStatistics(found);
        for (const [name, value] of Object.entries({ count, sum, mean, min, max })) {
          assertNear(value, expected[name], `${what}: ${name}`);
        }
        // One value has no deviation; exactextract's recurrence leaves its rounding.
        if (found.values.length === 1) assert.equal(std, 0);
        else assertNear(std, expected["stdev"], `${what}: stdev`);
        const quantiles = weightedQuantiles(found, QUANTILES);
        for (const [i, share] of QUANTILES.entries()) {
          assertNear(quantiles[i]!, expected[`quantile_${Math.round(100 * share)}`], `${what}: quantile ${share}`);
        }
        const shares = new Map(expected.unique.map((value, i) => [value, expected.frac[i]!]));
        assert.deepEqual(
          Array.from(found.values),
          [...shares.keys()].toSorted((a, b) => a - b),
          what,
        );
        for (const [i, value] of found.values.entries()) {
          assertNear(
            found.weights[i]! / count,
            shares.get(value),
            `${what}: share of ${value}`,
            SINGLE_PRECISION / count,
          );
        }
        compared++;
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  assert.equal(compared, RASTERS * POLYGONS_EACH);
  return undefined;
});
