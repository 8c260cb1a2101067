import { createProjection } from "@swath/kernel/crs/projection";
import type { Position } from "@swath/kernel/geometry/geojson";
import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import { RIGS, seriesOf, SHIPS } from "../../../packages/maps/src/types/ships-series/series-testing.ts";
import { sampleData } from "../../../packages/base/src/sample-data.ts";
import { absent, type Bar, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { detectionFigures, foundAt, sumOf } from "../detections.ts";
import { matchObjects, type Matched, type TruthObject } from "../matching.ts";
import type { QualityBench } from "../quality-bench.ts";
import { truthPoints } from "../samples.ts";
import { SMALL_CRAFT } from "../small-craft.ts";

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
  const { forward } = createProjection(stored.raster.proj4);
  const toPixel = invertAffine(stored.raster.bands[0]!.geotransform);
  const pixelOf = ([lon, lat]: Position): readonly [number, number] => applyAffine(toPixel, ...forward(lon, lat));
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
/** A launch is found when the centre of its box, which its wake may lengthen, is no further away than this. */
const CRAFT_REACH_M = 60;
const OPTICAL = [
  ["PlanetScope San Francisco Bay 2017-07-19", "planetscope_20170719_180901_101d_crop", "2017-07-19T18:09:01Z"],
  ["PlanetScope Long Beach 2017-10-22", "planetscope_20171022_175534_100e_crop", "2017-10-22T17:55:34Z"],
] as const;

async function opticalCrops(bench: QualityBench): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const listed: Matched[] = [];
  const seen: Matched[] = [];
  for (const [data, name, datetime] of OPTICAL) {
    const of = like(data);
    const path = sampleData("ships_optical", `${name}.tif`);
    const truth = truthPoints("ships_optical", `${name}_ships_truth.geojson`);
    const missing = (why: string): readonly Figure[] =>
      ["recall", "precision"].map((metric) => absent({ ...of, metric }, why));
    if (path === null || truth === null) {
      figures.push(...missing("sample data absent"));
      continue;
    }
    const scene = await bench.ingest(path, { satellite: "PlanetScope", datetime, bands: ["red", "green", "blue"] });
    const outcome = await bench.run("ships", [scene]);
    if (outcome.kind === "refused") {
      figures.push(...missing(outcome.reason));
      continue;
    }
    const ships = truth.map(({ centre }): TruthObject => ({ centre, reachM: REACH_M, counts: true }));
    const { inverse } = createProjection(scene.raster.proj4);
    const { geotransform } = scene.raster.bands[0]!;
    const craft = SMALL_CRAFT[name].map(([column, row]): TruthObject => ({
      centre: inverse(...applyAffine(geotransform, column, row)),
      reachM: CRAFT_REACH_M,
      counts: false,
    }));
    const found = foundAt(outcome.result);
    const matched = matchObjects(ships, found);
    listed.push(matched);
    seen.push(matchObjects([...ships, ...craft], found));
    figures.push(...detectionFigures(of, matched, { recall: null, precision: null }));
  }
  return [...figures, ...bothCrops(listed, seen)];
}

/** Figures over the crops: by the lists of ships, and with the small craft that they leave out known. */
function bothCrops(listed: readonly Matched[], seen: readonly Matched[]): readonly Figure[] {
  const both = like("PlanetScope, both crops");
  const bars = { recall: atLeast(0.9), precision: null };
  const large = { ...both, metric: "precision, small craft not counted", bar: atLeast(0.8) };
  if (listed.length === 0) {
    const why = "nothing was measured";
    return [absent({ ...both, metric: "recall", bar: bars.recall }, why), absent(large, why)];
  }
  const { pairs, falseAlarms } = sumOf(seen);
  const ships = pairs.filter(({ truth }) => truth.counts).length;
  return [
    ...detectionFigures(
      both,
      sumOf(listed),
      bars,
      "the lists hold ships over about 90 m; launches, barges and boats that are found are false alarms here",
    ),
    {
      ...large,
      value: ships / (ships + falseAlarms),
      interval: shareInterval(ships, ships + falseAlarms),
      over: `${ships} of ${ships + falseAlarms}; ${pairs.length - ships} craft left out`,
      note:
        `${Object.values(SMALL_CRAFT).flat().length} craft that the lists leave out are ` +
        "neither right nor wrong; they were marked by eye over the whole of both crops",
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
