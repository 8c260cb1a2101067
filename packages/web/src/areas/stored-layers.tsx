import { useMemo } from "preact/hooks";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useConsole } from "../use-console.ts";
import { areaRow } from "./area-row.ts";
import { AreaTable } from "./area-table.tsx";
import { areasText } from "./areas-text.ts";

/** Features of one request. */
const PAGE_FEATURES = 1_000;

/** Layers of the feature store that the user may search. */
export function StoredLayers({ collection }: { readonly collection: string | null }) {
  const { calls, open } = useConsole();
  const loaded = useLoaded(
    async (signal) => await calls.call("/api/properties", { property: "collection" }, { signal }),
    [],
  );
  if (loaded.value === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={areasText.layers} />;
  }
  const names = loaded.value.filter((one) => typeof one === "string");
  if (names.length === 0) return <p class="state">{areasText.noLayers}</p>;
  return (
    <div class="side-body">
      <label class="field">
        {areasText.collection}
        <select
          value={collection ?? ""}
          onChange={({ currentTarget: { value } }) => open("areas", "layers", ...(value === "" ? [] : [value]))}
        >
          <option value="">{areasText.choose}</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {collection !== null && <LayerFeatures key={collection} collection={collection} />}
    </div>
  );
}

function LayerFeatures({ collection }: { readonly collection: string }) {
  const { calls, attempt, rights } = useConsole();
  const list = async (cursor: string | null, signal?: AbortSignal) =>
    await calls.call(
      "/api/features/search",
      { query: { collection }, _limit: PAGE_FEATURES, ...(cursor === null ? {} : { cursor }) },
      signal === undefined ? {} : { signal },
    );
  const loaded = useLoaded(async (signal) => await list(null, signal), []);
  const rows = useMemo(() => (loaded.value?.results ?? []).map(areaRow), [loaded.value]);
  if (loaded.value === null) {
    if (loaded.error !== null) return <Failure error={loaded.error} onRetry={loaded.reload} />;
    return <Skeletons label={collection} />;
  }
  const { results, cursor } = loaded.value;
  const more = async (): Promise<void> => {
    const next = await list(cursor);
    loaded.replace({ results: [...results, ...next.results], cursor: next.cursor });
  };
  const remove = async (id: string): Promise<void> => {
    await calls.call("/api/feature/delete", { id });
    loaded.replace({ results: results.filter((one) => one.id !== id), cursor });
  };
  if (rows.length === 0) return <p>{areasText.noFeatures}</p>;
  return (
    <>
      <p role="status">{areasText.count(rows.length, cursor !== null)}</p>
      <AreaTable
        label={collection}
        rows={rows}
        actions={({ id }) =>
          rights.value.holds(`geojsondb.delete.${collection}`) && (
            <button type="button" class="button small" onClick={() => attempt(() => remove(id))}>
              {areasText.remove}
            </button>
          )
        }
      />
      {cursor !== null && (
        <button type="button" class="button" onClick={() => attempt(more)}>
          {areasText.more}
        </button>
      )}
    </>
  );
}
