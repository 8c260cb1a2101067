import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MapView } from "../console-state.ts";
import { createEngine } from "../map/engine.ts";
import { Scale } from "../map/scale.tsx";
import { Legend } from "../maps/legend.tsx";
import { PatternSwitch } from "../maps/pattern-switch.tsx";
import { patternedTiles } from "../maps/patterned-tiles.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { loadPublicMap, type PublicMap, type PublicMapAnswer } from "./public-map.ts";
import { publicText } from "./public-text.ts";

/** The page of one map, for anyone with its address. */
export function PublicPage({ mapId, theme }: { readonly mapId: string; readonly theme: "dark" | "light" }) {
  const [answer, setAnswer] = useState<PublicMapAnswer | null>(null);
  const load = (): void => {
    void loadPublicMap(mapId).then(setAnswer);
  };
  useEffect(load, [mapId]);
  if (answer === null) {
    return (
      <main class="public state">
        <h1>{publicText.loading}</h1>
      </main>
    );
  }
  if (answer.kind === "map") return <ShownMap map={answer.map} theme={theme} />;
  const isEnded = answer.kind === "ended";
  return (
    <main class="public state">
      <h1>{isEnded ? publicText.ended : publicText.noAnswer}</h1>
      <p>{isEnded ? publicText.endedWhy : publicText.noAnswerWhy}</p>
      {!isEnded && (
        <button type="button" class="button primary" onClick={load}>
          {publicText.again}
        </button>
      )}
      {answer.message !== "" && (
        <details>
          <summary>{publicText.details}</summary>
          {answer.message}
        </details>
      )}
    </main>
  );
}

function ShownMap({ map, theme }: { readonly map: PublicMap; readonly theme: "dark" | "light" }) {
  const target = useRef<HTMLDivElement>(null);
  const [hasPatterns, setPatterns] = useState(false);
  const view = useMemo(() => signal<MapView | null>(null), []);
  const engine = useMemo(
    () =>
      createEngine({
        onView: (next) => {
          view.value = next;
        },
        onHover: () => {},
        onEmptyLayers: () => {},
        onClick: () => {},
      }),
    [],
  );
  const { mapType, time, facts, attributions, url } = map;
  const name = mapType === "imagery" ? text.maps.trueColour : mapType;
  useEffect(() => {
    if (target.current === null) return;
    engine.setTheme(theme);
    engine.mount(target.current);
    engine.fitTiles(facts.tiles);
    document.title = `${name}, ${time}`;
  }, []);
  useEffect(() => {
    const layer = { key: url, url, tiles: facts.tiles, maxZoom: facts.maxZoom, opacity: 1, isShown: true };
    engine.showTiles([hasPatterns ? patternedTiles(layer, facts.colours) : layer]);
  }, [hasPatterns]);
  return (
    <main class="public">
      <div ref={target} id="map" class="map" tabIndex={0} role="application" aria-label={publicText.map} />
      <section class="float public-legend" aria-label={publicText.legend}>
        <h1>{name}</h1>
        <p class="hint">{time}</p>
        <Legend name={name} facts={facts} hasPatterns={hasPatterns} />
        <PatternSwitch colours={facts.colours} isOn={hasPatterns} onChange={setPatterns} />
      </section>
      <div class="float public-zoom">
        <IconButton icon="plus" label={publicText.zoomIn} onClick={() => engine.zoomBy(1)} />
        <IconButton icon="minus" label={publicText.zoomOut} onClick={() => engine.zoomBy(-1)} />
        <IconButton icon="view" label={publicText.whole} onClick={() => engine.fitTiles(facts.tiles)} />
      </div>
      <Scale view={view.value} />
      <p class="attribution">{[...attributions, text.map.attribution].join(", ")}</p>
    </main>
  );
}
