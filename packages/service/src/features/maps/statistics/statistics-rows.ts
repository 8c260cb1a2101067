import { stringify } from "csv-stringify/sync";
import type { LayerFigures, ZoneFigures } from "@swath/maps/render/zonal-figures";
import {
  MAX_ANSWERED_ROWS,
  type StatisticsRequest,
  type StatisticsRow,
} from "@swath/contract/features/maps/statistics-contract";

export interface RowSource {
  readonly area: string;
  readonly sceneId: string;
  readonly datetime: string;
  readonly mapType: string;
}

const SOURCE_COLUMNS = [
  "area",
  "datetime",
  "sceneId",
  "mapType",
  "layer",
  "count",
  "validShare",
  "clearShare",
] as const;
const VALUE_COLUMNS = ["mean", "std", "min", "max"] as const;
const CLASS_COLUMNS = ["class", "classKm2", "classShare"] as const;
const DEFAULT_PERCENTILES: readonly number[] = [5, 25, 50, 75, 95];

/** Percentiles of a request in ascending order. */
export function percentilesOf({ percentiles }: StatisticsRequest): readonly number[] {
  return (percentiles ?? DEFAULT_PERCENTILES).toSorted((a, b) => a - b);
}

/** The rows of an area of a map: one for each layer. */
export function rowsOf(
  source: RowSource,
  { layers, objects }: ZoneFigures,
  percentiles: readonly number[],
): readonly StatisticsRow[] {
  return layers.map((layer) => ({ ...source, ...figuresOf(layer, percentiles), objects }));
}

function figuresOf(
  { name, count, validShare, clearShare, values, classes }: LayerFigures,
  percentiles: readonly number[],
): Omit<StatisticsRow, keyof RowSource | "objects"> {
  return {
    layer: name,
    count,
    validShare: roundedShare(validShare),
    clearShare: clearShare === null ? null : roundedShare(clearShare),
    mean: values?.mean ?? null,
    std: values?.std ?? null,
    min: values?.min ?? null,
    max: values?.max ?? null,
    percentiles:
      values === null
        ? null
        : Object.fromEntries(percentiles.map((one, i) => [`p${one}`, values.quantiles[i] ?? null])),
    histogram: values?.histogram === undefined || values.histogram === null ? null : [...values.histogram],
    classes:
      classes === null
        ? null
        : Object.fromEntries(classes.map(({ name: className, areaKm2, share }) => [className, { areaKm2, share }])),
  };
}

/** Rows on their way into a file; only the first ones are kept as they are. */
export class RowCollector {
  readonly first: StatisticsRow[] = [];
  count = 0;
  readonly #request: StatisticsRequest;
  readonly #percentiles: readonly number[];
  readonly #parts: string[] = [];

  constructor(request: StatisticsRequest) {
    this.#request = request;
    this.#percentiles = percentilesOf(request);
  }

  add(rows: readonly StatisticsRow[]): void {
    this.count += rows.length;
    this.first.push(...rows.slice(0, Math.max(0, MAX_ANSWERED_ROWS - this.first.length)));
    this.#parts.push(this.#isJson ? rows.map((row) => JSON.stringify(row)).join(",\n") : this.#lines(rows));
  }

  file(): { readonly fileName: string; readonly mediaType: string; readonly body: Uint8Array } {
    const encoder = new TextEncoder();
    if (this.#isJson) {
      const text = `[${this.#parts.filter((part) => part !== "").join(",\n")}]\n`;
      return { fileName: "statistics.json", mediaType: "application/json", body: encoder.encode(text) };
    }
    const body = encoder.encode(csvOf([this.#columns()]) + this.#parts.join(""));
    return { fileName: "statistics.csv", mediaType: "text/csv", body };
  }

  get #isJson(): boolean {
    return this.#request.format === "json";
  }

  #columns(): readonly string[] {
    const bins = Array.from({ length: this.#request.histogram?.bins ?? 0 }, (_, bin) => `bin${bin + 1}`);
    const percentiles = this.#percentiles.map((one) => `p${one}`);
    return [...SOURCE_COLUMNS, ...VALUE_COLUMNS, ...percentiles, "objects", ...CLASS_COLUMNS, ...bins];
  }

  /** A line for each row, of layers of classes a line for each class. */
  #lines(rows: readonly StatisticsRow[]): string {
    return csvOf(
      rows.flatMap((row) => {
        const { area, datetime, sceneId, mapType, layer, count, validShare, clearShare } = row;
        const percentiles = this.#percentiles.map((one) => row.percentiles?.[`p${one}`] ?? null);
        const start = [area, datetime, sceneId, mapType, layer, count, validShare, clearShare];
        const figures = [...start, row.mean, row.std, row.min, row.max, ...percentiles, row.objects];
        if (row.classes === null) return [[...figures, null, null, null, ...(row.histogram ?? [])]];
        return Object.entries(row.classes).map(([name, { areaKm2, share }]) => [...figures, name, areaKm2, share]);
      }),
    );
  }
}

function csvOf(records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { record_delimiter: "\r\n", escape_formulas: true },
  );
}

/** Sums of weights are off by some units in the last place: 12 decimals are more than a weight has. */
function roundedShare(value: number): number {
  return Number(value.toFixed(12));
}
