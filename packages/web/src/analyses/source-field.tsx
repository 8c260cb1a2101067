import { useState } from "preact/hooks";
import { MapTypeField } from "../buy/map-type-field.tsx";
import { useConsole } from "../use-console.ts";
import { analysisFormText as words } from "./analysis-form-text.ts";
import { mapsOfLayers, type MapsToAdd } from "./maps-to-add.ts";

type Source = "layers" | "nothing" | "ticked";

export interface ChosenMaps {
  readonly maps: readonly MapsToAdd[];
  readonly source: Source;
  readonly choose: (source: Source) => void;
  readonly mapTypes: readonly string[];
  readonly setMapTypes: (mapTypes: readonly string[]) => void;
}

/** The maps that an analysis gets: of the shown layers, or of the ticked scenes. */
export function useChosenMaps(): ChosenMaps {
  const { layers, ticked } = useConsole();
  const ofLayers = mapsOfLayers(layers.list.value);
  const sceneIds = [...ticked.value];
  const [chosen, choose] = useState<Source | null>(null);
  const [mapTypes, setMapTypes] = useState<readonly string[]>([]);
  const usual = ofLayers.length > 0 ? "layers" : sceneIds.length > 0 ? "ticked" : "nothing";
  const source = chosen ?? usual;
  const ofTicked = sceneIds.length > 0 && mapTypes.length > 0 ? [{ sceneIds, mapTypes }] : [];
  const maps = source === "layers" ? ofLayers : source === "ticked" ? ofTicked : [];
  return { maps, source, choose, mapTypes, setMapTypes };
}

export function SourceField({ chosen }: { readonly chosen: ChosenMaps }) {
  const { layers, ticked } = useConsole();
  const { source, choose, mapTypes, setMapTypes } = chosen;
  const count = mapsOfLayers(layers.list.value).reduce(
    (sum, one) => sum + one.mapTypes.length * one.sceneIds.length,
    0,
  );
  const options: readonly (readonly [Source, string])[] = [
    ["layers", words.layers(count)],
    ["ticked", words.ticked(ticked.value.size)],
    ["nothing", words.nothing],
  ];
  return (
    <>
      <label class="field">
        {words.from}
        <select value={source} onChange={(event) => choose(event.currentTarget.value as Source)}>
          {options.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {source === "ticked" && <MapTypeField chosen={mapTypes} onChange={setMapTypes} />}
    </>
  );
}
