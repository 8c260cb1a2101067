/** Texts of how a layer is drawn. */
export const drawingText = {
  label: (name: string) => `Colours of ${name}`,
  kinds: {
    made: "As made",
    limits: "Between limits",
    percentiles: "Between percentiles",
    threshold: "Above a threshold",
    classes: "Own classes",
  },
  low: (name: string) => `Lower limit of ${name}`,
  high: (name: string) => `Upper limit of ${name}`,
  threshold: (name: string) => `Threshold of ${name}`,
  classes: (name: string) => `Classes of ${name}`,
  rangeHint: "One class a line, as name:low:high:#rrggbb. An empty limit is open.",
  unionHint: "One class a line, as name:class,class:#rrggbb",
  apply: "Apply classes",
} as const;
