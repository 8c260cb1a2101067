import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Publication, PublishedMap } from "@swath/kernel/publication/publication";
import type { MapView } from "../console-state.ts";
import { createEngine, type MapEngine } from "../map/engine.ts";
import { Scale } from "../map/scale.tsx";
import { Legend } from "../maps/legend.tsx";
import { PatternSwitch } from "../maps/pattern-switch.tsx";
import { patternedTiles } from "../maps/patterned-tiles.ts";
import type { MapObject } from "../objects/map-object.ts";
import { publicText } from "../public/public-text.ts";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { ChosenObject } from "./chosen-object.tsx";
import { firstShown, MapChoice, type Shown } from "./map-choice.tsx";
import { mapTitle } from "./map-title.ts";
import { publishedLayers, showObjects } from "./published-layers.ts";
import { publishedText } from "./published-text.ts";

const LAND_FOLDER = "assets";

/** The maps of a publication, with their choice and legend. */
export function PublishedMaps(props: { readonly publication: Publication; readonly theme: "dark" | "light" }) {
  const { publication, theme } = props;
  const { title, description, maps } = publication;
  const target = useRef<HTMLDivElement>(null);
  const view = useMemo(() => signal<MapView | null>(null), []);
  const layers = useMemo(publishedLayers, []);
  const [shown, setShown] = useState<Shown>(() => firstShown(maps));
  const [loaded, setLoaded] = useState<ReadonlyMap<PublishedMap, readonly MapObject[]>>(new Map());
  const [hasPatterns, setPatterns] = useState(false);
  const [chosen, setChosen] = useState<MapObject | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const engine = useMemo(() => createMap((next) => (view.value = next)), []);
  const { picture } = shown;
  useEffect(() => {
    if (target.current === null) return;
    engine.setTheme(theme);
    engine.mount(target.current);
    fit(engine, maps);
    document.title = title;
  }, []);
  useEffect(() => {
    let isOver = false;
    setProblem(null);
    const fail = (map: PublishedMap): void => {
      if (!isOver) setProblem(publishedText.unreadable(mapTitle(map)));
    };
    if (picture?.picture == null) engine.showTiles([]);
    else {
      layers.picture(picture.picture).then(
        (layer) => {
          if (!isOver) engine.showTiles([hasPatterns ? patternedTiles(layer, picture.colours) : layer]);
        },
        () => fail(picture),
      );
    }
    void Promise.all(
      [...shown.objects].map(async (map) => [map, await layers.objects(map.objects ?? "").catch(() => null)] as const),
    ).then((all) => {
      if (isOver) return;
      for (const [map, objects] of all) if (objects === null) fail(map);
      setLoaded(new Map(all.flatMap(([map, objects]) => (objects === null ? [] : [[map, objects] as const]))));
    });
    return () => {
      isOver = true;
    };
  }, [shown, hasPatterns]);
  useEffect(() => {
    const pick = (id: string): void => setChosen([...loaded.values()].flat().find((one) => one.id === id) ?? null);
    showObjects(engine, loaded, chosen, pick);
  }, [loaded, chosen, view.value]);
  const attributions = new Set(maps.flatMap((map) => map.attributions));
  return (
    <main class="public">
      <div ref={target} id="map" class="map" tabIndex={0} role="application" aria-label={publicText.map} />
      <section class="float public-legend" aria-label={publicText.legend}>
        <h1>{title}</h1>
        {description !== "" && <p class="hint">{description}</p>}
        <MapChoice maps={maps} shown={shown} onChange={setShown} />
        {problem !== null && <p role="alert">{problem}</p>}
        {picture !== null && <Legend name={mapTitle(picture)} facts={picture} hasPatterns={hasPatterns} />}
        {picture !== null && <PatternSwitch colours={picture.colours} isOn={hasPatterns} onChange={setPatterns} />}
        {chosen !== null && <ChosenObject object={chosen} />}
      </section>
      <div class="float public-zoom">
        <IconButton icon="plus" label={publicText.zoomIn} onClick={() => engine.zoomBy(1)} />
        <IconButton icon="minus" label={publicText.zoomOut} onClick={() => engine.zoomBy(-1)} />
        <IconButton icon="view" label={publicText.whole} onClick={() => fit(engine, maps)} />
      </div>
      <Scale view={view.value} />
      <p class="attribution">{[...attributions, text.map.attribution].join(", ")}</p>
    </main>
  );
}

function createMap(onView: (view: MapView) => void): MapEngine {
  const events = { onView, onHover: () => {}, onEmptyLayers: () => {}, onClick: () => {} };
  return createEngine(events, LAND_FOLDER);
}

/** Shows the first map whole; the maps of a project have one area. */
function fit(engine: MapEngine, maps: readonly PublishedMap[]): void {
  const bounds = maps.find((map) => map.bounds !== null)?.bounds;
  if (bounds == null) return;
  const [west, south, east, north] = bounds;
  engine.fit({ west, south, east, north });
}
