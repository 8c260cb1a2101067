import { sampleData } from "../../../packages/base/src/sample-data.ts";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { detectionFigures, foundAt } from "../detections.ts";
import { absent, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { matchObjects, type TruthObject } from "../matching.ts";
import type { MapResult, QualityBench } from "../quality-bench.ts";
import { SENTINEL_2_L2A, truthPoints } from "../samples.ts";
import { APRON_AIRCRAFT, WESTERN_APRON } from "../western-apron.ts";

/** A point of the truth lies somewhere on the aircraft. */
const AIRCRAFT_REACH_M = 30;

const FLIGHT_SCENES = ["433D_629L_3_1_S2L2A.tif", "637U_59R_1_3_S2L2A.tif"] as const;
/** Alarms that a mean of three gives at least one of with 95 % probability. */
const NONE_SEEN = 3;

/** Aircraft in flight: the samples hold none, so that every detection is a false alarm. */
async function flightFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const of = {
    mapType: "aircraft",
    page: "aircraft",
    data: "Sentinel-2 L2A, fields and towns without aircraft in flight",
    metric: "false alarms per 100 km²",
    bar: null,
  };
  let [alarms, areaKm2] = [0, 0];
  for (const name of FLIGHT_SCENES) {
    const path = sampleData("optical_s2", name);
    if (path === null) return [absent(of, "sample data absent")];
    const outcome = await bench.run("aircraft", [await bench.ingest(path, SENTINEL_2_L2A)]);
    if (outcome.kind === "refused") return [absent(of, outcome.reason)];
    const { widthPx, heightPx, geotransform } = outcome.result.planes[0]!.band;
    alarms += outcome.result.objects.length;
    areaKm2 += (widthPx * heightPx * geotransform[0] ** 2) / 1e6;
  }
  return [
    {
      ...of,
      value: (100 * alarms) / areaKm2,
      interval: null,
      over: `${alarms} in ${areaKm2.toFixed(1)} km²`,
      digits: 1,
      note: `so few square kilometres without any show no more than that there are fewer than ${((100 * NONE_SEEN) / areaKm2).toFixed(0)} (95 %)`,
    },
  ];
}

export async function vehicleFigures(bench: QualityBench): Promise<readonly Figure[]> {
  return [...(await standingFigures(bench)), ...(await flightFigures(bench))];
}

async function standingFigures(bench: QualityBench): Promise<readonly Figure[]> {
  const of = {
    mapType: "aircraft",
    page: "aircraft",
    data: "PlanetScope 3 m, San Francisco airport",
    metric: "recall",
  };
  const bar = null;
  const path = sampleData("aircraft", "planetscope_SFO.tif");
  const truth = truthPoints("aircraft", "planetscope_SFO_aircraft_truth.geojson");
  if (path === null || truth === null) return [absent({ ...of, bar }, "sample data absent")];
  const document = { satellite: "PlanetScope", datetime: "2017-01-01T18:00:00Z", bands: ["red", "green", "blue"] };
  const stored = await bench.ingest(path, document);
  const outcome = await bench.run("aircraft", [stored]);
  if (outcome.kind === "refused") return [absent({ ...of, bar }, outcome.reason)];
  const points = truth.map(({ centre }): TruthObject => ({ centre, reachM: AIRCRAFT_REACH_M, counts: true }));
  const { hits, misses } = matchObjects(points, foundAt(outcome.result));
  return [
    {
      ...of,
      value: hits / (hits + misses),
      interval: shareInterval(hits, hits + misses),
      bar,
      over: `${hits} of ${hits + misses}; ${outcome.result.objects.length} found in all`,
      note: "only isolated aircraft are listed, many more stand at gates",
    },
    ...(await apronFigures(stored, outcome.result)),
  ];
}

/** Aircraft at gates of a part of the scene whose aircraft were all labelled. */
async function apronFigures({ raster }: StoredScene, result: MapResult): Promise<readonly Figure[]> {
  const { createProjection } = await import("@swath/kernel/crs/projection");
  const { forward, inverse } = createProjection(raster.proj4);
  const [pixelX, , west, , pixelY, north] = raster.bands[0]!.geotransform;
  const truth = APRON_AIRCRAFT.map(([column, row, stand]): TruthObject => ({
    centre: inverse(west + (column + 0.5) * pixelX, north + (row + 0.5) * pixelY),
    reachM: AIRCRAFT_REACH_M,
    counts: stand === "row",
  }));
  const found = foundAt(result).filter(({ centre: [lonDeg, latDeg] }) => {
    const [x, y] = forward(lonDeg, latDeg);
    const [column, row] = [(x - west) / pixelX, (y - north) / pixelY];
    const { left, top, right, bottom } = WESTERN_APRON;
    return column >= left && column < right && row >= top && row < bottom;
  });
  return detectionFigures(
    {
      mapType: "aircraft",
      page: "aircraft",
      data: "PlanetScope 3 m, San Francisco airport, rows of the western apron",
    },
    matchObjects(truth, found),
    { recall: { kind: "at-least", value: 0.7 }, precision: { kind: "at-least", value: 0.7 } },
    "labelled by eye on the picture; recall of aircraft at gates, precision of all that is found on the apron",
  );
}
