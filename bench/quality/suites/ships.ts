import type { Position } from "@swath/kernel/geometry/geojson";
import { RIGS, seriesOf, SHIPS } from "../../../packages/maps/src/types/ships-series/series-testing.ts";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { detectionFigures, foundAt, sumOf } from "../detections.ts";
import { LARGE_M, matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { QualityBench } from "../quality-bench.ts";
import { truthPoints } from "../samples.ts";

/** A ship is found when the centres are no further apart than this or its length. */
const REACH_M = 200;
const like = (data: string): Pick<Figure, "mapType" | "page" | "data"> => ({ mapType: "ships", page: "ships", data });
const atLeast = (value: number): Bar => ({ kind: "at-least", value });
const atMost = (value: number): Bar => ({ kind: "at-most", value });

/** San Pedro, Middle and Long Beach breakwaters in pixels of the radar scene, and straight on to its edges. */
const BREAKWATER: readonly (readonly [column: number, row: number])[] = [
  [0, 262],
  [120, 310],
  [168, 318],
  [217, 299],
  [238, 292],
  [355, 247],
  [418, 248],
  [571, 249],
  [756, 249],
];
/** Returns of the breakwater itself reach this far from its line. */
const BREAKWATER_PX = 5;
const PORT_ORIGIN = [377_547.672_322_710_86, 3_739_531.708_522_327_2] as const;
const PORT_PIXEL_M = 30;

function isOutside([column, row]: readonly [number, number]): boolean {
  const next = BREAKWATER.findIndex(([x]) => x > column);
  const [x1, y1] = BREAKWATER[Math.max(next - 1, 0)]!;
  const [x2, y2] = BREAKWATER[Math.max(next, 1)]!;
  return row > y1 + ((column - x1) / (x2 - x1)) * (y2 - y1) + BREAKWATER_PX;
}

async function radarPort(bench: QualityBench): Promise<readonly Figure[]> {
  const of = like("Sentinel-1 port of Los Angeles, outside the breakwater");
  const bars = { recall: atLeast(0.9), precision: atLeast(0.8) };
  const nothing = (why: string): readonly Figure[] => [
    absent({ ...of, metric: "recall", bar: bars.recall }, why),
    absent({ ...of, metric: "precision", bar: bars.precision }, why),
  ];
  const path = sampleData("ships_sar", "S1_portLA_2021-01-05_VV_dB.tif");
  const truth = truthPoints("ships_sar", "S1_portLA_2021-01-05_truth.geojson");
  if (path === null || truth === null) return nothing("sample data absent");
  const document = {
    sensor: "sentinel-1",
    satellite: "SENTINEL-1",
    datetime: "2021-01-05T01:51:00Z",
    mode: "IW",
    bands: [{ id: "VV", quantity: "backscatter-db" }],
  };
  const stored = await bench.ingest(path, document);
  const outcome = await bench.run("ships", [stored]);
  if (outcome.kind === "refused") return nothing(outcome.reason);
  const { createProjection } = await import("@swath/kernel/crs/projection");
  const { forward } = createProjection(stored.raster.proj4);
  const pixelOf = ([lon, lat]: Position): readonly [number, number] => {
    const [x, y] = forward(lon, lat);
    return [(x - PORT_ORIGIN[0]) / PORT_PIXEL_M, (PORT_ORIGIN[1] - y) / PORT_PIXEL_M];
  };
  const ships = truth.flatMap(({ centre, properties }): TruthObject[] =>
    properties["class"] === "ship"
      ? [{ centre, reachM: REACH_M, counts: properties["where"] === "outside breakwater" }]
      : [],
  );
  const found = foundAt(outcome.result).filter(({ centre }) => isOutside(pixelOf(centre)));
  const outside = ships.filter(({ counts }) => counts);
  return detectionFigures(
    of,
    matchObjects(outside, found),
    bars,
    "the list holds targets over -5 dB; weaker ones that may be small ships count as false alarms here",
  );
}

/** A boat beside a ship is none of it: nearer than half the width of a large one. */
const BOAT_REACH_M = 30;
const OPTICAL = [
  ["PlanetScope San Francisco Bay 2017-07-19", "planetscope_20170719_180901_101d_crop", "2017-07-19T18:09:01Z"],
  ["PlanetScope Long Beach 2017-10-22", "planetscope_20171022_175534_100e_crop", "2017-10-22T17:55:34Z"],
] as const;

async function opticalCrops(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const all: Matched[] = [];
  const bars = { recall: atLeast(0.9), precision: atLeast(0.8) };
  for (const [data, name, datetime] of OPTICAL) {
    const of = like(data);
    const path = sampleData("ships_optical", `${name}.tif`);
    const truth = truthPoints("ships_optical", `${name}_ships_truth.geojson`);
    const outcome =
      path === null || truth === null
        ? { kind: "refused" as const, reason: "sample data absent" }
        : await bench.run("ships", [
            await bench.ingest(path, { satellite: "PlanetScope", datetime, bands: ["red", "green", "blue"] }),
          ]);
    if (outcome.kind === "refused" || truth === null) {
      const why = outcome.kind === "refused" ? outcome.reason : "sample data absent";
      figures.push(absent({ ...of, metric: "recall" }, why), absent({ ...of, metric: "precision" }, why));
      continue;
    }
    const ships = truth.map(({ centre }): TruthObject => ({ centre, reachM: REACH_M, counts: true }));
    const matched = matchObjects(ships, foundAt(outcome.result));
    all.push(matched);
    figures.push(...detectionFigures(of, matched, { recall: null, precision: null }));
  }
  const both = like("PlanetScope, both crops");
  if (all.length === 0) {
    return [
      ...figures,
      absent({ ...both, metric: "recall", bar: bars.recall }, "nothing was measured"),
      absent({ ...both, metric: "precision", bar: bars.precision }, "nothing was measured"),
    ];
  }
  const { pairs, falseAlarms, large } = sumOf(all);
  const total = pairs.length + large;
  return [
    ...figures,
    ...detectionFigures(
      both,
      sumOf(all),
      bars,
      "the list holds ships over about 90 m; smaller craft, barges and moored vessels that are found count as false alarms",
    ),
    {
      ...both,
      metric: `precision among objects longer than ${LARGE_M} m`,
      value: pairs.length / total,
      interval: shareInterval(pairs.length, total),
      bar: null,
      over: `${pairs.length} of ${total}; ${falseAlarms - large} shorter are left out`,
      note: "the list holds no smaller ships",
    },
  ];
}

/** Boats have no labels; what can be told is that no listed ship, all over 90 m, is taken for one. */
async function boatCrops(bench: QualityBench): Promise<readonly Figure[]> {
  const of = {
    mapType: "boats",
    page: "boats",
    data: "PlanetScope, both crops",
    metric: "listed ships taken for boats",
    bar: atMost(0),
  };
  let [taken, listed, boats] = [0, 0, 0];
  for (const [, name, datetime] of OPTICAL) {
    const path = sampleData("ships_optical", `${name}.tif`);
    const truth = truthPoints("ships_optical", `${name}_ships_truth.geojson`);
    if (path === null || truth === null) return [absent(of, "sample data absent")];
    const scene = await bench.ingest(path, { satellite: "PlanetScope", datetime, bands: ["red", "green", "blue"] });
    const outcome = await bench.run("boats", [scene]);
    if (outcome.kind === "refused") return [absent(of, outcome.reason)];
    const ships = truth.map(({ centre }): TruthObject => ({ centre, reachM: BOAT_REACH_M, counts: true }));
    const { pairs } = matchObjects(ships, foundAt(outcome.result));
    taken += pairs.length;
    listed += truth.length;
    boats += outcome.result.objects.length;
  }
  return [{ ...of, value: taken, interval: null, over: `${listed} ships; ${boats} boats found` }];
}

const SERIES_SEEDS = 4;
const SERIES_DAYS = [0, 12, 24, 36];
/** Pixels of ten metres between a target and where it was drawn. */
const SERIES_REACH_PX = 15;

/** Rigs that stand through four dates on simulated sea, and ships that do not. */
function seriesFigures(): readonly Figure[] {
  const of = { mapType: "ships-series", page: "ships-series", data: "simulated clutter, 4 dates over 36 days" };
  let [rigs, told, ships, wrong] = [0, 0, 0, 0];
  for (let seed = 1; seed <= SERIES_SEEDS; seed += 1) {
    const { objects } = seriesOf(SERIES_DAYS, undefined, seed);
    const classAt = ([column, row]: readonly [number, number]): string | undefined =>
      objects.find(({ centre }) => Math.hypot(centre[0] - column, centre[1] - row) < SERIES_REACH_PX)?.className;
    for (const rig of RIGS) {
      rigs += 1;
      if (classAt(rig) === "fixed") told += 1;
    }
    for (const ship of SHIPS.at(-1) ?? []) {
      ships += 1;
      if (classAt(ship) !== "ships") wrong += 1;
    }
  }
  return [
    {
      ...of,
      metric: "fixed targets distinguished from ships",
      value: told / rigs,
      interval: shareInterval(told, rigs),
      bar: atLeast(0.9),
      over: `${told} of ${rigs}`,
    },
    {
      ...of,
      metric: "ships missed or taken for fixed",
      value: wrong / ships,
      interval: shareInterval(wrong, ships),
      bar: atMost(0.1),
      over: `${wrong} of ${ships}`,
    },
  ];
}

export async function shipFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await radarPort(bench)), ...(await opticalCrops(bench)), ...(await boatCrops(bench)), ...seriesFigures()];
}
