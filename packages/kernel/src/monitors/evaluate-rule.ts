import type { MonitorRule } from "./rule.ts";

/** Why a value is an alert. */
export interface Finding {
  readonly value: number;
  /** The bound that the value passed, or the median that it is far from. */
  readonly reference: number;
  /** Side of the reference on which the value lies. */
  readonly side: "above" | "below";
}

/** A value that was not measured is null or NaN. */
export type MeasuredValue = number | null;

/**
 * Compares a value of an area with a rule. Values that were not measured never alert and never count as earlier ones.
 *
 * @param earlier values of the area before this one, oldest first
 */
export function evaluateRule(
  rule: MonitorRule,
  value: MeasuredValue,
  earlier: readonly MeasuredValue[],
): Finding | null {
  if (!isMeasured(value)) return null;
  if (rule.kind === "objects") {
    return value >= rule.atLeast ? { value, reference: rule.atLeast, side: "above" } : null;
  }
  if (rule.kind === "threshold") {
    const { above, below } = rule;
    if (above !== undefined && value > above) return { value, reference: above, side: "above" };
    return below !== undefined && value < below ? { value, reference: below, side: "below" } : null;
  }
  const last = earlier.filter(isMeasured).slice(-rule.last);
  if (last.length < rule.last) return null;
  const median = medianOf(last);
  const least = rule.relative === true ? rule.by * Math.abs(median) : rule.by;
  const distance = Math.abs(value - median);
  // Around a median of 0 a share of it is nothing: only another value is a change.
  if (distance === 0 || distance < least) return null;
  return { value, reference: median, side: value > median ? "above" : "below" };
}

function isMeasured(value: MeasuredValue): value is number {
  return value !== null && Number.isFinite(value);
}

/** @param values at least one */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
