import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { atLeast } from "../cover-figures.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

/** Position of B08 in the files. */
const NIR = 7;
const SCENES = ["433D_629L_3_1", "637U_59R_1_3"] as const;
/** Side of squares as large as segments are in the mean, for comparison. */
const SQUARE_PX = 26;

/** Share of pixels that are right when each group has the label that most of its pixels have. */
function achievableAccuracy(groups: ArrayLike<number>, labels: ArrayLike<number>): number {
  const counts = new Map<number, Map<number, number>>();
  for (let i = 0; i < groups.length; i += 1) {
    const of = counts.get(groups[i]!) ?? new Map<number, number>();
    of.set(labels[i]!, (of.get(labels[i]!) ?? 0) + 1);
    counts.set(groups[i]!, of);
  }
  let right = 0;
  for (const of of counts.values()) right += Math.max(...of.values());
  return right / groups.length;
}

/** Share of the variance of values that the means of groups account for (Moore et al. 2008). */
function explainedVariation(groups: ArrayLike<number>, values: ArrayLike<number>): number {
  const sums = new Map<number, [count: number, sum: number]>();
  let [total, squares] = [0, 0];
  for (let i = 0; i < groups.length; i += 1) {
    const of = sums.get(groups[i]!) ?? [0, 0];
    of[0] += 1;
    of[1] += values[i]!;
    sums.set(groups[i]!, of);
    total += values[i]!;
    squares += values[i]! ** 2;
  }
  let between = 0;
  for (const [count, sum] of sums.values()) between += sum ** 2 / count;
  const mean = total ** 2 / groups.length;
  return (between - mean) / (squares - mean);
}

/** How even segments are, and how well they could be classified at most by labels that they know nothing of. */
export async function segmentFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of SCENES) {
    const data = `Sentinel-2 ${name}`;
    const row = (metric: string, bar: Bar | null) => ({ mapType: "segments", page: "segments", data, metric, bar });
    const rows = [
      row("variation of near infrared explained by segments", null),
      row(`the same by that by squares of ${SQUARE_PX} pixels`, atLeast(1.25)),
      row("achievable accuracy against Esri labels, segments", null),
      row(`the same for squares of ${SQUARE_PX} pixels`, null),
    ] as const;
    const [path, labelPath] = [
      sampleData("optical_s2", `${name}_S2L2A.tif`),
      sampleData("optical_s2", `${name}_LULC_reference.tif`),
    ];
    if (path === null || labelPath === null) {
      figures.push(...rows.map((one) => absent(one, "sample data absent")));
      continue;
    }
    const outcome = await bench.run("segments", [await bench.ingest(path, SENTINEL_2_L2A)]);
    if (outcome.kind === "refused") {
      figures.push(...rows.map((one) => absent(one, outcome.reason)));
      continue;
    }
    const { pixels, band } = outcome.result.planes[1]!;
    const labels = (await filePixels(labelPath)).bands[0]!;
    const nir = (await filePixels(path)).bands[NIR]!;
    const squares = Float64Array.from(pixels, (_, i) => {
      const line = Math.floor(i / band.widthPx);
      return Math.floor(line / SQUARE_PX) * band.widthPx + Math.floor((i % band.widthPx) / SQUARE_PX);
    });
    const explained = explainedVariation(pixels, nir);
    const values = [
      explained,
      explained / explainedVariation(squares, nir),
      achievableAccuracy(pixels, labels),
      achievableAccuracy(squares, labels),
    ];
    const over = `${new Set(pixels).size} segments`;
    figures.push(...rows.map((one, i): Figure => ({ ...one, value: values[i]!, interval: null, over })));
  }
  return figures;
}
