import type { Column } from "./column.ts";
import type { Sort } from "./sort-rows.ts";

/** The head of a virtual table: it stays in sight, and its columns sort. */
export function VirtualHead<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort | null;
  readonly onSort: (column: string) => void;
}) {
  const { columns, sort, onSort } = props;
  return (
    <div role="rowgroup" class="virtual-head">
      <div role="row" class="virtual-row" aria-rowindex={1}>
        {columns.map(({ name, title, isNumber, sortKey }) => {
          const direction = sort?.column !== name ? undefined : sort.isDescending ? "descending" : "ascending";
          return (
            <div
              key={name}
              role="columnheader"
              class={isNumber === true ? "number" : undefined}
              aria-sort={sortKey === undefined ? undefined : (direction ?? "none")}
            >
              {sortKey === undefined ? (
                title
              ) : (
                <button type="button" onClick={() => onSort(name)}>
                  {title}
                  <span aria-hidden="true">{direction === undefined ? "" : direction === "ascending" ? "↑" : "↓"}</span>
                </button>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
