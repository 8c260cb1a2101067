import type { CommandContext } from "../command-context.ts";
import { formatTable } from "../output.ts";
import type { Rows } from "./pages.ts";

/** Columns of a table by title; `null` is shown as nothing. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number | boolean | null | undefined>>;

/**
 * Shows rows as a table with a line of titles, and says when there are more of them.
 *
 * @param whyNone the line of a table without rows: the reason, and the way to some
 */
export function showRows<Row>(
  { output }: CommandContext,
  rows: Rows<Row>,
  columns: Columns<Row>,
  whyNone: string,
): void {
  const { results, complete } = rows;
  const cells = results.map((row) => Object.values(columns).map((cell) => String(cell(row) ?? "")));
  const more = complete ? [] : [`more than ${results.length} rows: narrow the list or raise --limit`];
  output.result(rows, results.length === 0 ? [whyNone] : [...formatTable([Object.keys(columns), ...cells]), ...more]);
}
