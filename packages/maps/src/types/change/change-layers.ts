import { INDEFINITE, NEGATIVE, POSITIVE, UNCHANGED } from "./change-classes.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { ResultMapType } from "../../planning/result-map-type.ts";

/** 1 - p, or the share of the largest differences; one unchanged pixel in ten is drawn. */
const HEATMAP: ResultLayer = {
  kind: "values",
  name: "heatmap",
  unit: "1",
  range: [0, 1],
  ramp: "heat",
  drawnFrom: 0.9,
};

const CLASSES: ResultLayer = {
  kind: "classes",
  name: "change",
  classes: [
    { name: "positive", value: POSITIVE, color: [0, 136, 55] },
    { name: "negative", value: NEGATIVE, color: [123, 50, 148] },
    { name: "changed", value: INDEFINITE, color: [230, 171, 2] },
  ],
  backgroundValue: UNCHANGED,
};

/** The first layers of every type that says whether something changed. */
export const CHANGE_LAYERS: readonly ResultLayer[] = [HEATMAP, CLASSES];

/** A picture of the classes under their own name; the heat map has one by itself. */
export const CHANGE_FILES: NonNullable<ResultMapType["files"]> = {
  png: { "change.png": { kind: "segmentation", layer: CHANGE_LAYERS.indexOf(CLASSES), encoding: "png" } },
  webp: { "change.webp": { kind: "segmentation", layer: CHANGE_LAYERS.indexOf(CLASSES), encoding: "webp" } },
};
