import { useState } from "preact/hooks";
import { compareText } from "../compare/compare-text.ts";
import { firstPair } from "../compare/first-pair.ts";
import { HeldLayer } from "../held/held-layer.tsx";
import { text } from "../text/en.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { useConsole } from "../use-console.ts";
import { emptyReason } from "./empty-reason.ts";
import { layerDay, layerName, mapTypeName } from "./layer-name.ts";
import { tileUrl } from "./layer.ts";
import { coloursOf, tileStateOf, type Layer } from "./layers.ts";
import { LayerDrawing } from "./layer-drawing.tsx";
import { Legend } from "./legend.tsx";
import { PatternSwitch } from "./pattern-switch.tsx";

/** Wider pages show the list at once; on narrow ones it would cover the map. */
const WIDE_PX = 720;

/** The list of layers is the legend too. */
export function LayersPanel() {
  const { layers, search, areFootprintsShown, session, state, update, open } = useConsole();
  const pair = firstPair(layers.list.value);
  const [isOpen, setOpen] = useState(innerWidth > WIDE_PX);
  return (
    <section class="float panel" data-covers-map aria-label={text.maps.layers}>
      <header>
        <h2>
          <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {text.maps.layers}
          </button>
        </h2>
        <span class="spring" />
        {pair !== null && (
          <IconButton icon="compare" label={compareText.open} onClick={() => open("compare", pair.a, pair.b)} />
        )}
        {session.state.value.kind === "signed-in" && (
          <IconButton icon="link" label={text.maps.share} onClick={() => open("share")} />
        )}
      </header>
      {isOpen && (
        <>
          {layers.list.value.length === 0 && <p class="panel-body hint">{text.maps.none}</p>}
          <ul>
            {layers.list.value.map((layer, position) => (
              <LayerRow key={layer.mapId} layer={layer} isTop={position === 0} />
            ))}
          </ul>
          <PatternSwitch
            colours={Object.assign({}, ...layers.list.value.map(coloursOf))}
            isOn={state.value.hasPatterns}
            onChange={(hasPatterns) => update({ hasPatterns })}
          />
          {search.shown.value.length > 0 && (
            <label class="layer row">
              <input
                type="checkbox"
                checked={areFootprintsShown.value}
                onChange={(event) => {
                  areFootprintsShown.value = event.currentTarget.checked;
                }}
              />
              <span class="spring">{text.maps.footprints}</span>
              <span class="hint">{search.shown.value.length}</span>
            </label>
          )}
        </>
      )}
      {/* Also where the list is folded: what is held stays hatched. */}
      <HeldLayer isListed={isOpen} />
    </section>
  );
}

function LayerRow({ layer, isTop }: { readonly layer: Layer; readonly isTop: boolean }) {
  const { layers, map, session, open } = useConsole();
  const { mapId, facts, opacity, isShown } = layer;
  const name = layerName(layer);
  const day = layerDay(layer);
  if (facts === "failed") {
    return (
      <li class="layer">
        <div class="row">
          <span class="spring">{name}</span>
          <IconButton icon="close" label={text.maps.remove(name)} onClick={() => layers.remove(mapId)} />
        </div>
        <p class="warn-text">{text.maps.unreadable}</p>
      </li>
    );
  }
  return (
    <li class={`layer ${isShown ? "" : "off"}`}>
      <div class="row">
        <IconButton
          icon={isShown ? "eye" : "hidden"}
          label={isShown ? text.maps.hide(name) : text.maps.show(name)}
          onClick={() => layers.change(mapId, { isShown: !isShown })}
        />
        <strong class="spring" title={name}>
          {mapTypeName(layer)}
        </strong>
        {!isTop && <IconButton icon="up" label={text.maps.up(name)} onClick={() => layers.raise(mapId)} />}
        {facts !== null && (
          <IconButton icon="view" label={text.maps.zoomTo(name)} onClick={() => map.fitTiles(facts.tiles)} />
        )}
        {session.state.value.kind === "signed-in" && (
          <IconButton icon="download" label={text.maps.export(name)} onClick={() => open("export", mapId)} />
        )}
        {facts?.hasObjects === true && (
          <IconButton icon="table" label={text.maps.objects(name)} onClick={() => open("objects", mapId)} />
        )}
        <IconButton
          icon="tiles"
          label={text.maps.tiles(name)}
          onClick={() => void navigator.clipboard.writeText(location.origin + tileUrl(layer))}
        />
        <IconButton icon="close" label={text.maps.remove(name)} onClick={() => layers.remove(mapId)} />
      </div>
      {day !== null && <p class="hint">{day}</p>}
      <EmptyNote layer={layer} />
      <input
        type="range"
        min="0"
        max="1"
        step="0.05"
        aria-label={text.maps.opacity(name)}
        value={opacity}
        onInput={(event) => layers.change(mapId, { opacity: Number(event.currentTarget.value) })}
      />
      {facts !== null && (
        <Legend
          name={name}
          facts={{ ...facts, colours: coloursOf(layer) }}
          limits={limitsOf(layer)}
          hasPatterns={layer.hasPatterns}
        />
      )}
      {facts !== null && <LayerDrawing layer={layer} name={name} facts={facts} />}
    </li>
  );
}

/** Why a layer shows nothing where the map is. */
function EmptyNote({ layer }: { readonly layer: Layer }) {
  const { map, state, emptyLayerKeys } = useConsole();
  const { view } = state.value;
  if (view === null) return null;
  const seen = { box: map.box(), zoom: view.zoom, emptyKeys: emptyLayerKeys.value };
  const reason = emptyReason(layer, tileStateOf(layer)[0]?.key ?? "", seen);
  return reason === null ? null : (
    <p class="hint empty-note" role="status">
      {text.maps.empty[reason]}
    </p>
  );
}

/** The limits of the colours, where they are set. */
function limitsOf({ drawing }: Layer): readonly [low: number, high: number] | null {
  if (drawing?.kind === "limits") return [drawing.low, drawing.high];
  return drawing?.kind === "threshold" ? [drawing.value, Infinity] : null;
}
