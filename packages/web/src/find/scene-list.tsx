import type { Box } from "../console-state.ts";
import { text } from "../text/en.ts";
import { Failure } from "../ui/failure.tsx";
import { Skeletons } from "../ui/skeletons.tsx";
import { useConsole } from "../use-console.ts";
import { boxGeometry } from "./area-rings.ts";
import { HiddenScenes } from "./hidden-scenes.tsx";
import { SceneRows } from "./scene-rows.tsx";

/** How many were found, what is hidden and why, and the scenes themselves. */
export function SceneList() {
  const { search, area, attempt } = useConsole();
  const { status, found, shown, hasMore, failedDatasets } = search;
  const again = (): void => {
    const { value } = area;
    if (value !== null) attempt(() => search.run(value));
  };
  if (status.value.kind === "nothing-yet") return <EmptyState />;
  if (status.value.kind === "failed") {
    return <Failure error={status.value.error} onRetry={again} />;
  }
  const isSearching = status.value.kind === "searching";
  return (
    <>
      <div class="count" role="status">
        <strong>{isSearching ? text.find.searching : text.find.scenes(shown.value.length, hasMore.value)}</strong>
        <HiddenScenes />
        {search.isOutdated.value && (
          <p>
            {text.find.outdated}{" "}
            <button type="button" class="link" onClick={again}>
              {text.find.searchThem}
            </button>
          </p>
        )}
        {!isSearching && found.value.length === 0 && <NothingFound onAgain={again} />}
        {failedDatasets.value.length > 0 && (
          <p class="warn-text">
            {text.find.failed(failedDatasets.value.map(({ dataset }) => dataset).join(", "))}{" "}
            <button type="button" class="link" onClick={() => attempt(() => search.retryFailed())}>
              {text.find.retry}
            </button>
          </p>
        )}
      </div>
      {isSearching && shown.value.length === 0 ? (
        <Skeletons label={text.find.list} />
      ) : (
        <SceneRows isDimmed={isSearching} />
      )}
    </>
  );
}

/** Which condition left all scenes out, and the way to search without it. */
function NothingFound({ onAgain }: { readonly onAgain: () => void }) {
  const { search, update } = useConsole();
  const { value: reason } = search.emptyReason;
  return (
    <>
      <p>
        {text.find.none} {reason === null || reason === undefined ? "" : `${reason.message}.`}
      </p>
      {reason?.code === "OUTSIDE-INTERVAL" && (
        <button
          type="button"
          class="button"
          onClick={() => {
            update({ time: null });
            onAgain();
          }}
        >
          {text.find.allDays}
        </button>
      )}
    </>
  );
}

/** Auckland: the scene of `swath demo` is there, and simulated providers have others. */
const EXAMPLE: Box = { west: 174.8, south: -36.92, east: 174.94, north: -36.8 };

/** Uploads, and Sentinel-2, whose scenes are free of charge or cheap. */
const EXAMPLE_DATASETS = ["uploads", "COPERNICUS/S2_HARMONIZED"];

/** The purpose of the panel, and one button that makes the first search. */
function EmptyState() {
  const { search, setArea, update, map, attempt } = useConsole();
  const showExample = async (): Promise<void> => {
    const area = boxGeometry(EXAMPLE);
    map.fit(EXAMPLE);
    if (search.datasets.value.length === 0) await search.loadDatasets();
    const known = search.datasets.value.filter(({ dataset }) => EXAMPLE_DATASETS.includes(dataset));
    update({ datasets: known.map(({ provider, dataset }) => ({ provider, dataset })) });
    await setArea(area);
    await search.run(area);
  };
  return (
    <div class="state">
      <p>{text.find.nothingYet}</p>
      <button type="button" class="button" onClick={() => attempt(showExample)}>
        {text.find.example}
      </button>
    </div>
  );
}
