import { useEffect, useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";

/** The types that most people want; the others stand in one list behind them. */
const USUAL = ["imagery", "ndvi", "ndwi", "water", "wrunc", "clouds"];
const MAX_TYPES = 20;

export function MapTypeField(props: {
  readonly chosen: readonly string[];
  readonly onChange: (mapTypes: readonly string[]) => void;
}) {
  const { calls, attempt } = useConsole();
  const { chosen, onChange } = props;
  const [others, setOthers] = useState<readonly { readonly mapType: string; readonly description: string }[]>([]);
  useEffect(() => {
    attempt(async () => {
      const listed = await calls.call("/mapsvc/map-types/list");
      const single = listed.filter(({ scenes, mapType }) => scenes.min === 1 && !USUAL.includes(mapType));
      setOthers(single.map(({ mapType, description }) => ({ mapType, description })));
    });
  }, []);
  const toggle = (mapType: string): void => {
    const rest = chosen.filter((one) => one !== mapType);
    onChange(chosen.includes(mapType) ? rest : [...chosen, mapType].slice(0, MAX_TYPES));
  };
  const extra = chosen.filter((mapType) => !USUAL.includes(mapType));
  return (
    <fieldset class="map-types">
      <legend>{text.buy.types}</legend>
      {[...USUAL, ...extra].map((mapType) => (
        <label key={mapType} class="chip">
          <input type="checkbox" checked={chosen.includes(mapType)} onChange={() => toggle(mapType)} /> {mapType}
        </label>
      ))}
      <select
        aria-label={text.buy.otherTypes}
        value=""
        onChange={(event) => event.currentTarget.value !== "" && toggle(event.currentTarget.value)}
      >
        <option value="">{text.buy.otherTypes}</option>
        {others.map(({ mapType, description }) => (
          <option key={mapType} value={mapType} title={description}>
            {mapType}
          </option>
        ))}
      </select>
    </fieldset>
  );
}
