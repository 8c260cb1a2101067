import { useEffect, useState } from "preact/hooks";
import { text } from "../text/en.ts";
import { useConsole } from "../use-console.ts";

/** The types that most people want; the others stand in one list behind them. */
const USUAL = ["imagery", "ndvi", "ndwi", "water", "wrunc", "clouds"];
const MAX_TYPES = 20;

interface OfferedType {
  readonly mapType: string;
  readonly description: string;
  readonly maturity: "validated" | "self-tested" | "experimental";
  readonly maturityMeaning: string;
}

export function MapTypeField(props: {
  readonly chosen: readonly string[];
  readonly onChange: (mapTypes: readonly string[]) => void;
}) {
  const { calls, attempt } = useConsole();
  const { chosen, onChange } = props;
  const [offered, setOffered] = useState<readonly OfferedType[]>([]);
  const [withExperimental, setWithExperimental] = useState(false);
  useEffect(() => {
    attempt(async () => {
      const listed = await calls.call("/mapsvc/map-types/list");
      setOffered(listed.filter(({ scenes }) => scenes.min === 1));
    });
  }, []);
  const toggle = (mapType: string): void => {
    const rest = chosen.filter((one) => one !== mapType);
    onChange(chosen.includes(mapType) ? rest : [...chosen, mapType].slice(0, MAX_TYPES));
  };
  const meaningOf = (mapType: string): string | undefined => {
    const known = offered.find((one) => one.mapType === mapType);
    return known === undefined || known.maturity === "validated" ? undefined : known.maturityMeaning;
  };
  const extra = chosen.filter((mapType) => !USUAL.includes(mapType));
  return (
    <fieldset class="map-types">
      <legend>{text.buy.types}</legend>
      {[...USUAL, ...extra].map((mapType) => {
        const meaning = meaningOf(mapType);
        return (
          <label key={mapType} class="chip" title={meaning}>
            <input type="checkbox" checked={chosen.includes(mapType)} onChange={() => toggle(mapType)} /> {mapType}
            {meaning !== undefined && <small>{text.buy.notValidated}</small>}
          </label>
        );
      })}
      <select
        aria-label={text.buy.otherTypes}
        value=""
        onChange={(event) => event.currentTarget.value !== "" && toggle(event.currentTarget.value)}
      >
        <option value="">{text.buy.otherTypes}</option>
        {MATURITIES.filter((one) => withExperimental || one !== "experimental").map((maturity) => (
          <TypeOptions
            key={maturity}
            label={text.buy.maturity[maturity]}
            types={offered.filter((one) => one.maturity === maturity && !USUAL.includes(one.mapType))}
          />
        ))}
      </select>
      <label class="chip">
        <input
          type="checkbox"
          checked={withExperimental}
          onChange={(event) => setWithExperimental(event.currentTarget.checked)}
        />{" "}
        {text.buy.experimental}
      </label>
    </fieldset>
  );
}

const MATURITIES = ["validated", "self-tested", "experimental"] as const;

function TypeOptions({ label, types }: { readonly label: string; readonly types: readonly OfferedType[] }) {
  if (types.length === 0) return null;
  return (
    <optgroup label={label}>
      {types.map(({ mapType, description, maturityMeaning }) => (
        <option key={mapType} value={mapType} title={`${description}. ${maturityMeaning}`}>
          {mapType}
        </option>
      ))}
    </optgroup>
  );
}
