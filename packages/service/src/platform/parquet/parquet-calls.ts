import type { ParquetRow } from "./parquet-column.ts";
import type { ParquetTableOptions } from "./parquet-table.ts";

/** Calls that the thread serves, with their inputs. `add` and `finish` answer bytes. */
export interface ToParquetThread {
  readonly open: { readonly id: number; readonly options: ParquetTableOptions };
  readonly add: { readonly id: number; readonly rows: readonly ParquetRow[] };
  readonly finish: { readonly id: number };
  readonly close: { readonly id: number };
}
