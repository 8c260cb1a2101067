import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { Plane, QualityBench } from "../quality-bench.ts";
import { filePixels } from "../samples.ts";
import { squareOf, wishedScenes } from "../simulated-scenes.ts";
import { seededRandom } from "../../statistics.ts";
import { foundAt, overScenes } from "../detections.ts";

const exact = (value: number): Bar => ({ kind: "at-most", value });

interface Facts {
  readonly mean: number;
  readonly max: number;
  readonly valid: number;
}

function factsOf(
  pixels: ArrayLike<number>,
  widthPx: number,
  keep: { readonly columns: number; readonly rows: number },
): Facts {
  let [sum, max, valid] = [0, -Infinity, 0];
  for (let row = 0; row < keep.rows; row += 1) {
    for (let column = 0; column < keep.columns; column += 1) {
      const value = pixels[row * widthPx + column]!;
      if (!Number.isFinite(value)) continue;
      sum += value;
      max = Math.max(max, value);
      valid += 1;
    }
  }
  return { mean: sum / valid, max, valid };
}

/** Published statistics of the three months over Mumbai, nW cm⁻² sr⁻¹. */
const MUMBAI = [
  { month: "2013-01", mean: 16.314, max: 870.62 },
  { month: "2019-01", mean: 17.428, max: 271.25 },
  { month: "2019-02", mean: 19.513, max: 713.43 },
] as const;
const MUMBAI_SIZE = { columns: 48, rows: 101 };

function monthDocument(month: string): Readonly<Record<string, unknown>> {
  return {
    satellite: "VIIRS",
    datetime: `${month}-15`,
    bands: [{ names: ["avg_rad", "radiance"], quantity: "other" }],
  };
}

async function nightLights(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { month, mean, max } of MUMBAI) {
    const of = { mapType: "nightlight", page: "nightlight", data: `VIIRS Mumbai ${month}` };
    const path = sampleData("nightlights", `viirs_monthly_mumbai_${month}.tif`);
    const outcome =
      path === null
        ? ({ kind: "refused", reason: "sample data absent" } as const)
        : await bench.run("nightlight", [await bench.ingest(path, monthDocument(month))]);
    for (const [metric, published] of [
      ["difference of the mean from the published one", mean],
      ["difference of the maximum from the published one", max],
    ] as const) {
      if (outcome.kind === "refused") {
        figures.push(absent({ ...of, metric }, outcome.reason));
        continue;
      }
      const [plane] = outcome.result.planes;
      const facts = factsOf(plane!.pixels, plane!.band.widthPx, MUMBAI_SIZE);
      const value = Math.abs((published === mean ? facts.mean : facts.max) - published);
      // Published with three and two decimals.
      figures.push({ ...of, metric, value, interval: null, bar: exact(0.006), over: `${facts.valid} px`, digits: 4 });
    }
  }
  figures.push(...(await nightChange(bench)));
  return figures;
}

async function nightChange(bench: QualityBench): Promise<readonly Figure[]> {
  const of = {
    mapType: "nightlight-change",
    page: "nightlight-change",
    data: "VIIRS Mumbai 2013-01 to 2019-01",
    metric: "largest difference from ln(max(b, 0.5) / max(a, 0.5))",
  };
  const paths = ["2013-01", "2019-01"].map((month) => sampleData("nightlights", `viirs_monthly_mumbai_${month}.tif`));
  const [before, after] = paths;
  if (before == null || after == null) return [absent(of, "sample data absent")];
  const scenes = [
    await bench.ingest(before, monthDocument("2013-01")),
    await bench.ingest(after, monthDocument("2019-01")),
  ];
  const outcome = await bench.run("nightlight-change", scenes);
  if (outcome.kind === "refused") return [absent(of, outcome.reason)];
  const [a, b] = [(await filePixels(before)).bands[0]!, (await filePixels(after)).bands[0]!];
  const [plane] = outcome.result.planes;
  let worst = 0;
  for (let row = 0; row < MUMBAI_SIZE.rows; row += 1) {
    for (let column = 0; column < MUMBAI_SIZE.columns; column += 1) {
      const at = row * MUMBAI_SIZE.columns + column;
      const expected = Math.log(Math.max(b[at]!, 0.5) / Math.max(a[at]!, 0.5));
      worst = Math.max(worst, Math.abs(plane!.pixels[row * plane!.band.widthPx + column]! - expected));
    }
  }
  return [{ ...of, value: worst, interval: null, bar: exact(1e-6), over: `${a.length} px` }];
}

async function rain(bench: QualityBench): Promise<readonly Figure[]> {
  const of = { mapType: "precipitation", page: "precipitation", data: "GPM IMERG day 2024-06-17, 180 to 105 west" };
  const path = sampleData("precipitation", "gpm_imerg_1d_20240617_west_180W-105W.tif");
  const metrics = [
    "difference of the mean from the published one",
    "difference of the share of rain from the published one",
  ] as const;
  if (path === null) return metrics.map((metric) => absent({ ...of, metric }, "sample data absent"));
  const document = {
    satellite: "GPM",
    datetime: "2024-06-17",
    bands: [{ names: ["hourlyPrecipRate", "precipitation"], quantity: "other" }],
  };
  const stored = await bench.ingest(path, document);
  const outcome = await bench.run("precipitation", [stored]);
  if (outcome.kind === "refused") return metrics.map((metric) => absent({ ...of, metric }, outcome.reason));
  const [plane] = outcome.result.planes;
  const { widthPx, heightPx } = stored.raster.bands[0]!;
  const { mean, valid } = factsOf(plane!.pixels, plane!.band.widthPx, { columns: widthPx, rows: heightPx });
  let wet = 0;
  for (const value of plane!.pixels) if (value > 0) wet += 1;
  return [
    {
      ...of,
      metric: metrics[0],
      value: Math.abs(mean - 11.079),
      interval: null,
      bar: exact(6e-4),
      over: `${valid} px`,
      digits: 5,
      note: "stored units of 0.1 mm",
    },
    {
      ...of,
      metric: metrics[1],
      value: Math.abs(wet / valid - 0.391),
      interval: null,
      bar: exact(6e-4),
      over: `${valid} px`,
      digits: 5,
    },
  ];
}

/** Layers that hold the values of a band as they are stored. */
const STORED = [
  {
    mapType: "precipitation",
    dataset: ["ee", "JAXA/GPM_L3/GSMaP/v6/operational"],
    band: "hourlyPrecipRateGC",
    place: { lonDeg: 153, latDeg: -27, sideM: 3_000_000 },
  },
  {
    mapType: "nightlight",
    dataset: ["noaa", "VIIRS/Monthly"],
    band: "avg_rad",
    place: { lonDeg: 153, latDeg: -27.4, sideM: 150_000 },
  },
  {
    mapType: "methane",
    dataset: ["ee", "COPERNICUS/S5P/OFFL/L3_CH4"],
    band: "CH4_column_volume_mixing_ratio_dry_air",
    place: { lonDeg: 135, latDeg: -25, sideM: 600_000 },
  },
] as const;

async function storedValues(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const {
    mapType,
    dataset: [provider, dataset],
    band,
    place,
  } of STORED) {
    const of = {
      mapType,
      page: mapType,
      data: `simulated ${dataset}`,
      metric: "largest difference from the drawn values",
    };
    const [model] = wishedScenes({ ...place, provider, dataset, fromMs: Date.UTC(2023, 3, 1), days: 40 }, 1);
    if (model === undefined) {
      figures.push(absent(of, "no such scene"));
      continue;
    }
    const stored = await bench.simulate(model, squareOf(place));
    const outcome = await bench.run(mapType, [stored], squareOf(place));
    if (outcome.kind === "refused") {
      figures.push(absent(of, outcome.reason));
      continue;
    }
    const position = stored.scene.bands.findIndex(({ names }) => names.includes(band));
    const drawn = stored.raster.bands[position]!;
    const [pixels] = await bench.pixels([drawn]);
    figures.push({ ...of, ...compare(outcome.result.planes[0]!, drawn, pixels!), interval: null, bar: exact(0) });
  }
  return figures;
}

const RAIN_HOURS = 6;

/** The sum over some hours against the sum of the values of their scenes. */
async function rainSum(bench: QualityBench): Promise<readonly Figure[]> {
  const [{ dataset, place }] = STORED;
  const of = {
    mapType: "precipitation-sum",
    page: "precipitation-sum",
    data: `simulated ${dataset[1]}, ${RAIN_HOURS} hours`,
    metric: "largest difference from the sum of the drawn values",
  };
  const models = wishedScenes(
    { ...place, provider: dataset[0], dataset: dataset[1], fromMs: Date.UTC(2023, 3, 1), days: 1 },
    RAIN_HOURS,
  );
  if (models.length < RAIN_HOURS) return [absent(of, "too few scenes")];
  const hours: StoredScene[] = [];
  for (const model of models) hours.push(await bench.simulate(model, squareOf(place)));
  const outcome = await bench.run("precipitation-sum", hours, squareOf(place));
  if (outcome.kind === "refused") return [absent(of, outcome.reason)];
  const positionOf = (name: string): number => hours[0]!.scene.bands.findIndex(({ names }) => names.includes(name));
  const position = Math.max(positionOf("hourlyPrecipRateGC"), 0);
  const drawn = hours[0]!.raster.bands[position]!;
  const sum = new Float64Array(drawn.widthPx * drawn.heightPx);
  for (const { raster } of hours) {
    const [pixels] = await bench.pixels([raster.bands[position]!]);
    for (let i = 0; i < sum.length; i += 1) sum[i]! += pixels![i]!;
  }
  const compared = compare(outcome.result.planes[0]!, drawn, sum);
  // Sums are kept in single precision: 100 mm to 8e-6.
  return [{ ...of, ...compared, interval: null, bar: exact(1e-5) }];
}

function compare(
  { pixels, band }: Plane,
  drawn: { readonly geotransform: readonly number[]; readonly widthPx: number },
  source: ArrayLike<number>,
): { readonly value: number; readonly over: string } {
  const right = Math.round((band.geotransform[2] - drawn.geotransform[2]!) / band.geotransform[0]);
  const down = Math.round((band.geotransform[5] - drawn.geotransform[5]!) / band.geotransform[4]);
  let worst = 0;
  let compared = 0;
  for (let row = 0; row < band.heightPx; row += 1) {
    for (let column = 0; column < band.widthPx; column += 1) {
      const value = pixels[row * band.widthPx + column]!;
      if (!Number.isFinite(value)) continue;
      worst = Math.max(worst, Math.abs(value - source[(row + down) * drawn.widthPx + column + right]!));
      compared += 1;
    }
  }
  return { value: worst, over: `${compared} px` };
}

export async function environmentFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [
    ...(await rain(bench)),
    ...(await storedValues(bench)),
    ...(await rainSum(bench)),
    ...(await nightLights(bench)),
    ...(await plumes(bench)),
  ];
}

/** Excess of a plume at its source, ppb, and how far it spreads, pixels of about a kilometre. */
const PLUMES = { excessPpb: 60, sigmaPx: 3 } as const;
const PLUME_SCENES = 5;
const PLUMES_EACH = 12;
const NOISE_PPB = 12;
const FIELD_PX = 900;

/**
 * Known sources in independent noise over a background that rises to the north.
 */
async function plumes(bench: QualityBench): Promise<readonly Figure[]> {
  const of = {
    mapType: "methane",
    page: "methane",
    data: `made plumes of ${PLUMES.excessPpb} ppb in noise of ${NOISE_PPB} ppb`,
  };
  const scenes: Matched[] = [];
  for (let seed = 1; seed <= PLUME_SCENES; seed += 1) {
    const random = seededRandom(seed);
    const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const field = Float32Array.from(
      { length: FIELD_PX * FIELD_PX },
      (_, i) => 1850 + 20 * (1 - Math.floor(i / FIELD_PX) / FIELD_PX) + NOISE_PPB * normal(),
    );
    const truth: TruthObject[] = [];
    for (let k = 0; k < PLUMES_EACH; k += 1) {
      const column = 150 + 200 * (k % 4) + Math.floor(60 * random());
      const row = 200 + 220 * Math.floor(k / 4) + Math.floor(60 * random());
      for (let j = -12; j <= 12; j += 1) {
        for (let i = -12; i <= 12; i += 1) {
          field[(row + j) * FIELD_PX + column + i]! +=
            PLUMES.excessPpb * Math.exp(-(i * i + j * j) / (2 * PLUMES.sigmaPx ** 2));
        }
      }
      truth.push({ centre: [10 + (column + 0.5) * 0.01, 30 - (row + 0.5) * 0.01], reachM: 6000, counts: true });
    }
    const stored = await bench.place(
      { pixels: field, widthPx: FIELD_PX, heightPx: FIELD_PX, west: 10, north: 30, degrees: 0.01 },
      "CH4_column_volume_mixing_ratio_dry_air_bias_corrected",
    );
    const outcome = await bench.run("methane", [stored]);
    if (outcome.kind === "refused") return [absent({ ...of, metric: "recall" }, outcome.reason)];
    scenes.push(matchObjects(truth, foundAt(outcome.result)));
  }
  const areaMpx = (PLUME_SCENES * FIELD_PX * FIELD_PX) / 1e6;
  const { length } = scenes.flatMap(({ falseAlarms }) => Array.from({ length: falseAlarms }));
  return [
    ...overScenes(of, scenes, { recall: { kind: "at-least", value: 0.9 }, precision: null }),
    {
      ...of,
      metric: "false plumes per million pixels",
      value: length / areaMpx,
      interval: null,
      bar: null,
      over: `${areaMpx} Mpx`,
      digits: 1,
    },
  ];
}
