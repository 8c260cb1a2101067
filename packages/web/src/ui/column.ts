import type { ComponentChildren } from "preact";
import type { SortKey } from "./sort-rows.ts";

/** A column of a virtual table. */
export interface Column<Row> {
  /** Unique within the table. */
  readonly name: string;
  readonly title: string;
  /** Stands at the right. */
  readonly isNumber?: boolean;
  /** Share of the width; 1 without one. */
  readonly weight?: number;
  readonly cell: (row: Row) => ComponentChildren;
  /** Without it the head does not sort. */
  readonly sortKey?: (row: Row) => SortKey;
}
