/** A number of an area in the statistics of a map. */
export interface Measure {
  readonly mapType: string;
  /** Layer of the map; its first one unless given. */
  readonly layer?: string;
  readonly statistic: "areaKm2" | "max" | "mean" | "min" | "objects" | "percentile" | "std" | "validShare";
  /** 0 to 100, of `percentile`. */
  readonly percentile?: number;
  /** Name of the class, of `areaKm2`. */
  readonly className?: string;
}

/** The measure leaves the interval: it is above one bound, or below the other. */
export interface ThresholdRule {
  readonly kind: "threshold";
  readonly measure: Measure;
  readonly above?: number;
  readonly below?: number;
}

/** The measure is far from the median of its last values. */
export interface ChangeRule {
  readonly kind: "change";
  readonly measure: Measure;
  /** How many earlier values count; with fewer there is no alert. */
  readonly last: number;
  /** Least distance from the median; with `relative` as a share of the median. */
  readonly by: number;
  readonly relative?: boolean;
}

/** As many objects, or more. */
export interface ObjectsRule {
  readonly kind: "objects";
  readonly mapType: string;
  readonly atLeast: number;
}

/** When a result of a monitor is an alert. */
export type MonitorRule = ChangeRule | ObjectsRule | ThresholdRule;

export function measureOf(rule: MonitorRule): Measure {
  return rule.kind === "objects" ? { mapType: rule.mapType, statistic: "objects" } : rule.measure;
}

/** The member of a rule that is missing or contradicts another one; null: none. */
export function ruleFault(rule: MonitorRule): { readonly path: string; readonly message: string } | null {
  const { statistic, percentile, className } = measureOf(rule);
  if ((statistic === "percentile") !== (percentile !== undefined)) {
    return { path: "/measure/percentile", message: "belongs to the statistic percentile, which needs it" };
  }
  if ((statistic === "areaKm2") !== (className !== undefined)) {
    return { path: "/measure/className", message: "belongs to the statistic areaKm2, which needs it" };
  }
  if (rule.kind !== "threshold") return null;
  const { above, below } = rule;
  if (above === undefined && below === undefined) return { path: "/above", message: "or below is needed" };
  if (above !== undefined && below !== undefined && below > above) {
    return {
      path: "/below",
      message: `is ${below}, expected at most above, which is ${above}: each value would alert`,
    };
  }
  return null;
}
