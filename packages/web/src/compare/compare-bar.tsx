import { layerName } from "../maps/layer-name.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { compareText } from "./compare-text.ts";
import { SideBadge } from "./side-badge.tsx";

const MODES = ["swipe", "split", "blink"] as const;

/** Which maps are compared, and how. */
export function CompareBar(props: { readonly a: string; readonly b: string; readonly mode: (typeof MODES)[number] }) {
  const { a, b, mode } = props;
  const { open, update } = useConsole();
  return (
    <section class="float compare-bar" aria-label={compareText.title}>
      <MapChoice side="a" mapId={a} onChange={(next) => open("compare", next, b)} />
      <IconButton icon="swap" label={compareText.swap} onClick={() => open("compare", b, a)} />
      <MapChoice side="b" mapId={b} onChange={(next) => open("compare", a, next)} />
      <fieldset class="modes">
        <legend class="unseen">{compareText.mode}</legend>
        {MODES.map((one) => (
          <label key={one} class={one === mode ? "on" : ""}>
            <input
              type="radio"
              class="unseen"
              name="compare-mode"
              checked={one === mode}
              onChange={() => update({ comparison: one === "swipe" ? { kind: one, share: 0.5 } : { kind: one } })}
            />
            {compareText.modes[one]}
          </label>
        ))}
      </fieldset>
      <IconButton icon="close" label={compareText.close} onClick={() => open("")} />
    </section>
  );
}

function MapChoice(props: {
  readonly side: "a" | "b";
  readonly mapId: string;
  readonly onChange: (mapId: string) => void;
}) {
  const { side, mapId, onChange } = props;
  const { layers } = useConsole();
  return (
    <label class="map-choice">
      <SideBadge side={side} />
      <select
        aria-label={compareText.side[side]}
        value={mapId}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {layers.list.value.map((layer) => (
          <option key={layer.mapId} value={layer.mapId}>
            {layerName(layer)}
          </option>
        ))}
      </select>
    </label>
  );
}
