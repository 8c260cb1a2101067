import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { classPlane } from "../classes.ts";
import { absent, type Figure } from "../figure.ts";
import type { QualityBench } from "../quality-bench.ts";

const DATA = "Sentinel-1 port of Los Angeles, 30 m, VV";

/** Parts of the scene that maps show to be of one cover, in its pixels. */
const PARTS = [
  { mapType: "wrun", metric: "Long Beach: share urban", className: "urban", rect: [380, 10, 170, 70] },
  { mapType: "wrun", metric: "San Pedro: share urban", className: "urban", rect: [20, 160, 90, 100] },
  { mapType: "wrun", metric: "open sea with 20 ships: share water", className: "water", rect: [20, 330, 640, 200] },
  { mapType: "water", metric: "open sea with 20 ships: share water", className: "water", rect: [20, 330, 640, 200] },
  { mapType: "water", metric: "Long Beach: share water", className: "water", rect: [380, 10, 170, 70] },
] as const;

/** Cover of a real scene without labels, of parts whose cover is known from maps. */
export async function radarCoverFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const path = sampleData("ships_sar", "S1_portLA_2021-01-05_VV_dB.tif");
  const figures: Figure[] = [];
  for (const { mapType, metric, className, rect } of PARTS) {
    const of = { mapType, page: mapType, data: DATA, metric };
    if (path === null) {
      figures.push(absent(of, "sample data absent"));
      continue;
    }
    const document = {
      sensor: "sentinel-1",
      satellite: "SENTINEL-1",
      datetime: "2021-01-05T01:51:00Z",
      mode: "IW",
      bands: [{ id: "VV", quantity: "backscatter-db" }],
    };
    const outcome = await bench.run(mapType, [await bench.ingest(path, document)]);
    if (outcome.kind === "refused") {
      figures.push(absent(of, outcome.reason));
      continue;
    }
    const plane = classPlane(mapType, outcome.result);
    const [left, top, columns, rows] = rect;
    let found = 0;
    for (let row = top; row < top + rows; row++) {
      for (let column = left; column < left + columns; column++) {
        if (plane.nameAt(row * plane.widthPx + column) === className) found++;
      }
    }
    const total = columns * rows;
    figures.push({ ...of, value: found / total, interval: null, bar: null, over: `${total} px` });
  }
  return figures;
}
