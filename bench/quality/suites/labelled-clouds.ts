import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { againstTruth, classPlane, type Merge } from "../classes.ts";
import { f1, type Confusion } from "../confusion.ts";
import { atLeast, figuresOf, itself, type Measure } from "../cover-figures.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { CLOUD_LABELS, labelledCloudDocument, LABELLED_CLOUDS } from "../labelled-clouds.ts";
import type { QualityBench } from "../quality-bench.ts";
import { withBands } from "../with-bands.ts";
import { filePixels } from "../samples.ts";

const NAMES = ["clouds", "shadow", "none"] as const;

/**
 * The share of ground that opaque clouds hide, the only limit that labels chose, was chosen on each scene for the other; both choose
 * a fifth. Time and place of the files are made up, so that the position of the sun is wrong.
 */
const NOTE = "labels by people; the limit of opaque clouds was chosen on the other scene";

/** Bands of a scene that a rule may do without: the first is blue, the last two are shortwave infrared. */
const SUBSETS = [
  { without: "", left: (_index: number) => true },
  { without: ", without blue", left: (index: number) => index > 0 },
  { without: ", green, red and near infrared only", left: (index: number) => index > 0 && index < 4 },
] as const;

const withThin: Merge = (name) => (name === "thin-clouds" ? "clouds" : name === "snow" ? "none" : name);
const opaqueOnly: Merge = (name) => (name === "thin-clouds" || name === "snow" ? "none" : name);
const f1Of =
  (name: string) =>
  (confusion: Confusion): number =>
    f1(confusion, name);

const GRADED: readonly { readonly found: Merge; readonly measures: readonly Measure[] }[] = [
  {
    found: opaqueOnly,
    measures: [
      { metric: "F1 of opaque clouds", of: f1Of("clouds"), bar: atLeast(0.8) },
      { metric: "F1 of shadows", of: f1Of("shadow"), bar: atLeast(0.6) },
    ],
  },
  { found: withThin, measures: [{ metric: "F1 of clouds and thin clouds together", of: f1Of("clouds"), bar: null }] },
];
/** Shadows are as dark as water: 0.17 was called water without the shadows. */
const FALSE_WATER: Bar = { kind: "at-most", value: 0.02 };

export async function labelledCloudFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const scene of LABELLED_CLOUDS)
    for (const subset of SUBSETS) figures.push(...(await figuresOfScene(bench, scene, subset)));
  return figures;
}

async function figuresOfScene(
  bench: QualityBench,
  labelled: (typeof LABELLED_CLOUDS)[number],
  { left, without }: (typeof SUBSETS)[number],
): Promise<readonly Figure[]> {
  const { data: place, name } = labelled;
  const data = `${place}${without}`;
  const like = { mapType: "clouds", page: "clouds", data, note: NOTE };
  const water = {
    mapType: "water",
    page: "water",
    data,
    metric: "share of labelled shadow taken for water",
    bar: without === "" ? FALSE_WATER : null,
  };
  const [path, labels] = ["", "_labels"].map((end) => sampleData("more", `clouds_${name}${end}.tif`));
  if (path == null || labels == null)
    return [absent({ ...like, metric: "F1 of opaque clouds", bar: atLeast(0.8) }, "sample data absent")];
  const [truth] = (await filePixels(labels)).bands;
  const scene = withBands(await bench.ingest(path, labelledCloudDocument(labelled)), left);
  const outcome = await bench.run("clouds", [scene]);
  if (outcome.kind === "refused") throw new Error(`clouds of ${data}: ${outcome.reason}`);
  const plane = classPlane("clouds", outcome.result);
  const truthAt = (pixel: number): string | null => CLOUD_LABELS[truth![pixel]!] ?? null;
  const figures = GRADED.flatMap(({ found, measures }) => {
    const units = againstTruth(NAMES, plane, truthAt, { truth: itself, found });
    const asked = without === "" ? measures : measures.map((measure) => ({ ...measure, bar: null }));
    return figuresOf(like, units, `${plane.widthPx * plane.heightPx} px`, asked);
  });
  return [...figures, await falseWater(bench, scene, truthAt, water)];
}

async function falseWater(
  bench: QualityBench,
  scene: Parameters<QualityBench["run"]>[1][number],
  truthAt: (pixel: number) => string | null,
  like: Pick<Figure, "bar" | "data" | "mapType" | "metric" | "page">,
): Promise<Figure> {
  const outcome = await bench.run("water", [scene]);
  if (outcome.kind === "refused") return absent(like, outcome.reason);
  const plane = classPlane("water", outcome.result);
  let [shaded, wet] = [0, 0];
  for (let i = 0; i < plane.widthPx * plane.heightPx; i += 1) {
    if (truthAt(i) !== "shadow") continue;
    shaded += 1;
    if (plane.nameAt(i) === "water") wet += 1;
  }
  return { ...like, value: wet / shaded, interval: shareInterval(wet, shaded), over: `${shaded} px`, digits: 4 };
}
