import { sampleData } from "../../../packages/service/src/platform/sample-data.ts";
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

/** Scenes without a cloud: whatever is found is false. */
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

const MOST_FALSE: Bar = { kind: "at-most", value: 0.001 };
const MOST_FALSE_THIN: Bar = { kind: "at-most", value: 0.01 };

/** Shares of the valid pixels that are found to be clouds and thin clouds. */
async function clearScenes(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, file, document } of CLEAR) {
    const of = (metric: string, bar: Bar) => ({
      mapType: "clouds",
      page: "clouds",
      data: `${data}, clear`,
      metric,
      bar,
    });
    const rows = [
      { name: "clouds", like: of("share of pixels taken for clouds", MOST_FALSE) },
      { name: "thin-clouds", like: of("share of pixels taken for thin clouds", MOST_FALSE_THIN) },
    ];
    const path = sampleData(...file);
    if (path === null) {
      figures.push(...rows.map(({ like }) => absent(like, "sample data absent")));
      continue;
    }
    const outcome = await bench.run("clouds", [await bench.ingest(path, document)]);
    if (outcome.kind === "refused") {
      figures.push(...rows.map(({ like }) => absent(like, outcome.reason)));
      continue;
    }
    const plane = classPlane("clouds", outcome.result);
    let valid = 0;
    const found = new Map<string, number>();
    for (let i = 0; i < plane.widthPx * plane.heightPx; i += 1) {
      const name = plane.nameAt(i);
      if (name === null) continue;
      valid += 1;
      found.set(name, (found.get(name) ?? 0) + 1);
    }
    for (const { name, like } of rows) {
      const count = found.get(name) ?? 0;
      figures.push({
        ...like,
        value: count / valid,
        interval: shareInterval(count, valid),
        over: `${valid} px`,
        digits: 4,
      });
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

export async function cloudFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await clearScenes(bench)), ...(await againstProducer(bench))];
}
