import { boxOfGeometry } from "../find/area-rings.ts";
import { formatPosition } from "../format/numbers.ts";
import { useConsole } from "../use-console.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { formatPlace, type SeriesPlace } from "./series-place.ts";
import { seriesText } from "./series-text.ts";

/** Map type, place and dataset of a series. All stand in the link. */
export function SeriesFields({ mapType, place }: { readonly mapType: string; readonly place: SeriesPlace }) {
  const { open } = useConsole();
  return (
    <>
      <MapTypeSelect value={mapType} onChange={(next) => open("series", formatPlace(place), next)} />
      <PlaceSelect place={place} onChange={(next) => open("series", formatPlace(next), mapType)} />
      <DatasetSelect />
    </>
  );
}

function MapTypeSelect({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const { calls } = useConsole();
  const listed = useLoaded(async (signal) => calls.call("/mapsvc/map-types/list", {}, { signal }), []).value ?? [];
  const single = listed.filter(({ scenes }) => scenes.min === 1);
  const names = single.map((one) => one.mapType);
  return (
    <select
      aria-label={seriesText.mapType}
      title={single.find((one) => one.mapType === value)?.description}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {(names.includes(value) ? names : [value, ...names]).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

function PlaceSelect({
  place,
  onChange,
}: {
  readonly place: SeriesPlace;
  readonly onChange: (p: SeriesPlace) => void;
}) {
  const { inspector, state } = useConsole();
  const { value: read } = inspector.inspection;
  const { view } = state.value;
  const known = new Map<string, { readonly place: SeriesPlace; readonly name: string }>();
  const add = (one: SeriesPlace, name: string): void => {
    if (!known.has(formatPlace(one))) known.set(formatPlace(one), { place: one, name });
  };
  add({ kind: "area" }, seriesText.wholeArea);
  if (place.kind === "point") add(place, seriesText.point(formatPosition(place.longitude, place.latitude)));
  for (const [one, name] of [
    [read, seriesText.inspectedPoint],
    [view, seriesText.centre],
  ] as const) {
    if (one === null) continue;
    const { longitude, latitude } = one;
    add({ kind: "point", longitude, latitude }, name(formatPosition(longitude, latitude)));
  }
  return (
    <select
      aria-label={seriesText.place}
      value={formatPlace(place)}
      onChange={(event) => onChange(known.get(event.currentTarget.value)?.place ?? place)}
    >
      {[...known].map(([key, { name }]) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Another dataset is another search: its scenes are listed at the left too. */
function DatasetSelect() {
  const { search, state, update, area, map, attempt } = useConsole();
  const { datasets } = state.value;
  const [only] = datasets;
  const chosen = datasets.length === 1 && only !== undefined ? `${only.provider}/${only.dataset}` : "";
  const choose = (value: string): void => {
    const named = search.datasets.value.filter(({ provider, dataset }) => `${provider}/${dataset}` === value);
    update({ datasets: named.map(({ provider, dataset }) => ({ provider, dataset })) });
    const { value: geometry } = area;
    if (geometry === null) return;
    map.fit(boxOfGeometry(geometry));
    attempt(() => search.run(geometry));
  };
  return (
    <select aria-label={seriesText.dataset} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
      <option value="">{seriesText.allDatasets}</option>
      {search.datasets.value.map(({ provider, dataset, name }) => (
        <option key={`${provider}/${dataset}`} value={`${provider}/${dataset}`}>
          {name}
        </option>
      ))}
    </select>
  );
}
