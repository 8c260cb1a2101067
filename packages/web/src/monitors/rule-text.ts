import { measureOf, type Measure, type MonitorRule } from "@swath/kernel/monitors/rule";
import { formatShare, formatValue } from "../format/numbers.ts";
import type { AlertFinding } from "./alert.ts";
import { monitorsText } from "./monitors-text.ts";

const { rules, statistics } = monitorsText;

/** `ndvi mean below 0.300` */
export function ruleText(rule: MonitorRule): string {
  if (rule.kind === "objects") return rules.objects(rule.mapType, formatValue(rule.atLeast));
  const measure = measureText(rule.measure);
  if (rule.kind === "change") {
    return rules.change(measure, rule.relative === true ? formatShare(rule.by) : formatValue(rule.by), rule.last);
  }
  const { above, below } = rule;
  return [
    ...(above === undefined ? [] : [rules.above(measure, formatValue(above))]),
    ...(below === undefined ? [] : [rules.below(measure, formatValue(below))]),
  ].join(rules.or);
}

/** The value of an alert and the reference that it passed; without a rule it has no name. */
export function findingText({ value, reference, side }: AlertFinding, rule?: MonitorRule): string {
  const measured = formatValue(value);
  return rules[side](
    rule === undefined ? measured : `${measureText(measureOf(rule))} ${measured}`,
    formatValue(reference),
  );
}

function measureText({ mapType, layer, statistic, percentile, className }: Measure): string {
  const name = layer === undefined ? mapType : `${mapType} ${layer}`;
  if (statistic === "areaKm2") return `${name} ${className ?? ""} km²`;
  if (statistic === "percentile") return `${name} P${percentile ?? ""}`;
  return `${name} ${statistics[statistic]}`;
}
