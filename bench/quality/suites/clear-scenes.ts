import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { classPlane } from "../classes.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import type { QualityBench } from "../quality-bench.ts";
import { filePixels, SENTINEL_2_L2A } from "../samples.ts";

const LEIPZIG = {
  sensor: "sentinel-2",
  bands: ["B02", "B03", "B04", "B06", "B07", "B08", "B11", null],
  datetime: "2018-07-01",
};
const BARBELLINO = {
  sensor: "sentinel-2",
  satellite: "SENTINEL-2A",
  bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B11,B12",
};

/** Scenes without a cloud and without a fire: whatever is found is false. */
const CLEAR = [
  { data: "Sentinel-2 433D_629L_3_1", file: ["optical_s2", "433D_629L_3_1_S2L2A.tif"], document: SENTINEL_2_L2A },
  { data: "Sentinel-2 637U_59R_1_3", file: ["optical_s2", "637U_59R_1_3_S2L2A.tif"], document: SENTINEL_2_L2A },
  { data: "Sentinel-2 Leipzig", file: ["optical_s2", "leipzig_raster.tif"], document: LEIPZIG },
  {
    data: "Sentinel-2 Barbellino 2019-07-23",
    file: ["change_s2_two_dates", "S2A2A_20190723_022_Barbellino_BOA_10.tif"],
    document: { ...BARBELLINO, datetime: "2019-07-23" },
  },
] as const;

/** Classes that clear scenes without a fire have none of, and the share of pixels that may be taken for them. */
const FALSE_CLASSES: readonly { readonly mapType: string; readonly name: string; readonly bar: Bar }[] = [
  { mapType: "clouds", name: "clouds", bar: { kind: "at-most", value: 0.001 } },
  { mapType: "clouds", name: "thin-clouds", bar: { kind: "at-most", value: 0.01 } },
  { mapType: "burned", name: "burned", bar: { kind: "at-most", value: 0.001 } },
];

async function clearScenes(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, file, document } of CLEAR) {
    const path = sampleData(...file);
    const scene = path === null ? null : await bench.ingest(path, document);
    for (const { mapType, name, bar } of FALSE_CLASSES) {
      const metric = `share of pixels taken for ${name.replace("-", " ")}`;
      const like = { mapType, page: mapType, data: `${data}, clear`, metric, bar };
      const outcome = scene === null ? null : await bench.run(mapType, [scene]);
      if (outcome?.kind !== "ready") {
        figures.push(absent(like, outcome?.reason ?? "sample data absent"));
        continue;
      }
      const plane = classPlane(mapType, outcome.result);
      let [valid, found] = [0, 0];
      for (let i = 0; i < plane.widthPx * plane.heightPx; i += 1) {
        const named = plane.nameAt(i);
        if (named === null) continue;
        valid += 1;
        if (named === name) found += 1;
      }
      const interval = shareInterval(found, valid);
      figures.push({ ...like, value: found / valid, interval, over: `${valid} px`, digits: 4 });
    }
  }
  return figures;
}

/** Classes 8, 9 and 10 of the producer's own scene classification: clouds of medium and high probability, thin cirrus. */
const PRODUCER_CLOUDS: ReadonlySet<number> = new Set([8, 9, 10]);

/** How much of the producer's clouds is found by the rules. The producer marks bright rock too; nobody has labelled it. */
async function againstProducer(bench: QualityBench): Promise<readonly Figure[]> {
  const like = {
    mapType: "clouds",
    page: "clouds",
    data: "Sentinel-2 Barbellino 2017-07-03, the producer's scene classification (not read by the rules)",
    metric: "recall, clouds and thin clouds",
    note: "0.1 km² of the Alps whose clouds are thin: the producer's have a blue reflectance of 0.20 in the median, as bright rock has",
  };
  const [path, labels] = ["BOA", "SCL"].map((name) =>
    sampleData("change_s2_two_dates", `S2A2A_20170703_022_Barbellino_${name}_10.tif`),
  );
  if (path == null || labels == null) return [absent(like, "sample data absent")];
  const outcome = await bench.run("clouds", [await bench.ingest(path, { ...BARBELLINO, datetime: "2017-07-03" })]);
  if (outcome.kind === "refused") return [absent(like, outcome.reason)];
  const plane = classPlane("clouds", outcome.result);
  const truth = await filePixels(labels);
  let [cloudy, hit] = [0, 0];
  for (let row = 0; row < plane.heightPx; row += 1) {
    for (let column = 0; column < plane.widthPx; column += 1) {
      const label = truth.bands[0]![Math.floor(row / 2) * truth.widthPx + Math.floor(column / 2)]!;
      if (!PRODUCER_CLOUDS.has(label)) continue;
      cloudy += 1;
      if (plane.nameAt(row * plane.widthPx + column)?.endsWith("clouds") === true) hit += 1;
    }
  }
  return [{ ...like, value: hit / cloudy, interval: shareInterval(hit, cloudy), bar: null, over: `${cloudy} px` }];
}

export async function clearSceneFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await clearScenes(bench)), ...(await againstProducer(bench))];
}
