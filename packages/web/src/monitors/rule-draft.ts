import { measureOf, type Measure, type MonitorRule } from "@swath/kernel/monitors/rule";

/** Values of the fields of a rule; texts are numbers that are being written. */
export interface RuleDraft {
  readonly kind: MonitorRule["kind"];
  readonly mapType: string;
  readonly layer: string;
  readonly statistic: Measure["statistic"];
  readonly percentile: string;
  readonly className: string;
  readonly above: string;
  readonly below: string;
  readonly by: string;
  readonly relative: boolean;
  readonly last: string;
  readonly atLeast: string;
}

export const EMPTY_RULE: RuleDraft = {
  kind: "threshold",
  mapType: "",
  layer: "",
  statistic: "mean",
  percentile: "90",
  className: "",
  above: "",
  below: "0.3",
  by: "0.1",
  relative: false,
  last: "3",
  atLeast: "1",
};

export function ruleDraftOf(rule: MonitorRule): RuleDraft {
  const { mapType, layer = "", statistic, percentile, className = "" } = measureOf(rule);
  const draft = { ...EMPTY_RULE, kind: rule.kind, mapType, layer, statistic, className };
  const measured = percentile === undefined ? draft : { ...draft, percentile: String(percentile) };
  if (rule.kind === "objects") return { ...measured, statistic: "mean", atLeast: String(rule.atLeast) };
  if (rule.kind === "change") {
    return { ...measured, by: String(rule.by), last: String(rule.last), relative: rule.relative === true };
  }
  return { ...measured, above: textOf(rule.above), below: textOf(rule.below) };
}

/** The rule of the fields; null while a number or the map is missing. */
export function ruleOf(draft: RuleDraft): MonitorRule | null {
  const { kind, mapType } = draft;
  if (mapType === "") return null;
  if (kind === "objects") {
    const atLeast = numberOf(draft.atLeast);
    return atLeast === undefined ? null : { kind, mapType, atLeast };
  }
  const measure = measureOfDraft(draft);
  if (measure === null) return null;
  if (kind === "change") {
    const by = numberOf(draft.by);
    const last = numberOf(draft.last);
    if (by === undefined || last === undefined) return null;
    return { kind, measure, last, by, ...(draft.relative ? { relative: true } : {}) };
  }
  const above = numberOf(draft.above);
  const below = numberOf(draft.below);
  if (above === undefined && below === undefined) return null;
  return {
    kind,
    measure,
    ...(above === undefined ? {} : { above }),
    ...(below === undefined ? {} : { below }),
  };
}

function measureOfDraft({ mapType, layer, statistic, percentile, className }: RuleDraft): Measure | null {
  const percent = numberOf(percentile);
  if (statistic === "percentile" && percent === undefined) return null;
  if (statistic === "areaKm2" && className === "") return null;
  return {
    mapType,
    ...(layer === "" ? {} : { layer }),
    statistic,
    ...(statistic === "percentile" && percent !== undefined ? { percentile: percent } : {}),
    ...(statistic === "areaKm2" ? { className } : {}),
  };
}

function textOf(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

function numberOf(text: string): number | undefined {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}
