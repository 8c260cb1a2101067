import type { ColumnType } from "kysely";

/** A column of `int8`: written as digits or a number, read as a number. */
export type Whole = ColumnType<number, number | string, number | string>;
