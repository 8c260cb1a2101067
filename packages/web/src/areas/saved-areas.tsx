import { useMemo, useState } from "preact/hooks";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { areaRow, type AreaRow } from "./area-row.ts";
import { AreaTable } from "./area-table.tsx";
import { areasText } from "./areas-text.ts";

function useList() {
  const { calls } = useConsole();
  return async (cursor: string | null, signal?: AbortSignal) =>
    await calls.call(
      "/geojson/feature/list",
      cursor === null ? {} : { cursor },
      signal === undefined ? {} : { signal },
    );
}

/** The features that the user has saved, the newest first. */
export function SavedAreas() {
  const { attempt } = useConsole();
  const list = useList();
  const loaded = useLoaded(async (signal) => await list(null, signal), []);
  const rows = useMemo(() => (loaded.value?.results ?? []).map(areaRow), [loaded.value]);
  if (loaded.value === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={areasText.saved} />;
  }
  const { results, cursor } = loaded.value;
  const more = async (): Promise<void> => {
    const next = await list(cursor);
    loaded.replace({ results: [...results, ...next.results], cursor: next.cursor });
  };
  return (
    <div class="side-body">
      <KeepArea onKept={loaded.reload} />
      {rows.length === 0 ? (
        <p>{areasText.none}</p>
      ) : (
        <>
          <p role="status">{areasText.count(rows.length, cursor !== null)}</p>
          <AreaTable
            label={areasText.saved}
            rows={rows}
            actions={(row) => <SavedActions key={row.id} row={row} onChanged={loaded.reload} />}
          />
        </>
      )}
      {cursor !== null && (
        <button type="button" class="button" onClick={() => attempt(more)}>
          {areasText.more}
        </button>
      )}
    </div>
  );
}

/** Keeps the searched area under a name. */
function KeepArea({ onKept }: { readonly onKept: () => void }) {
  const { calls, area, attempt, rights } = useConsole();
  const [name, setName] = useState("");
  const { value: geometry } = area;
  if (!rights.value.holds("geojson.feature.save")) return null;
  if (geometry === null) return <p class="hint">{areasText.needsArea}</p>;
  const keep = async (): Promise<void> => {
    await calls.call("/geojson/feature/save", { type: "Feature", geometry, properties: { name } });
    setName("");
    onKept();
  };
  return (
    <form
      class="row wrap"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(keep);
      }}
    >
      <input
        class="spring"
        type="text"
        required
        maxLength={500}
        aria-label={areasText.name}
        placeholder={areasText.namePlaceholder}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        {areasText.save}
      </button>
    </form>
  );
}

function SavedActions({ row, onChanged }: { readonly row: AreaRow; readonly onChanged: () => void }) {
  const { calls, attempt, rights } = useConsole();
  const [name, setName] = useState<string | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const rename = async (): Promise<void> => {
    // The page may be old: the feature keeps what others have changed in it.
    const { geometry, properties } = await calls.call("/geojson/feature/get", { featureId: row.id });
    const renamed = { ...properties, name: name ?? row.name };
    await calls.call("/geojson/feature/save", { type: "Feature", id: row.id, geometry, properties: renamed });
    setName(null);
    onChanged();
  };
  const remove = async (): Promise<void> => {
    await calls.call("/geojson/feature/delete", { featureId: row.id });
    onChanged();
  };
  if (name !== null) {
    return (
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          attempt(rename);
        }}
      >
        <input
          type="text"
          required
          maxLength={500}
          aria-label={areasText.newName}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" class="button small">
          {areasText.rename}
        </button>
      </form>
    );
  }
  return (
    <>
      {rights.value.holds("geojson.feature.save") && (
        <button type="button" class="button small" onClick={() => setName(row.name)}>
          {areasText.rename}
        </button>
      )}
      {rights.value.holds("geojson.feature.delete") && (
        <button type="button" class="button small" onClick={() => setDeleting(true)}>
          {areasText.remove}
        </button>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={areasText.removeTitle(row.name)}
          confirm={areasText.remove}
          cancel={areasText.cancel}
          onConfirm={() => attempt(remove)}
          onClose={() => setDeleting(false)}
        >
          {areasText.removeAbout}
        </ConfirmDialog>
      )}
    </>
  );
}
