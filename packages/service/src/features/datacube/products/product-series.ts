import type { ProductDefinition } from "@swath/contract/features/datacube/products-contract";
import type { Db } from "../../../platform/context.ts";
import { readAggregates, type AggregatedPoint } from "../points-store.ts";
import { readSeriesOf } from "../series-store.ts";

/** An input of a product by month (YYYY-MM). */
export interface ProductComponent {
  readonly project: string;
  readonly algorithm: string;
  readonly weight: number;
  readonly values: ReadonlyMap<string, number>;
  /** When the last datapoint of the month was first seen. */
  readonly seen: ReadonlyMap<string, Date>;
}

/** Months of two centuries. */
const MAX_MONTHS = 2400;

/** Monthly means of the inputs over all areas and sources, as of a moment. */
export async function productComponents(
  db: Db,
  { inputs }: Pick<ProductDefinition, "inputs">,
  asOf: Date,
): Promise<readonly ProductComponent[]> {
  const series = await readSeriesOf(db, [...new Set(inputs.map(({ project }) => project))]);
  const components: ProductComponent[] = [];
  for (const { project, algorithm, weight } of inputs) {
    const months = new Map<string, AggregatedPoint[]>();
    for (const { seriesId } of series.filter((one) => one.project === project && one.algorithm === algorithm)) {
      const everything = { aoiKeys: null, from: null, to: null, seenFrom: null, seenTo: null };
      const condition = { ...everything, seriesId, version: "latest" as const, asOf };
      const monthly = { interval: "month", statistic: "mean", by: "all" } as const;
      for (const point of await readAggregates(db, condition, monthly, { position: null, limit: MAX_MONTHS })) {
        const month = point.start.toISOString().slice(0, 7);
        months.set(month, [...(months.get(month) ?? []), point]);
      }
    }
    components.push({
      project,
      algorithm,
      weight,
      values: new Map([...months].map(([month, points]) => [month, meanOf(points)])),
      seen: new Map([...months].map(([month, points]) => [month, lastSeen(points)])),
    });
  }
  return components;
}

function meanOf(points: readonly AggregatedPoint[]): number {
  const count = points.reduce((sum, point) => sum + point.count, 0);
  return points.reduce((sum, point) => sum + point.value * point.count, 0) / count;
}

function lastSeen(points: readonly AggregatedPoint[]): Date {
  return new Date(Math.max(...points.map(({ firstSeen }) => firstSeen.getTime())));
}
