import type { StatisticsRow } from "@swath/contract/features/maps/statistics-contract";
import type { Measure } from "@swath/kernel/monitors/rule";

export interface AreaValue {
  readonly area: string;
  /** Null: not measured. */
  readonly value: number | null;
}

/** The measure of each area, in the order of the rows. Areas with fewer pixels that count have none. */
export function measuredValues(
  rows: readonly StatisticsRow[],
  measure: Measure,
  minValidShare: number,
): readonly AreaValue[] {
  const values = new Map<string, number | null>();
  for (const row of rows) {
    const { area, count, layer, mapType, validShare } = row;
    if (mapType !== measure.mapType || values.has(area)) continue;
    if (measure.layer !== undefined && layer !== measure.layer) continue;
    const isMeasured = count > 0 && validShare >= minValidShare;
    values.set(area, isMeasured ? valueOf(row, measure) : null);
  }
  return Array.from(values, ([area, value]) => ({ area, value }));
}

function valueOf(row: StatisticsRow, { className = "", percentile = 0, statistic }: Measure): number | null {
  if (statistic === "percentile") return row.percentiles?.[`p${percentile}`] ?? null;
  if (statistic !== "areaKm2") return row[statistic];
  // A class without a pixel is in no row of classes.
  return row.classes === null ? null : (row.classes[className]?.areaKm2 ?? 0);
}
