import { formatDay } from "../format/dates.ts";
import type { Layer } from "../maps/layers.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
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
  const days = useSceneDays(layers.list.value);
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
            {nameOf(layer, days)}
          </option>
        ))}
      </select>
    </label>
  );
}

function sceneOf({ facts }: Layer): string | null {
  return facts === null || facts === "failed" ? null : facts.sceneId;
}

function nameOf(layer: Layer, days: ReadonlyMap<string, string>): string {
  const name = layer.mapType === "imagery" ? text.maps.trueColour : layer.mapType;
  const day = days.get(sceneOf(layer) ?? "");
  return day === undefined ? name : `${formatDay(day)} · ${name}`;
}

/** Times of the scenes of layers: found ones are known, others are read; a stranger sees names alone. */
function useSceneDays(layers: readonly Layer[]): ReadonlyMap<string, string> {
  const { search, calls, session } = useConsole();
  const found = new Map(search.found.value.map(({ sceneId, datetime }) => [sceneId, datetime]));
  const isSignedIn = session.state.value.kind === "signed-in";
  const unknown = [...new Set(layers.map(sceneOf))].filter(
    (sceneId): sceneId is string => sceneId !== null && !found.has(sceneId),
  );
  const read = useLoaded(async () => {
    const scenes = isSignedIn ? unknown : [];
    return await Promise.all(
      scenes.map(
        async (sceneId) => [sceneId, (await calls.call("/imagery/scene-info", { sceneId })).datetime] as const,
      ),
    );
  }, [unknown.join(), isSignedIn]);
  return new Map([...found, ...(read.value ?? [])]);
}
