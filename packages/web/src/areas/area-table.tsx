import { useEffect, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { boxOfGeometry } from "../find/area-rings.ts";
import type { Column } from "../ui/column.ts";
import { VirtualTable } from "../ui/virtual-table.tsx";
import { useConsole } from "../use-console.ts";
import { areaOf, rowShapes, type AreaRow } from "./area-row.ts";
import { areasText } from "./areas-text.ts";

const COLUMNS: readonly Column<AreaRow>[] = [
  { name: "name", title: areasText.name, weight: 3, cell: ({ name }) => name, sortKey: ({ name }) => name },
  {
    name: "kind",
    title: areasText.kind,
    cell: ({ geometry }) => geometry?.type ?? "",
    sortKey: ({ geometry }) => geometry?.type ?? "",
  },
];

/** Features in a table and on the map with one selection, and the actions of the chosen one. */
export function AreaTable(props: {
  readonly label: string;
  readonly rows: readonly AreaRow[];
  readonly actions: (row: AreaRow) => ComponentChildren;
}) {
  const { map, setArea, search, open, attempt } = useConsole();
  const { label, rows, actions } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [shapes, setShapes] = useState(() => rowShapes(rows));
  useEffect(() => setShapes(rowShapes(rows)), [rows]);
  useEffect(() => {
    map.showShapes("areas", { shapes, selected, hovered, onPick: setSelected });
  }, [shapes, selected, hovered]);
  const chosen = rows.find(({ id }) => id === selected);
  const area = chosen === undefined ? null : areaOf(chosen);
  const searchHere = async (): Promise<void> => {
    if (area === null) return;
    map.fit(boxOfGeometry(area));
    await setArea(area);
    open("");
    await search.run(area);
  };
  return (
    <>
      <div class="area-table">
        <VirtualTable
          label={label}
          columns={COLUMNS}
          rows={rows}
          idOf={({ id }) => id}
          selected={selected}
          hovered={hovered}
          onSelect={setSelected}
          onHover={setHovered}
        />
      </div>
      {chosen !== undefined && (
        <section aria-label={areasText.selected} class="card">
          <strong>{chosen.name}</strong>
          <div class="row wrap">
            {area !== null && (
              <>
                <button type="button" class="button small" onClick={() => attempt(searchHere)}>
                  {areasText.search}
                </button>
                <button type="button" class="button small" onClick={() => map.fit(boxOfGeometry(area))}>
                  {areasText.zoom}
                </button>
              </>
            )}
            {actions(chosen)}
          </div>
        </section>
      )}
    </>
  );
}
