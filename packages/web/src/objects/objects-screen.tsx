import { useMemo, useState } from "preact/hooks";
import { formatCount } from "../format/numbers.ts";
import type { ScreenProps } from "../screens/screen.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { VirtualTable } from "../ui/virtual-table.tsx";
import { useConsole } from "../use-console.ts";
import type { MapObject } from "./map-object.ts";
import { objectColumns } from "./object-columns.tsx";
import { ObjectsFilter } from "./objects-filter.tsx";
import { ObjectsHeader } from "./objects-header.tsx";
import { isHiddenIn } from "./objects-in-view.ts";
import { objectsText } from "./objects-text.ts";
import { useFilteredObjects } from "./use-filtered-objects.ts";
import { useObjectShapes } from "./use-object-shapes.ts";
import { useObjects, type ObjectsStatus } from "./use-objects.ts";

const DEEPEST_ZOOM = 19;

/** The objects of a map as a table, with one selection in the table and on the map. */
export function ObjectsScreen({ parts }: ScreenProps) {
  const [mapId = ""] = parts;
  const { open } = useConsole();
  const { status, retry } = useObjects(mapId);
  return (
    <section class="below objects" aria-label={objectsText.title}>
      {status.kind === "done" && status.objects.length > 0 ? (
        <Objects key={mapId} mapId={mapId} objects={status.objects} />
      ) : (
        <>
          <header>
            <h2 class="spring">{objectsText.title}</h2>
            <IconButton icon="close" label={objectsText.close} onClick={() => open("")} />
          </header>
          <Waiting status={status} onRetry={retry} />
        </>
      )}
    </section>
  );
}

function Waiting({ status, onRetry }: { readonly status: ObjectsStatus; readonly onRetry: () => void }) {
  if (status.kind === "failed") {
    return (
      <div class="state" role="alert">
        <h3>{objectsText.failed}</h3>
        <p>{status.problem}</p>
        <button type="button" class="button" onClick={onRetry}>
          {objectsText.retry}
        </button>
      </div>
    );
  }
  if (status.kind !== "reading") {
    return <p class="state">{status.kind === "none" ? objectsText.none : objectsText.noneFound}</p>;
  }
  return (
    <div class="state" role="status">
      <p>{objectsText.reading(formatCount(status.count))}</p>
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}

function Objects({ mapId, objects }: { readonly mapId: string; readonly objects: readonly MapObject[] }) {
  const { state, update, map } = useConsole();
  const [hovered, setHovered] = useState<string | null>(null);
  const filterText = state.value.objectFilter ?? "";
  const { parsed, shown, classes, colours, byId } = useFilteredObjects(objects, filterText);
  const columns = useMemo(() => objectColumns(objects, colours), [objects, colours]);
  const selected = byId.get(state.value.selectedObjectId ?? "") ?? null;
  const zoomTo = (id: string): void => {
    const object = byId.get(id);
    if (object !== undefined) map.fit(object.box, DEEPEST_ZOOM);
  };
  const select = (id: string): void => update({ selectedObjectId: id });
  const look = (id: string): void => {
    select(id);
    const object = byId.get(id);
    if (object !== undefined && isHiddenIn(object, map.box())) zoomTo(id);
  };
  const inView = useObjectShapes({ objects: shown, colours, selected, hovered, onSelect: select, onHover: setHovered });
  return (
    <>
      <ObjectsHeader
        mapId={mapId}
        shown={shown}
        hiddenCount={objects.length - shown.length}
        inView={inView}
        filterText={parsed.kind === "filters" ? filterText : null}
        onZoom={selected === null ? null : () => zoomTo(selected.id)}
      />
      <div class="objects-body">
        <ObjectsFilter parsed={parsed} classes={classes} colours={colours} />
        {shown.length === 0 ? (
          <p class="state">{objectsText.allHidden(formatCount(objects.length))}</p>
        ) : (
          <VirtualTable
            label={objectsText.title}
            columns={columns}
            rows={shown}
            idOf={(one) => one.id}
            selected={selected?.id ?? null}
            hovered={hovered}
            onHover={setHovered}
            onOpen={zoomTo}
            onSelect={look}
          />
        )}
      </div>
    </>
  );
}
