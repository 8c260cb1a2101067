import { parentPort, workerData } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { AnalysisBlock, BlockResult, FoundObject, PixelRect } from "../analysis/block.ts";
import { placeObject } from "../analysis/place-object.ts";
import { reusingPlanes } from "../analysis/texture/texture-kernel.ts";
import { ModelOutputError } from "../models/output-shapes.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Analysis } from "../planning/analysis.ts";
import { createMapTypes, type MapTypes } from "../registry.ts";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { InstalledModel } from "../models/runtime/installed-model.ts";
import { ModelRunner } from "../models/runtime/model-runner.ts";
import { gridToLonLat } from "./analysis-grid.ts";
import type { ComputedLayers } from "./block-raster.ts";
import { readBlock, readSurvey, type Draw } from "./read-block.ts";
import type { FetchRange } from "@swath/raster/cog/byte-supply";
import { RenderEngine, type BlobPaths } from "../render/render-engine.ts";
import { describeFailure } from "@swath/base/threads/thread-failure";
import type {
  AnalysisTask,
  AnalysisTaskResult,
  AnalysisThreadData,
  FromAnalysisThread,
  ToAnalysisThread,
} from "./messages.ts";

workInBackground();

const port = parentPort;
if (port === null) throw new Error("analysis-thread.ts runs in a worker thread only");
const { s3, modelLimits, cache } = workerData as AnalysisThreadData;
const mapTypes = createMapTypes([]);
const runner = modelLimits === null ? null : new ModelRunner(modelLimits);
let s3Store: Promise<BlobStore> | null = null;

const fetchRange: FetchRange = async ({ key, offset, length }, signal) => {
  if (s3 === null) throw new ServiceError("DATA-NOT-AVAILABLE", `there are no pixels under "${key}"`);
  s3Store ??= import("@swath/base/blobs/s3-blob-store").then(({ openS3BlobStore }) => openS3BlobStore(s3));
  return (await s3Store).read(key, offset, length, { signal });
};

const engine = new RenderEngine(cache, fetchRange);
const never = new AbortController().signal;

function drawWith(paths: BlobPaths): Draw {
  return (drawing) => engine.draw(drawing, paths, never);
}

/** Map types with the model of the last task. */
let withModel: { readonly sha256: string; readonly mapTypes: MapTypes } | null = null;

function mapTypesWith({ manifest }: InstalledModel): MapTypes {
  if (withModel?.sha256 !== manifest.sha256 || withModel.mapTypes.find(`model-${manifest.id}`) === undefined) {
    withModel = { sha256: manifest.sha256, mapTypes: createMapTypes([manifest]) };
  }
  return withModel.mapTypes;
}

function analysisOf({ mapType, installed }: Pick<AnalysisTask, "installed" | "mapType">): Analysis {
  const analysis = (installed === null ? mapTypes : mapTypesWith(installed)).find(mapType)?.analysis;
  if (analysis === undefined) throw new RangeError(`map type ${mapType} has no analysis`);
  return analysis;
}

type BlockTask = Extract<AnalysisTask, { readonly kind: "block" }>;

/** The layers of the core, and the objects of the whole block. */
async function compute(block: AnalysisBlock, task: BlockTask): Promise<BlockResult> {
  const { mapType, model, parameters, installed } = task;
  const { algorithm, inference } = analysisOf(task);
  const ofCore = ({ layers, objects }: BlockResult): BlockResult => ({
    layers: cropped(layers, block.rect, task.core),
    objects,
  });
  if (inference === undefined || installed === null) {
    return reusingPlanes(() => ofCore(algorithm.compute(block, model, parameters)));
  }
  if (runner === null) throw new RangeError(`map type ${mapType} needs models, and none are installed`);
  try {
    return ofCore(await inference.compute(block, runner.model(installed), parameters, model));
  } catch (error) {
    // A model that gives something else than its manifest says fails its own map type, and would fail again.
    if (!(error instanceof ModelOutputError)) throw error;
    throw new ServiceError("PROCESSING-ERROR", `the model ${installed.manifest.id} failed: ${error.message}`);
  }
}

async function work(task: AnalysisTask): Promise<AnalysisTaskResult> {
  const { algorithm } = analysisOf(task);
  switch (task.kind) {
    case "survey": {
      if (algorithm.survey === undefined) return { kind: "survey", model: null, description: {} };
      const model = algorithm.survey(await readSurvey(drawWith(task.paths), task.source), task.parameters);
      return { kind: "survey", model, description: algorithm.describe?.(model) ?? {} };
    }
    case "block": {
      const block = await readBlock(drawWith(task.paths), task.source, task.core);
      const { layers, objects } = await compute(block, task);
      return { kind: "block", layers, objects: objects.filter((object) => isCentredIn(object, task.core)) };
    }
    case "finish": {
      const kept = algorithm.finish?.(task.objects, task.model, task.parameters) ?? task.objects;
      const toLonLat = gridToLonLat(task.source.grid);
      return { kind: "finish", objects: kept.map((object) => placeObject(object, toLonLat)) };
    }
    default:
      return task satisfies never;
  }
}

/** Half-open, so that every object belongs to exactly one block. */
function isCentredIn({ centre: [x, y] }: FoundObject, { column, row, columns, rows }: PixelRect): boolean {
  return x >= column && x < column + columns && y >= row && y < row + rows;
}

function cropped(layers: ComputedLayers, rect: PixelRect, core: PixelRect): ComputedLayers {
  return layers.map((layer) => {
    const part =
      layer instanceof Uint8Array
        ? new Uint8Array(core.columns * core.rows)
        : new Float32Array(core.columns * core.rows);
    for (let row = 0; row < core.rows; row++) {
      const start = (core.row - rect.row + row) * rect.columns + core.column - rect.column;
      part.set(layer.subarray(start, start + core.columns), row * core.columns);
    }
    return part;
  });
}

function answer(message: FromAnalysisThread): void {
  const transfer = "result" in message && message.result.kind === "block" ? message.result.layers : [];
  port?.postMessage(
    message,
    transfer.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : [])),
  );
}

port.on("message", ({ id, task }: ToAnalysisThread) => {
  work(task).then(
    (result) => answer({ id, result }),
    (error: unknown) => answer({ id, failure: describeFailure(error) }),
  );
});
