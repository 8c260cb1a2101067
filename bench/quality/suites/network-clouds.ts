import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { againstTruth, classPlane, type ClassPlane, type Merge } from "../classes.ts";
import { f1 } from "../confusion.ts";
import { figuresOf, itself, type Measure } from "../cover-figures.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { CLOUD_LABELS, labelledCloudDocument, LABELLED_CLOUDS } from "../labelled-clouds.ts";
import { openModels } from "../open-models.ts";
import { openQualityBench, type QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

const NAMES = ["clouds", "shadow", "none"] as const;
const merged: Merge = (name) =>
  name === "thin-clouds" ? "clouds" : name === "cloud-shadows" ? "shadow" : name === "snow" ? "none" : name;
const MEASURES: readonly Measure[] = [
  { metric: "F1 of clouds and thin clouds together", of: (confusion) => f1(confusion, "clouds"), bar: null },
  { metric: "F1 of shadows", of: (confusion) => f1(confusion, "shadow"), bar: null },
];
/** The network, and the map type that adds the rules. */
const WAYS = [
  { mapType: "model-csmask-6-bands-l1c", by: "by ukis-csmask alone" },
  { mapType: "clouds", by: "by ukis-csmask and rules" },
] as const;
/** Scenes without a cloud, of places that nothing says the networks have seen. */
const CLEAR = ["433D_629L_3_1", "637U_59R_1_3"] as const;
const MOST_FALSE: Bar = { kind: "at-most", value: 0.01 };

/** Clouds as an operator with the networks of ukis-csmask gets them. */
export async function networkCloudFigures(): Promise<readonly Figure[]> {
  const installed = await openModels();
  await using bench = installed === null ? null : await openQualityBench(installed);
  const figures: Figure[] = [];
  for (const scene of LABELLED_CLOUDS) {
    for (const way of WAYS) figures.push(...(await labelled(bench, scene, way)));
  }
  for (const name of CLEAR) figures.push(await clear(bench, name));
  return figures;
}

async function planeOf(
  bench: QualityBench,
  mapType: string,
  path: string,
  document: Readonly<Record<string, unknown>>,
): Promise<ClassPlane> {
  const outcome = await bench.run(mapType, [await bench.ingest(path, document)]);
  if (outcome.kind === "refused") throw new Error(`${mapType} of ${path}: ${outcome.reason}`);
  return classPlane(mapType, outcome.result, bench.mapTypes);
}

async function labelled(
  bench: QualityBench | null,
  scene: (typeof LABELLED_CLOUDS)[number],
  { by, mapType }: (typeof WAYS)[number],
): Promise<readonly Figure[]> {
  const like = { mapType: "clouds", page: "clouds", data: `${scene.data}, ${by}` };
  const [path, labels] = ["", "_labels"].map((end) => sampleData("more", `clouds_${scene.name}${end}.tif`));
  if (bench === null || path == null || labels == null) {
    return MEASURES.map(({ metric }) => absent({ ...like, metric }, "samples or networks absent"));
  }
  const [truth] = (await filePixels(labels)).bands;
  const plane = await planeOf(bench, mapType, path, labelledCloudDocument(scene));
  const truthAt = (pixel: number): string | null => CLOUD_LABELS[truth![pixel]!] ?? null;
  const units = againstTruth(NAMES, plane, truthAt, { truth: itself, found: merged });
  return figuresOf(like, units, `${plane.widthPx * plane.heightPx} px`, MEASURES);
}

async function clear(bench: QualityBench | null, name: (typeof CLEAR)[number]): Promise<Figure> {
  const like = {
    mapType: "clouds",
    page: "clouds",
    data: `Sentinel-2 ${name}, clear, by ukis-csmask and rules`,
    metric: "share of pixels taken for clouds and thin clouds",
    bar: MOST_FALSE,
  };
  const path = sampleData("optical_s2", `${name}_S2L2A.tif`);
  if (bench === null || path === null) return absent(like, "samples or networks absent");
  const plane = await planeOf(bench, "clouds", path, SENTINEL_2_L2A);
  const pixels = Array.from({ length: plane.widthPx * plane.heightPx }, (_, pixel) => plane.nameAt(pixel));
  const valid = pixels.filter((pixel) => pixel !== null);
  const cloudy = valid.filter((pixel) => pixel.endsWith("clouds")).length;
  const interval = shareInterval(cloudy, valid.length);
  return { ...like, value: cloudy / valid.length, interval, over: `${valid.length} px`, digits: 4 };
}
