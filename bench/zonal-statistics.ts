import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  distributionStatistics,
  weightedQuantiles,
} from "../packages/kernel/src/raster-mathematics/distribution-statistics.ts";
import { pixelCoverage } from "../packages/kernel/src/raster-mathematics/pixel-coverage.ts";
import { valueDistribution } from "../packages/kernel/src/raster-mathematics/value-distribution.ts";
import { GRANULE_PX, granuleBand, TEMPORARY } from "./large-geotiff.ts";
import { exactextractPython, PythonPeer } from "./peers/python.ts";
import { median, printRatio, seededRandom } from "./statistics.ts";

const FIELDS = 1000;
const ROUNDS = 5;
const NEAR_INFRARED = 3;
const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
/** A field is 8 to 120 hectares. */
const RADIUS_PX = { least: 15, most: 60 } as const;
const TOLERANCE = 1e-6;

type Row = Readonly<Record<string, number | null>>;

interface Round {
  readonly ms: number;
  readonly rows: readonly Row[];
}

/** Statistics of 1,000 fields of a granule's near infrared band, pixels in memory, against exactextract. */
export async function run(): Promise<void> {
  const python = exactextractPython();
  // exactextract cuts the fractions off quantiles of whole numbers.
  const values = Float32Array.from(await granuleBand(NEAR_INFRARED));
  const fields = drawFields();
  const ours: number[] = [];
  const theirs: number[] = [];
  const file = join(TEMPORARY, "near-infrared.raw");
  await mkdir(TEMPORARY, { recursive: true });
  await writeFile(file, values);
  try {
    if (python === null) process.stdout.write("no Python with exactextract: the peer is skipped\n");
    using peer = python === null ? null : new PythonPeer(python, "zonal_statistics.py");
    const polygons = fields.map((ring) => [[northwards(ring)]]);
    for (let round = 0; round < ROUNDS; round++) {
      const own = statistics(values, fields);
      ours.push(own.ms);
      if (peer === null) continue;
      const size = { widthPx: GRANULE_PX, heightPx: GRANULE_PX };
      const request = { ...size, file, dtype: "float32", nodata: 0, quantiles: QUANTILES, classes: false, polygons };
      const other = await peer.ask<Round>(request);
      requireEqual(own.rows, other.rows);
      theirs.push(other.ms);
    }
  } finally {
    await rm(file);
  }
  process.stdout.write(`${FIELDS} fields of a granule: Swath ${median(ours).toFixed(0)} ms\n`);
  if (theirs.length === 0) return;
  process.stdout.write(`the same by exactextract, equal to ${TOLERANCE}: ${median(theirs).toFixed(0)} ms\n`);
  printRatio("statistics", median(theirs) / median(ours), "exactextract");
}

function statistics(values: Float32Array, fields: readonly Float64Array[]): Round {
  const startedMs = performance.now();
  const rows = fields.map((ring): Row => {
    const coverage = pixelCoverage([[ring]], GRANULE_PX, GRANULE_PX);
    const found = valueDistribution(coverage, { values, widthPx: GRANULE_PX, valid: null });
    const { count, sum, mean, std: stdev, min, max } = distributionStatistics(found);
    const quantiles = weightedQuantiles(found, QUANTILES);
    const named = QUANTILES.map((share, i) => [`quantile_${Math.round(100 * share)}`, quantiles[i] ?? null] as const);
    return { count, sum, mean, stdev, min, max, ...Object.fromEntries(named) };
  });
  return { ms: performance.now() - startedMs, rows };
}

function drawFields(): readonly Float64Array[] {
  const random = seededRandom(5);
  return Array.from({ length: FIELDS }, () => {
    const [x, y] = [100 + random() * (GRANULE_PX - 200), 100 + random() * (GRANULE_PX - 200)];
    const radius = RADIUS_PX.least + random() * (RADIUS_PX.most - RADIUS_PX.least);
    const corners = 4 + Math.floor(random() * 30);
    return Float64Array.from(
      Array.from({ length: corners }, (_, i) => {
        const angle = (2 * Math.PI * (i + 0.5 * random())) / corners;
        const distance = radius * (0.7 + 0.3 * random());
        return [x + distance * Math.cos(angle), y + distance * Math.sin(angle)];
      }).flat(),
    );
  });
}

/** Coordinates from the lower edge, closed. */
function northwards(ring: Float64Array): readonly (readonly number[])[] {
  const points = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i]!, GRANULE_PX - ring[2 * i + 1]!]);
  return [...points, points[0]!];
}

function requireEqual(own: readonly Row[], other: readonly Row[]): void {
  for (const [field, row] of own.entries()) {
    for (const [name, value] of Object.entries(row)) {
      const expected = other[field]?.[name];
      if (typeof value === "number" && typeof expected === "number") {
        if (Math.abs(value - expected) <= TOLERANCE * Math.abs(expected)) continue;
      }
      throw new Error(`${name} of field ${field}: ${value}, exactextract ${expected}`);
    }
  }
}
