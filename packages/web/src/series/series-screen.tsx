import { useState } from "preact/hooks";
import type { ScreenProps } from "../screens/screen.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { SeriesFields } from "./series-fields.tsx";
import { areaOfPlace, MAX_DATES, scenesOfPlace } from "./series-order.ts";
import { parsePlace, type SeriesPlace } from "./series-place.ts";
import { seriesText } from "./series-text.ts";
import { SeriesView } from "./series-view.tsx";

/** Drawn where neither the link nor a layer names a map type. */
const USUAL_TYPE = "ndvi";

/** The values of a map over an area or a point, date by date. */
export function SeriesScreen({ parts }: ScreenProps) {
  const { layers, open } = useConsole();
  const place = parsePlace(parts[0]);
  const shown = layers.list.value.find(({ mapType: type }) => type !== "imagery" && type !== "");
  const [usual] = useState(shown?.mapType ?? USUAL_TYPE);
  const mapType = parts[1] ?? usual;
  const [isTable, setTable] = useState(false);
  return (
    <section class="below series" aria-label={seriesText.title}>
      <header>
        <h2>{seriesText.title}</h2>
        <SeriesFields mapType={mapType} place={place} />
        <span class="spring" />
        <button type="button" class="button small" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? seriesText.asChart : seriesText.asTable}
        </button>
        <IconButton icon="close" label={seriesText.close} onClick={() => open("")} />
      </header>
      <Body mapType={mapType} place={place} isTable={isTable} />
    </section>
  );
}

function Body(props: { readonly mapType: string; readonly place: SeriesPlace; readonly isTable: boolean }) {
  const { mapType, place, isTable } = props;
  const { area, search, rights, drawing } = useConsole();
  const { value: geometry } = area;
  if (!rights.value.holds(seriesText.permission)) {
    return <p class="state">{text.errors.permission(seriesText.permission)}</p>;
  }
  if (geometry === null) {
    return (
      <div class="state">
        <p>{seriesText.purpose}</p>
        <p>{seriesText.needsArea}</p>
        <button type="button" class="button" onClick={() => drawing.draw("box")}>
          {seriesText.draw}
        </button>
      </div>
    );
  }
  const scenes = scenesOfPlace(place, search.shown.value);
  if (scenes.length === 0) {
    const isSearching = search.status.value.kind === "searching";
    return <p class="state">{isSearching ? text.find.searching : seriesText.needsScenes}</p>;
  }
  const sceneIds = scenes.slice(0, MAX_DATES).map(({ sceneId }) => sceneId);
  return (
    <SeriesView
      order={{ mapType, area: areaOfPlace(place, geometry), sceneIds }}
      allScenes={scenes.length}
      isTable={isTable}
    />
  );
}
