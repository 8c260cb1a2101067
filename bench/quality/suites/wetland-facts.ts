import { WATER_ADDED, WATER_REMOVED } from "../../../packages/maps/src/types/change/change-classes.ts";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";
import { valuesOf } from "./indices.ts";

const RGBN = ["red", "green", "blue", "nir"];
const DATES = ["20100629", "20150926"] as const;
/** What the samples' description says, measured with GDAL. */
const NAIP_FACTS = [
  { id: "ndwi", metric: "share of NDWI above 0.1", expected: [0.1564, 0.2587], tolerance: 0.0005 },
  { id: "ndvi", metric: "mean NDVI", expected: [0.0847, 0.007], tolerance: 0.0005 },
] as const;

/** Many pixels have exactly 0.1, which is a little more as a number of 32 bits. */
const ABOVE = 0.1 + 1e-6;

/** What indices say of both dates of the wetlands, and what the change map says of it. */
export async function wetlandFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const of = { mapType: "change", page: "change", data: "NAIP North Dakota, 2010-06-29 to 2015-09-26" };
  const paths = DATES.map((date) => sampleData("change_optical", `naip_m_4709963_se_14_1_${date}_crop.tif`));
  if (paths.includes(null)) return [absent({ ...of, metric: "water added less removed" }, "sample data absent")];
  const scenes: StoredScene[] = [];
  for (const [i, path] of paths.entries()) {
    const year = DATES[i]!.slice(0, 4);
    scenes.push(await bench.ingest(path!, { satellite: "NAIP", datetime: `${year}-07-01`, bands: RGBN }));
  }
  const figures: Figure[] = [];
  for (const { id, metric, expected, tolerance } of NAIP_FACTS) {
    for (const [i, scene] of scenes.entries()) {
      const values = (await valuesOf(bench, scene, SPECTRAL_INDICES[id]!)).filter((value) => value === value);
      const count = values.length;
      const value =
        id === "ndwi"
          ? values.reduce((sum, one) => sum + (one > ABOVE ? 1 : 0), 0) / count
          : values.reduce((sum, one) => sum + one, 0) / count;
      const [least, most] = [expected[i]! - tolerance, expected[i]! + tolerance];
      const bar: Bar = { kind: "within", low: least, high: most };
      figures.push({
        ...of,
        metric: `${metric}, ${DATES[i]!.slice(0, 4)}`,
        value,
        interval: null,
        bar,
        over: `${count} px`,
        digits: 4,
      });
    }
  }
  const outcome = await bench.run("change", scenes);
  if (outcome.kind === "refused") return [...figures, absent({ ...of, metric: "water added" }, outcome.reason)];
  const cover = outcome.result.planes[2]!.pixels;
  for (const [name, value] of [
    ["added", WATER_ADDED],
    ["removed", WATER_REMOVED],
  ] as const) {
    let marked = 0;
    for (const one of cover) if (one === value) marked += 1;
    figures.push({
      ...of,
      metric: `water ${name}, share`,
      value: marked / cover.length,
      interval: null,
      bar: null,
      over: `${cover.length} px`,
      note: "only pixels that IR-MAD calls changed count, and NDWI has to cross 0 by 0.2",
    });
  }
  return figures;
}
