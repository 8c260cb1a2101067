import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Column } from "./column.ts";
import { scrolledTo } from "./row-window.ts";
import { nextSort, sortRows, type Sort } from "./sort-rows.ts";
import { useRowWindow } from "./use-row-window.ts";
import { VirtualHead } from "./virtual-head.tsx";

export interface VirtualTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Unique within the table. */
  readonly idOf: (row: Row) => string;
  readonly selected?: string | null;
  readonly hovered?: string | null;
  /** Arrow keys and clicks select; a table without it shows rows alone. */
  readonly onSelect?: (id: string) => void;
  readonly onHover?: (id: string | null) => void;
  /** Enter and double click. */
  readonly onOpen?: (id: string) => void;
}

const ROW_PX = 32;
/** Columns narrower than this scroll sideways within the table. */
const LEAST_COLUMN_PX = 88;

/** A table of any number of rows, of which only the seen ones are drawn. The focus stays on the table; arrow keys move the selection. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, idOf, selected = null, hovered = null, onSelect, onHover, onOpen } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [sort, setSort] = useState<Sort | null>(null);
  const sorted = useMemo(() => sortedBy(rows, columns, sort), [rows, sort]);
  const positions = useMemo(() => new Map(sorted.map((row, position) => [idOf(row), position])), [sorted]);
  const { first, end, redraw } = useRowWindow(frame, viewOf, sorted.length);
  const at = selected === null ? undefined : positions.get(selected);
  useEffect(() => {
    const { current } = frame;
    if (current === null || at === undefined) return;
    current.scrollTop = scrolledTo(viewOf(current), at);
    redraw();
  }, [at]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || frame.current === null) return;
    if (event.key === "Enter" && selected !== null && at !== undefined) return onOpen?.(selected);
    const next = nextPosition(event.key, at, viewOf(frame.current).heightPx, sorted.length);
    const row = next === null ? undefined : sorted[next];
    if (row === undefined || onSelect === undefined) return;
    event.preventDefault();
    onSelect(idOf(row));
  };
  const template = columns.map(({ weight = 1 }) => `minmax(${LEAST_COLUMN_PX}px, ${weight}fr)`).join(" ");
  const rowId = (position: number): string => `${label}-${position}`.replaceAll(/\s/g, "-");
  const isActiveDrawn = at !== undefined && at >= first && at < end;
  return (
    <div
      ref={frame}
      class="virtual-table"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={isActiveDrawn ? rowId(at) : undefined}
      style={{ "--columns": template }}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onHover?.(null)}
    >
      <VirtualHead columns={columns} sort={sort} onSort={(column) => setSort(nextSort(sort, column))} />
      <div role="rowgroup" class="virtual-rows" style={{ height: `${sorted.length * ROW_PX}px` }}>
        {sorted.slice(first, end).map((row, offset) => {
          const id = idOf(row);
          const position = first + offset;
          return (
            <div
              key={id}
              id={rowId(position)}
              role="row"
              class={`virtual-row ${id === selected ? "selected" : ""} ${id === hovered ? "hovered" : ""}`}
              aria-rowindex={position + 2}
              aria-selected={id === selected}
              style={{ transform: `translateY(${position * ROW_PX}px)` }}
              onClick={() => onSelect?.(id)}
              onDblClick={() => onOpen?.(id)}
              onPointerEnter={() => onHover?.(id)}
            >
              {columns.map(({ name, isNumber, cell }) => (
                <div key={name} role="gridcell" class={isNumber === true ? "number" : undefined}>
                  {cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function sortedBy<Row>(rows: readonly Row[], columns: readonly Column<Row>[], sort: Sort | null): readonly Row[] {
  const keyOf = columns.find(({ name }) => name === sort?.column)?.sortKey;
  return keyOf === undefined || sort === null ? rows : sortRows(rows, keyOf, sort.isDescending);
}

/** The seen part below the head, which covers the rows behind it. */
function viewOf(frame: HTMLElement) {
  return { topPx: frame.scrollTop, heightPx: frame.clientHeight - ROW_PX, rowPx: ROW_PX };
}

function nextPosition(key: string, at: number | undefined, heightPx: number, rowCount: number): number | null {
  const page = Math.max(1, Math.floor(heightPx / ROW_PX) - 1);
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  if (rowCount === 0) return null;
  if (key === "Home") return 0;
  if (key === "End") return rowCount - 1;
  const step = steps[key];
  if (step === undefined) return null;
  return at === undefined ? 0 : Math.min(rowCount - 1, Math.max(0, at + step));
}
