import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { classPlane } from "../classes.ts";
import { withRoads } from "../cover-figures.ts";
import { absent, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { SENTINEL_2_L2A } from "../samples.ts";

const UNBUILT = "38D_378R_2_3";
const METRIC = "share taken for urban";
const MOST_FALSE_URBAN = { kind: "at-most", value: 0.05 } as const;

/** Top of the atmosphere: the product has the cirrus band as well. */
const TOP_OF_ATMOSPHERE = { ...SENTINEL_2_L2A, bands: "B01,B02,B03,B04,B05,B06,B07,B08,B8A,B09,B10,B11,B12" };

const SCENES = [
  {
    data: `held out: Sentinel-2 ${UNBUILT}, no label of built-up land`,
    file: `${UNBUILT}_S2L2A.tif`,
    document: SENTINEL_2_L2A,
  },
  {
    data: `held out: Sentinel-2 ${UNBUILT} at the top of the atmosphere, no label of built-up land`,
    file: `${UNBUILT}_S2L1C.tif`,
    document: TOP_OF_ATMOSPHERE,
  },
] as const;

/** The share of fields and rangeland without a label of built-up land that `wrunc` takes for urban. */
export async function unbuiltCountryFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { data, file, document } of SCENES) {
    const like = { mapType: "wrunc", page: "wrunc", data, metric: METRIC, bar: MOST_FALSE_URBAN };
    const path = sampleData("more", file);
    if (path === null) {
      figures.push(absent(like, "sample data absent"));
      continue;
    }
    const outcome = await bench.run("wrunc", [await bench.ingest(path, document)]);
    if (outcome.kind === "refused") {
      figures.push(absent(like, outcome.reason));
      continue;
    }
    const { nameAt, widthPx, heightPx } = classPlane("wrunc", outcome.result);
    const total = widthPx * heightPx;
    let urban = 0;
    for (let pixel = 0; pixel < total; pixel++) {
      const name = nameAt(pixel);
      if (name !== null && withRoads(name) === "urban") urban += 1;
    }
    figures.push({ ...like, value: urban / total, interval: null, over: `${total} px` });
  }
  return figures;
}
