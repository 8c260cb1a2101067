import { formatCount } from "../format/numbers.ts";
import { readMapId } from "../maps/layer.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { objectsUrl } from "./load-objects.ts";
import type { MapObject } from "./map-object.ts";
import { objectsCsv } from "./objects-csv.ts";
import type { ObjectsInView } from "./objects-in-view.ts";
import { objectsText } from "./objects-text.ts";
import { saveFile } from "./save-file.ts";

/** How many objects there are, what is hidden and why, and the files of those that are shown. */
export function ObjectsHeader(props: {
  readonly mapId: string;
  readonly shown: readonly MapObject[];
  readonly hiddenCount: number;
  readonly inView: ObjectsInView;
  /** Null while the filter is unreadable. */
  readonly filterText: string | null;
  /** Null without a selected object. */
  readonly onZoom: (() => void) | null;
}) {
  const { mapId, shown, hiddenCount, inView, filterText, onZoom } = props;
  const { update, open } = useConsole();
  const name = `${readMapId(mapId)?.mapType ?? "map"}-objects`;
  return (
    <header>
      <h2>
        <span role="status">{shown.length === 1 ? objectsText.one : objectsText.count(formatCount(shown.length))}</span>
      </h2>
      <p class="hint spring">
        {hiddenCount > 0 && (
          <>
            {objectsText.hidden(formatCount(hiddenCount))}{" "}
            <button type="button" class="link" onClick={() => update({ objectFilter: null })}>
              {objectsText.showAll}
            </button>{" "}
          </>
        )}
        {inView.drawn.length < inView.count &&
          objectsText.drawn(formatCount(inView.drawn.length), formatCount(inView.count))}
      </p>
      {onZoom !== null && (
        <button type="button" class="button small" onClick={onZoom}>
          {objectsText.zoom}
        </button>
      )}
      <button
        type="button"
        class="button small"
        title={objectsText.csvHint}
        onClick={() => saveFile(`${name}.csv`, "text/csv", objectsCsv(shown))}
      >
        {objectsText.csv}
      </button>
      {filterText !== null && (
        <a
          class="button small"
          title={objectsText.geojsonHint}
          href={objectsUrl(mapId, filterText)}
          download={`${name}.geojson`}
        >
          {objectsText.geojson}
        </a>
      )}
      <IconButton icon="close" label={objectsText.close} onClick={() => open("")} />
    </header>
  );
}
