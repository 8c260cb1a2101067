import { parentPort } from "node:worker_threads";
import { workInBackground } from "@swath/base/threads/work-in-background";
import type { RgbaImage } from "@swath/raster/encode/image";
import { pixelView, type DrawTask, type FromDrawWorker, type ToDrawWorker } from "./draw-task.ts";
import { pictureOf } from "./model-picture.ts";
import type { SceneModel } from "./scene-model.ts";
import { drawRows } from "./world/render.ts";

workInBackground();

/** Models whose projections and outlines are remembered. */
const MODELS_KEPT = 16;
const models = new Map<number, SceneModel>();

/** The first of equal models that arrived, whose cached data holds for this model. */
function remembered(key: number, model: SceneModel): SceneModel {
  const known = models.get(key) ?? model;
  models.delete(key);
  models.set(key, known);
  const [oldest] = models.keys();
  if (models.size > MODELS_KEPT && oldest !== undefined) models.delete(oldest);
  return known;
}

function draw(model: SceneModel, task: DrawTask): RgbaImage | null {
  if (task.kind === "picture") return pictureOf(model, task.longestSidePx);
  const { column, row, columns, rows, targets, targetWidthPx, targetColumn } = task;
  for (const [position, index] of task.bands.entries()) {
    const buffer = targets[position];
    const band = model.bands[index];
    if (buffer === undefined || band === undefined) continue;
    const pixels = drawRows(model, index, column, row, columns, rows);
    const target = pixelView(band.dataType, buffer);
    for (let line = 0; line < rows; line += 1) {
      target.set(pixels.subarray(line * columns, (line + 1) * columns), line * targetWidthPx + targetColumn);
    }
  }
  return null;
}

const port = parentPort;
if (port === null) throw new Error("draw-worker.ts runs in a worker thread only");

port.on("message", ({ id, modelKey, model, task }: ToDrawWorker) => {
  let answer: FromDrawWorker;
  try {
    answer = { kind: "drawn", id, picture: draw(remembered(modelKey, model), task) };
  } catch (error) {
    answer = { kind: "failed", id, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
  port.postMessage(answer);
});
