import { sampleData } from "../../../packages/service/src/platform/sample-data.ts";
import { foundAt } from "../detections.ts";
import { absent, type Figure } from "../figure.ts";
import { shareInterval } from "../interval.ts";
import { matchObjects, type TruthObject } from "../matching.ts";
import type { QualityBench } from "../quality-bench.ts";
import { truthPoints } from "../samples.ts";

/** A point of the truth lies somewhere on the aircraft. */
const AIRCRAFT_REACH_M = 30;

export async function vehicleFigures(bench: QualityBench): Promise<readonly Figure[]> {
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
  const outcome = await bench.run("aircraft", [await bench.ingest(path, document)]);
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
      note: "only isolated aircraft are listed, many more stand at gates: precision cannot be told",
    },
  ];
}
