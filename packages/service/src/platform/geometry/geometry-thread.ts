import { parentPort, workerData } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import { missingKm2, planAllocation } from "@swath/kernel/credits/allocation";
import { soldArea } from "@swath/kernel/credits/sold-area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { longestSideM } from "@swath/kernel/geometry/mbr";
import { packPolygons, unpackPolygons, type PackedPolygons } from "@swath/kernel/geometry/packed-polygons";
import { OverlayError } from "@swath/kernel/geometry/overlay-error";
import { untangleArea } from "@swath/kernel/geometry/read-area";
import { entanglementFault } from "@swath/kernel/geometry/validate-geometry";
import { queryPredicate } from "@swath/kernel/query/predicate";
import { gridGeometry } from "@swath/kernel/query/spatial/grid-geometry";
import { storeTileGrid, storeTilesArea } from "@swath/kernel/tiles/store-tile";
import type { Fault, FromGeometryThread, GeometryTask, GeometryTasks, GeometryThreadData } from "./geometry-task.ts";
import { answerPasses } from "./pass-query.ts";
import { packPlan, unpackAllocation } from "./packed-allocation.ts";

const { isForeground } = workerData as GeometryThreadData;
if (!isForeground) workInBackground();

function areaOf(polygons: PackedPolygons): MultiPolygon {
  return { type: "MultiPolygon", coordinates: unpackPolygons(polygons) };
}

function untangle({ polygons, path }: GeometryTasks["untangle"]["input"]): GeometryTasks["untangle"]["output"] {
  const result = untangleArea(unpackPolygons(polygons), path);
  if (result.kind !== "area") return result;
  return { kind: "area", polygons: packPolygons(result.area.coordinates), isRepaired: result.isRepaired };
}

function sold({ area, footprint, tilesCrsEpsg }: GeometryTasks["sold"]["input"]): GeometryTasks["sold"]["output"] {
  const { area: inside, tiles } = soldArea(areaOf(area), areaOf(footprint), storeTileGrid(tilesCrsEpsg));
  return { polygons: packPolygons(inside.coordinates), tiles };
}

function inStoreTiles(input: GeometryTasks["storeTiles"]["input"]): GeometryTasks["storeTiles"]["output"] {
  const ground = storeTilesArea(input.tiles, storeTileGrid(input.crsEpsg, input.divisor));
  const part = intersection(ground, areaOf(input.area));
  return { ground: packPolygons(ground.coordinates), part: packPolygons(part.coordinates) };
}

function outputOf(task: GeometryTask): GeometryTasks[GeometryTask["kind"]]["output"] {
  switch (task.kind) {
    case "untangle":
      return untangle(task.input);
    case "entanglement":
      return entanglementFault(unpackPolygons(task.input.polygons).flat(), task.input.path);
    case "intersection":
      return packPolygons(intersection(areaOf(task.input.a), areaOf(task.input.b)).coordinates);
    case "sold":
      return sold(task.input);
    case "storeTiles":
      return inStoreTiles(task.input);
    case "allocation":
      return packPlan(planAllocation(unpackAllocation(task.input)));
    case "longestSide":
      return longestSideM(areaOf(task.input));
    case "passes":
      return answerPasses(task.input);
    case "test":
      return tested(task.input);
    case "missing":
      break;
  }
  const { area, covered, freeAreas } = task.input;
  return missingKm2(areaOf(area), covered === null ? null : areaOf(covered), freeAreas.map(areaOf));
}

function tested({ node, features }: GeometryTasks["test"]["input"]): GeometryTasks["test"]["output"] {
  const startMs = performance.now();
  const test = queryPredicate(node);
  const matches = Uint8Array.from(features, ({ id, properties, geometry }) => {
    const own = geometry === null ? null : gridGeometry(JSON.parse(geometry));
    return test({ id, properties, geometry: own }) ? 1 : 0;
  });
  return { matches, ms: performance.now() - startMs };
}

function faultOf(error: unknown): Fault {
  if (error instanceof OverlayError) return "overlay";
  return error instanceof RangeError ? "range" : "other";
}

const port = parentPort;
if (port === null) throw new Error("geometry-thread.ts runs in a worker thread only");

function send(message: FromGeometryThread): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port?.postMessage(message);
}

port.on("message", (task: GeometryTask) => {
  send({ kind: "started" });
  try {
    send({ kind: "done", output: outputOf(task) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    send({ kind: "failed", fault: faultOf(error), message });
  }
});
