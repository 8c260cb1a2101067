import { join } from "node:path";
import { indexBands } from "@swath/kernel/bands/index-bands";
import { kernelWidthPair, SPECTRAL_INDICES, type SpectralIndex } from "@swath/kernel/bands/spectral-index";
import { reflectanceScale } from "@swath/kernel/bands/radiometry";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { indexComputation } from "../../../packages/maps/src/render/index-computation.ts";
import { namedBands } from "../../../packages/maps/src/render/native-grid.ts";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { findPython, runPython } from "../reference/python.ts";
import { filePixels, SENTINEL_1_RTC, SENTINEL_2_L2A } from "../samples.ts";

const REFERENCE = join(import.meta.dirname, "..", "reference", "indices.py");
/** Largest difference, relative to values above 1. */
const TOLERANCE = 1e-6;

/** Values of an index on the pixels of a scene, as the service computes them before it resamples. */
export async function valuesOf(
  bench: QualityBench,
  { scene, raster }: StoredScene,
  index: SpectralIndex,
): Promise<Float32Array> {
  const { positions, compute } = indexComputation(index, scene, raster);
  const planes = await bench.pixels(positions.map((position) => raster.bands[position]!));
  const windows = planes.map((plane, i) => {
    const window = Float32Array.from(plane);
    const nodata = raster.bands[positions[i]!]!.nodata;
    if (typeof nodata === "number") window.forEach((value, at) => value === nodata && (window[at] = Number.NaN));
    return window;
  });
  const target = new Float32Array(windows[0]?.length ?? 0);
  compute(windows, target);
  return target;
}

/** Indices that a scene has the bands for. */
function computable({ scene, raster }: StoredScene): readonly SpectralIndex[] {
  const bands = namedBands(scene, raster.bands);
  return Object.values(SPECTRAL_INDICES).filter((index) => indexBands(index, bands).missing.length === 0);
}

function referenceOf(python: string, path: string, stored: StoredScene, indices: readonly SpectralIndex[]): Buffer {
  const { scene, raster } = stored;
  const bands = namedBands(scene, raster.bands);
  const used = new Map<string, unknown>();
  for (const index of indices) {
    for (const [role, position] of indexBands(index, bands).positions) {
      const band = raster.bands[position]!;
      const scale = reflectanceScale(scene, scene.bands[position]!, band);
      used.set(role, {
        index: position,
        mult: scale?.mult ?? 1,
        add: scale?.add ?? 0,
        decibel: band.quantity === "backscatter-db",
      });
    }
  }
  return runPython(python, REFERENCE, {
    path,
    bands: Object.fromEntries(used),
    indices: indices.map((index) => ({
      id: index.id,
      formula: index.formula,
      constants: index.parameters,
      kernels: index.kernels.map(({ name, a, b }) => [name, a, b]),
      width: widthOf(index),
    })),
  });
}

function widthOf(index: SpectralIndex): readonly string[] {
  const pair = kernelWidthPair(index);
  return pair === null ? [] : [pair.a, pair.b];
}

interface Differences {
  readonly id: string;
  /** Over pixels where both are numbers, relative where the value exceeds 1. */
  readonly worst: number;
  /** Pixels that only the service leaves out: a denominator near zero. */
  readonly leftOut: number;
}

async function differences(bench: QualityBench, python: string, path: string, stored: StoredScene) {
  const indices = computable(stored);
  const reference = referenceOf(python, path, stored, indices);
  const found: Differences[] = [];
  for (const [i, index] of indices.entries()) {
    const ours = await valuesOf(bench, stored, index);
    let worst = 0;
    let leftOut = 0;
    for (const [pixel, value] of ours.entries()) {
      const expected = reference.readDoubleLE((i * ours.length + pixel) * 8);
      if (!Number.isFinite(expected)) continue;
      if (Number.isNaN(value)) leftOut += 1;
      else worst = Math.max(worst, Math.abs(value - expected) / Math.max(1, Math.abs(expected)));
    }
    found.push({ id: index.id, worst, leftOut: leftOut / ours.length });
  }
  return found;
}

const SCENES = [
  { name: "433D_629L_3_1_S2L2A", folder: "optical_s2", document: SENTINEL_2_L2A },
  { name: "637U_59R_1_3_S2L2A", folder: "optical_s2", document: SENTINEL_2_L2A },
  { name: "433D_629L_3_1_S1RTC", folder: "sar_s1", document: SENTINEL_1_RTC },
] as const;

async function againstNumpy(bench: QualityBench): Promise<readonly Figure[]> {
  const python = findPython();
  const figures: Figure[] = [];
  for (const { name, folder, document } of SCENES) {
    const like = { page: "index", data: name } as const;
    const path = sampleData(folder, `${name}.tif`);
    const most = { ...like, mapType: "all indices", metric: "largest difference from numpy, median over indices" };
    if (path === null || python === null) {
      figures.push(absent(most, path === null ? "sample data absent" : "no Python with numpy and GDAL"));
      continue;
    }
    const stored = await bench.ingest(path, document);
    const found = await differences(bench, python, path, stored);
    const within = found.filter(({ worst }) => worst <= TOLERANCE);
    const beyond = found.filter(({ worst }) => worst > TOLERANCE).toSorted((a, b) => b.worst - a.worst);
    const over = `${found.length} indices, every pixel`;
    const sorted = found.map(({ worst }) => worst).toSorted((a, b) => a - b);
    const ndvi = found.find(({ id }) => id === "ndvi");
    if (ndvi !== undefined) {
      figures.push({
        ...like,
        mapType: "ndvi",
        metric: "largest difference from numpy",
        value: ndvi.worst,
        interval: null,
        bar: { kind: "at-most", value: TOLERANCE },
        over: "50 176 pixels",
      });
    }
    figures.push(
      { ...most, value: sorted[sorted.length >> 1] ?? 0, interval: null, bar: { kind: "at-most", value: 1e-6 }, over },
      {
        ...like,
        mapType: "all indices",
        metric: "share within 1e-6 of numpy",
        value: within.length / found.length,
        interval: null,
        bar: { kind: "at-least", value: 1 },
        over,
        ...(beyond.length === 0
          ? {}
          : {
              note: `beyond: ${beyond
                .slice(0, 6)
                .map(({ id, worst }) => `${id} ${worst.toExponential(1)}`)
                .join(", ")}`,
            }),
      },
    );
  }
  return figures;
}

/** NDVI rasters that others made of the same scenes, and how exactly they can agree. */
const PUBLISHED = [
  {
    data: "433D_629L_3_1 (TerraMesh NDVI)",
    scene: ["optical_s2", "433D_629L_3_1_S2L2A.tif"],
    expected: ["optical_s2", "433D_629L_3_1_NDVI_expected.tif"],
    document: SENTINEL_2_L2A,
    scale: 1,
    // Theirs is rounded: 2.5e-4 is their own distance from the formula in double precision.
    tolerance: 3e-4,
  },
  {
    data: "637U_59R_1_3 (TerraMesh NDVI)",
    scene: ["optical_s2", "637U_59R_1_3_S2L2A.tif"],
    expected: ["optical_s2", "637U_59R_1_3_NDVI_expected.tif"],
    document: SENTINEL_2_L2A,
    scale: 1,
    tolerance: 3e-4,
  },
  {
    data: "Barbellino 2017 (sen2r NDVI)",
    scene: ["change_s2_two_dates", "S2A2A_20170703_022_Barbellino_BOA_10.tif"],
    expected: ["change_s2_two_dates", "S2A2A_20170703_022_Barbellino_NDVI_10.tif"],
    document: { ...SENTINEL_2_L2A, bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B11,B12" },
    scale: 1e-4,
    tolerance: 1e-4,
  },
  {
    data: "Barbellino 2019 (sen2r NDVI)",
    scene: ["change_s2_two_dates", "S2A2A_20190723_022_Barbellino_BOA_10.tif"],
    expected: ["change_s2_two_dates", "S2A2A_20190723_022_Barbellino_NDVI_10.tif"],
    document: { ...SENTINEL_2_L2A, bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B11,B12" },
    scale: 1e-4,
    tolerance: 1e-4,
  },
] as const;

async function againstPublished(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, scene, expected, document, scale, tolerance } of PUBLISHED) {
    const like = { page: "index", mapType: "ndvi", data, metric: "mean absolute difference" } as const;
    const [path, expectedPath] = [sampleData(...scene), sampleData(...expected)];
    if (path === null || expectedPath === null) {
      figures.push(absent(like, "sample data absent"));
      continue;
    }
    const ours = await valuesOf(bench, await bench.ingest(path, document), SPECTRAL_INDICES["ndvi"]!);
    const { bands } = await filePixels(expectedPath);
    let sum = 0;
    let count = 0;
    for (const [pixel, value] of ours.entries()) {
      const theirs = bands[0]![pixel]! * scale;
      if (Number.isNaN(value) || !Number.isFinite(theirs) || Math.abs(theirs) > 1) continue;
      sum += Math.abs(value - theirs);
      count += 1;
    }
    figures.push({
      ...like,
      value: sum / count,
      interval: null,
      bar: { kind: "at-most", value: tolerance },
      over: `${count} pixels`,
    });
  }
  return figures;
}

export async function indexFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await againstNumpy(bench)), ...(await againstPublished(bench))];
}
