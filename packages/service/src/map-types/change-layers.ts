import { INDEFINITE, NEGATIVE, POSITIVE, UNCHANGED } from "@swath/kernel/analysis/change/change-classes";
import type { ResultLayer } from "@swath/kernel/raster/rendering";

/** 1 - p, or the share of the largest differences; one unchanged pixel in ten is drawn. */
export const CHANGE_HEATMAP: ResultLayer = {
  kind: "values",
  name: "heatmap",
  unit: "1",
  range: [0, 1],
  ramp: "heat",
  drawnFrom: 0.9,
};

export const CHANGE_CLASSES: ResultLayer = {
  kind: "classes",
  name: "change",
  classes: [
    { name: "positive", value: POSITIVE, color: [0, 136, 55] },
    { name: "negative", value: NEGATIVE, color: [123, 50, 148] },
    { name: "changed", value: INDEFINITE, color: [230, 171, 2] },
  ],
  backgroundValue: UNCHANGED,
};
