import type { Color } from "../../../platform/pdf/report-content.ts";

/** Colours of the lines of a chart, in their order. */
export const LINE_COLORS: readonly Color[] = [
  [31, 120, 180],
  [227, 26, 28],
  [51, 160, 44],
  [255, 127, 0],
  [106, 61, 154],
];
