import { classPlane } from "../classes.ts";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { NO_TRUTH, WORLD_CLASSES } from "../../../packages/simulator/src/world/land-cover.ts";
import type { SceneModel } from "../../../packages/simulator/src/scene-model.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { unitInterval } from "../interval.ts";
import type { MapResult, QualityBench } from "../quality-bench.ts";
import { SENTINEL_2_L2A } from "../samples.ts";
import { squareOf, truthOf, wishedScenes, type SceneWish } from "../simulated-scenes.ts";
import { wetlandFigures } from "./wetland-facts.ts";

const BARBELLINO = { ...SENTINEL_2_L2A, bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B11,B12" };
const RGB = ["red", "green", "blue"];
const RGBN = [...RGB, "nir"];
/** The file does not say which: by their looks. */
const FALSE_COLOUR = ["swir1", "nir", "red", "green"];

/** Pairs of dates without labels of change: what is told of them is for comparison. */
const PAIRS = [
  {
    data: "Landsat 7 Jülich, 2001-05-25 to 2001-06-26",
    files: [
      ["LS20010525.tif", { satellite: "LANDSAT-7", datetime: "2001-05-25", bands: RGB }],
      ["LS20010626.tif", { satellite: "LANDSAT-7", datetime: "2001-06-26", bands: RGB }],
    ],
    folder: "change_optical",
    note: "crop fields turn green, mines and towns stay: 26.9 % of pixels differ by more than 30 DN in red",
  },
  {
    data: "Landsat Pucallpa, 1990 to 2010",
    files: [
      ["pucallpa_landsat_1990.tif", { satellite: "LANDSAT-5", datetime: "1990-07-01", bands: FALSE_COLOUR }],
      ["pucallpa_landsat_2010.tif", { satellite: "LANDSAT-5", datetime: "2010-07-01", bands: FALSE_COLOUR }],
    ],
    folder: "change_optical",
    note: "a river that moves and a town that grows: rough water masks of the two years share 0.20 of their union",
  },
  {
    data: "NAIP North Dakota, 2010-06-29 to 2015-09-26",
    files: [
      ["naip_m_4709963_se_14_1_20100629_crop.tif", { satellite: "NAIP", datetime: "2010-06-29", bands: RGBN }],
      ["naip_m_4709963_se_14_1_20150926_crop.tif", { satellite: "NAIP", datetime: "2015-09-26", bands: RGBN }],
    ],
    folder: "change_optical",
    note: "wetlands grow: the share of NDWI above 0.1 rises from 15.6 to 25.9 %",
  },
  {
    data: "Sentinel-2 Barbellino, 2017-07-03 to 2019-07-23",
    files: [
      ["S2A2A_20170703_022_Barbellino_BOA_10.tif", { ...BARBELLINO, datetime: "2017-07-03T10:20:00Z" }],
      ["S2A2A_20190723_022_Barbellino_BOA_10.tif", { ...BARBELLINO, datetime: "2019-07-23T10:20:00Z" }],
    ],
    folder: "change_s2_two_dates",
    note: "clouds of 2017 and the level of the lake",
  },
] as const;

function markedShare(
  mapType: string,
  result: MapResult,
  counts: (pixel: number) => boolean,
  countsNoData = false,
): readonly [number, number] {
  const plane = classPlane(mapType, result);
  let marked = 0;
  let total = 0;
  for (let pixel = 0; pixel < plane.widthPx * plane.heightPx; pixel += 1) {
    const name = plane.nameAt(pixel);
    if ((name === null && !countsNoData) || !counts(pixel)) continue;
    total += 1;
    if (name !== null && name !== "none") marked += 1;
  }
  return [marked, total];
}

async function realPairs(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, files, folder, note } of PAIRS) {
    const of = { mapType: "change", page: "change", data, metric: "share marked as changed" };
    const paths = files.map(([name]) => sampleData(folder, name));
    const [before, after] = paths;
    if (before == null || after == null) {
      figures.push(absent(of, "sample data absent"));
      continue;
    }
    const scenes = [await bench.ingest(before, files[0][1]), await bench.ingest(after, files[1][1])];
    const outcome = await bench.run("change", scenes);
    if (outcome.kind === "refused") {
      figures.push(absent(of, outcome.reason));
      continue;
    }
    const [marked, total] = markedShare("change", outcome.result, () => true);
    figures.push({ ...of, value: marked / total, interval: null, bar: null, over: `${total} px`, note });
  }
  return figures;
}

const PLACES = [
  { lonDeg: 2.26, latDeg: 41.395 },
  { lonDeg: -43.08, latDeg: -22.935 },
  { lonDeg: 23.62, latDeg: 37.95 },
  { lonDeg: 174.87, latDeg: -36.875 },
  { lonDeg: 30.2, latDeg: 2.1 },
  { lonDeg: 12.5, latDeg: 46.3 },
] as const;

interface ComparedCase {
  readonly mapType: string;
  readonly data: string;
  readonly dataset: string;
  readonly dates: number;
  readonly days: number;
  readonly clouds?: SceneWish["clouds"];
  readonly bar: Bar | null;
}

const SENTINEL_1 = "COPERNICUS/S1_GRD";

const CASES: readonly ComparedCase[] = [
  {
    mapType: "change",
    data: "simulated Sentinel-1, two dates of one orbit",
    dataset: SENTINEL_1,
    dates: 2,
    days: 60,
    bar: null,
  },
  {
    mapType: "change-series",
    data: "simulated Sentinel-1, five dates of one orbit",
    dataset: SENTINEL_1,
    dates: 5,
    days: 120,
    bar: null,
  },
  {
    mapType: "change",
    data: "simulated Sentinel-2, two clear dates within two months",
    dataset: "COPERNICUS/S2_SR_HARMONIZED",
    dates: 2,
    days: 60,
    bar: null,
  },
  {
    mapType: "change",
    data: "simulated Sentinel-2, two dates with 5 to 50 % of clouds",
    dataset: "COPERNICUS/S2_SR_HARMONIZED",
    dates: 2,
    days: 400,
    clouds: { from: 0.05, to: 0.5 },
    bar: null,
  },
  {
    mapType: "wrunc-change",
    data: "simulated Sentinel-2, two clear dates within two months",
    dataset: "COPERNICUS/S2_SR_HARMONIZED",
    dates: 2,
    days: 60,
    bar: null,
  },
];
const SIDE_M = 3000;
const CLOUDS = WORLD_CLASSES.indexOf("clouds");
const WATER = WORLD_CLASSES.indexOf("water");

/** The latest scenes of one orbit. */
function seriesAt(
  place: (typeof PLACES)[number],
  { dataset, dates, days, clouds }: ComparedCase,
): readonly SceneModel[] {
  const found = wishedScenes(
    {
      ...place,
      sideM: SIDE_M,
      provider: "ee",
      dataset,
      fromMs: Date.UTC(2022, 5, 1),
      days,
      ...(clouds === undefined ? {} : { clouds }),
    },
    40,
  );
  for (const { relativeOrbit, orbitPass } of found) {
    const same = found.filter((one) => one.relativeOrbit === relativeOrbit && one.orbitPass === orbitPass);
    if (same.length >= dates) return same.slice(0, dates).toSorted((a, b) => a.acquiredAtMs - b.acquiredAtMs);
  }
  return [];
}

/** Of pixels that are marked and of all. */
function share(parts: readonly (readonly [marked: number, total: number])[]): number {
  return parts.reduce((sum, [marked]) => sum + marked, 0) / parts.reduce((sum, [, total]) => sum + total, 0);
}

const UNKNOWN_CHANGES =
  "the class is the same on all dates; crops, tides, ships and vehicles are changes that it does not know of";

interface GroundPart {
  readonly metric: string;
  /** @param covers true classes of a pixel on all dates */
  readonly counts: (covers: readonly number[]) => boolean;
  /** Whether pixels that the map leaves out count as unmarked. */
  readonly countsNoData?: boolean;
  readonly note: string;
}

const isSame = (covers: readonly number[]): boolean => covers.every((cover) => cover !== CLOUDS && cover === covers[0]);

/** Wind changes what radar sees of water every day. */
function partsOf({ dataset, clouds }: ComparedCase): readonly GroundPart[] {
  if (dataset !== SENTINEL_1) {
    const unchanged = { metric: "unchanged ground marked as changed", counts: isSame, note: UNKNOWN_CHANGES };
    if (clouds === undefined) return [unchanged];
    return [
      unchanged,
      {
        metric: "clouds marked as changed",
        counts: (covers) => covers.includes(CLOUDS),
        countsNoData: true,
        note: "a cloud of either date is no change of the ground",
      },
    ];
  }
  return [
    {
      metric: "unchanged land marked as changed",
      counts: (covers) => isSame(covers) && covers[0] !== WATER,
      note: UNKNOWN_CHANGES,
    },
    {
      metric: "water marked as changed",
      counts: (covers) => isSame(covers) && covers[0] === WATER,
      note: "wind roughens the sea, so that its power is another one on every date",
    },
  ];
}

/** Share of ground that is the same in the simulated world on all dates and is marked as changed nevertheless. */
async function unchangedGround(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const one of CASES) {
    const { mapType, data, bar } = one;
    const of = { mapType, page: mapType, data };
    const parts = partsOf(one).map((part) => ({ ...part, units: [] as (readonly [number, number])[] }));
    let refusal = "no such series of scenes";
    for (const place of PLACES) {
      const models = seriesAt(place, one);
      if (models.length === 0) continue;
      const extent = squareOf({ ...place, sideM: SIDE_M });
      const scenes = await Promise.all(models.map(async (model) => bench.simulate(model, extent)));
      const outcome = await bench.run(mapType, scenes, extent);
      if (outcome.kind === "refused") {
        refusal = outcome.reason;
        continue;
      }
      const grid = outcome.result.planes[0]!.band;
      const truths = models.map((model) => truthOf(model, grid).classes);
      const coversOf = (pixel: number): readonly number[] => truths.map((classes) => classes[pixel]!);
      for (const { counts, countsNoData, units } of parts) {
        const countsAt = (pixel: number): boolean => {
          const covers = coversOf(pixel);
          return !covers.includes(NO_TRUTH) && counts(covers);
        };
        const marked = markedShare(mapType, outcome.result, countsAt, countsNoData);
        if (marked[1] > 0) units.push(marked);
      }
    }
    for (const { metric, note, units } of parts) {
      if (units.length === 0) {
        figures.push(absent({ ...of, metric, bar }, refusal));
        continue;
      }
      figures.push({
        ...of,
        metric,
        value: share(units),
        interval: unitInterval(units, share),
        bar,
        over: `${units.length} places`,
        digits: 4,
        note,
      });
    }
  }
  return figures;
}

export async function changeFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await realPairs(bench)), ...(await wetlandFigures(bench)), ...(await unchangedGround(bench))];
}
