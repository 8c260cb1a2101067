import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { againstTruth, classPlane } from "../classes.ts";
import { emptyConfusion, f1, overallAccuracy, truePixels, type Confusion } from "../confusion.ts";
import { atLeast, figuresOf, itself, type Measure } from "../cover-figures.ts";
import { absent, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { comparedPoints, type ComparedPoint } from "../leipzig-points.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

const MAP_TYPE = "land-cover";
const NAMES = ["water", "trees", "crops-or-grass", "bare", "built", "snow", "cloud"] as const;
const LIKE = { mapType: MAP_TYPE, page: MAP_TYPE };

/** Numbers of the Esri labels; flooded vegetation is no class of the map. */
const ESRI: Readonly<Record<number, string>> = {
  1: "water",
  2: "trees",
  4: "crops-or-grass",
  5: "built",
  6: "bare",
  7: "snow",
  8: "cloud",
  9: "crops-or-grass",
};
/** Labels of clouds by people: shadow and land tell nothing of the class beneath. */
const CLOUDS: Readonly<Record<number, string>> = { 1: "snow", 2: "water", 3: "land", 4: "cloud" };
const LAND: ReadonlySet<string> = new Set(["trees", "crops-or-grass", "bare", "built"]);

const TOP_OF_ATMOSPHERE = {
  satellite: "SENTINEL-2",
  datetime: "2020-07-01T10:00:00Z",
  bands: ["B", "G", "R", "N", "S1", "S2"].map((role) => ({
    names: [role],
    quantity: "reflectance",
    reflectanceMult: 1e-4,
  })),
};

interface LabelledScene {
  readonly data: string;
  readonly file: readonly string[];
  readonly labels: readonly string[];
  readonly document: Readonly<Record<string, unknown>>;
  readonly names: readonly string[];
  readonly truth: Readonly<Record<number, string>>;
  readonly found: (name: string) => string;
  /** Whether its accuracy must reach a bar: not where the limits were chosen. */
  readonly hasBar: boolean;
  readonly note?: string;
}

const YEARLY =
  "labels are of a year, the map is of a day: fields without a plant on that day are bare on the map and crops in the labels";

/** Ground by Esri, of a year. */
const BY_ESRI = {
  document: SENTINEL_2_L2A,
  names: NAMES,
  truth: ESRI,
  found: itself as (name: string) => string,
  note: YEARLY,
};
/** Clouds and snow that people have drawn; all ground without them is land. */
const BY_PEOPLE = {
  document: TOP_OF_ATMOSPHERE,
  names: ["water", "land", "snow", "cloud"],
  truth: CLOUDS,
  found: (name: string): string => (LAND.has(name) ? "land" : name),
};

const SCENES: readonly LabelledScene[] = [
  {
    ...BY_ESRI,
    data: "scored before a change: Sentinel-2 637U_59R_1_3, Esri labels",
    file: ["optical_s2", "637U_59R_1_3_S2L2A.tif"],
    labels: ["optical_s2", "637U_59R_1_3_LULC_reference.tif"],
    hasBar: true,
  },
  {
    ...BY_ESRI,
    data: "held out: Sentinel-2 38D_378R_2_3, Esri labels",
    file: ["more", "38D_378R_2_3_S2L2A.tif"],
    labels: ["more", "38D_378R_2_3_LULC_reference.tif"],
    hasBar: true,
  },
  {
    ...BY_PEOPLE,
    data: "held out: Sentinel-2 at 30 m, people's labels of clouds and snow",
    file: ["more", "clouds_sentinel2.tif"],
    labels: ["more", "clouds_sentinel2_labels.tif"],
    hasBar: true,
  },
  {
    ...BY_PEOPLE,
    data: "held out: Landsat 5 at 30 m, people's labels of clouds and snow",
    file: ["more", "clouds_landsat5.tif"],
    labels: ["more", "clouds_landsat5_labels.tif"],
    document: { ...TOP_OF_ATMOSPHERE, satellite: "LANDSAT_5" },
    hasBar: true,
  },
  {
    ...BY_ESRI,
    data: "limits chosen here: Sentinel-2 433D_629L_3_1, Esri labels",
    file: ["optical_s2", "433D_629L_3_1_S2L2A.tif"],
    labels: ["optical_s2", "433D_629L_3_1_LULC_reference.tif"],
    hasBar: false,
  },
];

function measuresOf(names: readonly string[], hasBar: boolean): readonly Measure[] {
  return [
    { metric: "overall accuracy", of: overallAccuracy, bar: hasBar ? atLeast(0.65) : null },
    ...names.map((name) => ({ metric: `${name} F1`, of: (one: Confusion) => f1(one, name), bar: null, needs: name })),
  ];
}

async function scene(bench: QualityBench, one: LabelledScene): Promise<readonly Figure[]> {
  const like = { ...LIKE, data: one.data };
  const measures = measuresOf(one.names, one.hasBar);
  const [path, labelPath] = [sampleData(...one.file), sampleData(...one.labels)];
  const missing = (reason: string): readonly Figure[] =>
    measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, reason));
  if (path === null || labelPath === null) return missing("sample data absent");
  const outcome = await bench.run(MAP_TYPE, [await bench.ingest(path, one.document)]);
  if (outcome.kind === "refused") return missing(outcome.reason);
  const { bands, widthPx, heightPx } = await filePixels(labelPath);
  const units = againstTruth(
    one.names,
    classPlane(MAP_TYPE, outcome.result),
    (pixel) => one.truth[bands[0]![pixel]!] ?? null,
    { truth: itself, found: one.found },
  );
  const figures = figuresOf(like, units, `${widthPx * heightPx} px`, measures);
  return figures.map((figure, i) => (i === 0 && one.note !== undefined ? { ...figure, note: one.note } : figure));
}

const POINTS: Readonly<Record<ComparedPoint["label"], string>> = {
  forest: "trees",
  pasture: "crops-or-grass",
  urban: "built",
  water: "water",
};

/** Points that people have labelled. */
async function leipzig(bench: QualityBench): Promise<readonly Figure[]> {
  const like = { ...LIKE, data: "limits chosen here: Sentinel-2 Leipzig, 97 labelled points" };
  const names = Object.values(POINTS);
  const measures = measuresOf(names, false);
  const compared = await comparedPoints(bench, MAP_TYPE);
  if (typeof compared === "string") {
    return measures.map(({ metric, bar }) => absent({ ...like, metric, bar }, compared));
  }
  const all = [...names, "other"];
  const confusion = emptyConfusion(all);
  for (const { label, found } of compared) {
    const column = names.includes(found) ? names.indexOf(found) : names.length;
    confusion.counts[names.indexOf(POINTS[label]) * all.length + column]! += 1;
  }
  const right = compared.filter(({ label, found }) => POINTS[label] === found).length;
  return measures.map(({ metric, of, bar, needs }) => ({
    ...like,
    metric,
    value: of(confusion),
    interval: needs === undefined ? shareInterval(right, compared.length) : null,
    bar,
    over: `${needs === undefined ? compared.length : truePixels(confusion, needs)} points`,
  }));
}

export async function vegetationCoverFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [...(await leipzig(bench))];
  for (const one of SCENES) figures.push(...(await scene(bench, one)));
  return figures;
}
