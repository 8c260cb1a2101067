import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { againstTruth, classPlane } from "../classes.ts";
import { iou, overallAccuracy, type Confusion } from "../confusion.ts";
import { atLeast, COVER, figuresOf, itself, onlyWater, withRoads, type Measure } from "../cover-figures.ts";
import { comparedPoints } from "../leipzig-points.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_1_RTC, SENTINEL_2_L2A } from "../samples.ts";
import { withBands } from "../with-bands.ts";
import { radarCoverFigures } from "./radar-cover.ts";
import { narrowWaterFigures } from "./narrow-water.ts";

/** Classes of the Esri land-cover labels as those of `wrunc`. */
const LABELS: Readonly<Record<number, string>> = {
  1: "water",
  2: "nonurban",
  3: "nonurban",
  4: "nonurban",
  5: "urban",
  6: "nonurban",
  7: "nonurban",
  8: "clouds",
  9: "nonurban",
};
const RIVER =
  "the only water is a river about 35 m wide with yearly labels about 55 m wide. Labels one pixel narrower on each side have " +
  "0.64 with themselves, a random forest trained on these labels 0.59. 54 % of the labelled pixels are at least half water";

/** Files of processing baseline 4 and later hold 1000 more than harmonised ones. */
const WITH_OFFSET = {
  ...SENTINEL_2_L2A,
  bands: SENTINEL_2_L2A.bands.split(",").map((id) => ({ id, reflectanceMult: 1e-4, reflectanceAdd: -0.1 })),
};

/** The same scene before the light of the air was taken off: shadows are as green as water there. */
const TOP_OF_ATMOSPHERE = {
  ...SENTINEL_2_L2A,
  bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B09,B10,B11,B12",
};

/** Positions of green, red and near infrared (B03, B04, B08) among the bands of a product. */
const GREEN_RED_NIR: readonly number[] = [2, 3, 7];
/** The first two bands are violet (B01) and blue (B02). */
const FEWER_BANDS = [
  { without: "without blue", left: (index: number) => index > 1 },
  { without: "in green, red and near infrared only", left: (index: number) => GREEN_RED_NIR.includes(index) },
] as const;

const REAL: readonly {
  readonly mapType: string;
  readonly data: string;
  readonly file: readonly string[];
  readonly labels: string;
  readonly document: Readonly<Record<string, unknown>>;
  readonly bars: { readonly oa: Bar | null; readonly water: Bar | null };
  readonly note?: string;
  /** Bands that are left of the scene, by their positions from 0; all by default. */
  readonly left?: (index: number) => boolean;
}[] = [
  {
    mapType: "wrunc",
    data: "Sentinel-2 433D_629L_3_1, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L2A.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: SENTINEL_2_L2A,
    bars: { oa: atLeast(0.75), water: atLeast(0.85) },
    note: RIVER,
  },
  {
    mapType: "wrunc",
    data: "Sentinel-2 433D_629L_3_1 with its offset of -1000 stated, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L2A.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: WITH_OFFSET,
    bars: { oa: atLeast(0.75), water: null },
    note: RIVER,
  },
  {
    mapType: "wrunc",
    data: "Sentinel-2 433D_629L_3_1 at the top of the atmosphere, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L1C.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: TOP_OF_ATMOSPHERE,
    bars: { oa: atLeast(0.75), water: null },
    note: RIVER,
  },
  {
    mapType: "wrunc",
    data: "Sentinel-2 637U_59R_1_3, Esri labels",
    file: ["optical_s2", "637U_59R_1_3_S2L2A.tif"],
    labels: "637U_59R_1_3_LULC_reference.tif",
    document: SENTINEL_2_L2A,
    bars: { oa: atLeast(0.75), water: atLeast(0.85) },
  },
  ...["433D_629L_3_1", "637U_59R_1_3"].flatMap((place) =>
    FEWER_BANDS.map(({ left, without }) => ({
      mapType: "wrunc",
      data: `Sentinel-2 ${place} ${without}, Esri labels`,
      file: ["optical_s2", `${place}_S2L2A.tif`],
      labels: `${place}_LULC_reference.tif`,
      document: SENTINEL_2_L2A,
      bars: { oa: null, water: null },
      left,
    })),
  ),
  {
    mapType: "wrun",
    data: "Sentinel-1 433D_629L_3_1, Esri labels",
    file: ["sar_s1", "433D_629L_3_1_S1RTC.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: SENTINEL_1_RTC,
    bars: { oa: null, water: null },
  },
  {
    mapType: "wrun",
    data: "Sentinel-1 637U_59R_1_3, Esri labels",
    file: ["sar_s1", "637U_59R_1_3_S1RTC.tif"],
    labels: "637U_59R_1_3_LULC_reference.tif",
    document: SENTINEL_1_RTC,
    bars: { oa: null, water: null },
  },
  {
    mapType: "water",
    data: "Sentinel-2 433D_629L_3_1, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L2A.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: SENTINEL_2_L2A,
    bars: { oa: null, water: atLeast(0.85) },
    note: RIVER,
  },
  {
    mapType: "water",
    data: "Sentinel-2 433D_629L_3_1 at the top of the atmosphere, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L1C.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: TOP_OF_ATMOSPHERE,
    bars: { oa: null, water: null },
    note: RIVER,
  },
  {
    mapType: "water",
    data: "Sentinel-1 433D_629L_3_1, Esri labels",
    file: ["sar_s1", "433D_629L_3_1_S1RTC.tif"],
    labels: "433D_629L_3_1_LULC_reference.tif",
    document: SENTINEL_1_RTC,
    bars: { oa: null, water: null },
  },
];

async function real(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { mapType, data, file, labels, document, bars, note, left } of REAL) {
    const like = { mapType, page: mapType, data };
    const isWater = mapType === "water";
    const measures: readonly Measure[] = [
      ...(isWater ? [] : [{ metric: "overall accuracy", of: overallAccuracy, bar: bars.oa }]),
      { metric: "water IoU", of: (one: Confusion) => iou(one, "water"), bar: bars.water, needs: "water" },
      ...(isWater
        ? []
        : [{ metric: "urban IoU", of: (one: Confusion) => iou(one, "urban"), bar: null, needs: "urban" }]),
    ];
    const [path, labelPath] = [sampleData(...file), sampleData("optical_s2", labels)];
    if (path === null || labelPath === null) {
      figures.push(...measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, "sample data absent")));
      continue;
    }
    const scene = await bench.ingest(path, document);
    const outcome = await bench.run(mapType, [left === undefined ? scene : withBands(scene, left)]);
    if (outcome.kind === "refused") {
      figures.push(...measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, outcome.reason)));
      continue;
    }
    const { bands } = await filePixels(labelPath);
    const names = isWater ? ["water", "other"] : COVER;
    const merge = isWater ? { truth: onlyWater, found: onlyWater } : { truth: itself, found: withRoads };
    const truthAt = (pixel: number): string | null => LABELS[bands[0]![pixel]!] ?? null;
    const units = againstTruth(names, classPlane(mapType, outcome.result), truthAt, merge);
    const found = figuresOf(like, units, "50 176 px", measures);
    figures.push(
      ...found.map((figure) => (note === undefined || figure.metric !== "water IoU" ? figure : { ...figure, note })),
    );
  }
  return figures;
}

/** Points that people have labelled: forest, pasture, urban, water. */
async function leipzig(bench: QualityBench): Promise<readonly Figure[]> {
  const like = {
    mapType: "wrunc",
    page: "wrunc",
    data: "Sentinel-2 Leipzig, 97 labelled points",
    metric: "overall accuracy",
  };
  const bar = atLeast(0.8);
  const compared = await comparedPoints(bench, "wrunc");
  if (typeof compared === "string") return [absent({ ...like, bar }, compared)];
  const right = compared.filter(({ label, found }) => {
    const truth = label === "forest" || label === "pasture" ? "nonurban" : label;
    return withRoads(found) === truth;
  }).length;
  const total = compared.length;
  return [{ ...like, value: right / total, interval: shareInterval(right, total), bar, over: `${total} points` }];
}

export async function landCoverFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [
    ...(await real(bench)),
    ...(await narrowWaterFigures(bench)),
    ...(await leipzig(bench)),
    ...(await radarCoverFigures(bench)),
  ];
}
