import type BaseLayer from "ol/layer/Base.js";
import LayerGroup from "ol/layer/Group.js";
import OlMap from "ol/Map.js";
import TileLayer from "ol/layer/Tile.js";
import type RenderEvent from "ol/render/Event.js";
import type XYZ from "ol/source/XYZ.js";
import { defaults as defaultInteractions } from "ol/interaction/defaults.js";
import type { ComparedLook, ComparedMaps } from "./compared-maps.ts";
import { createTileLayer } from "./tiles.ts";

const Z_INDEX = 60;

interface Side {
  readonly key: string;
  readonly layer: TileLayer<XYZ>;
}

interface Drawn {
  readonly group: LayerGroup;
  a: Side | null;
  b: Side | null;
  look: ComparedLook;
  second: OlMap | null;
}

/** What the second map of a split has besides B. */
export interface SecondMap {
  /** Layers below B. */
  readonly under: () => readonly BaseLayer[];
  readonly listen: (map: OlMap) => void;
}

/**
 * Shows two maps in the place of all others: each is clipped at a line of one canvas, or B has a second map with the
 * same view. Null ends the comparison.
 */
export function createSwipe(map: OlMap, parts: SecondMap): (compared: ComparedMaps | null) => void {
  const group = new LayerGroup({ zIndex: Z_INDEX });
  const drawn: Drawn = { group, a: null, b: null, look: { kind: "one", side: "a" }, second: null };
  map.addLayer(group);
  return (compared) => {
    if (compared === null) {
      endSplit(map, drawn);
      drawn.a = null;
      drawn.b = null;
      group.getLayers().clear();
      return;
    }
    const { a, b, look } = compared;
    drawn.a = sideOf(drawn.a, a, () => leftEdges(drawn.look));
    drawn.b = sideOf(drawn.b, b, () => rightEdges(drawn.look));
    drawn.look = look;
    if (look.kind === "split") startSplit(map, drawn, { ...parts, target: look.target });
    else endSplit(map, drawn);
    place(drawn);
    map.render();
  };
}

/** Ends of the drawn part, as shares of the width. */
type Edges = readonly [from: number, to: number];

function leftEdges(look: ComparedLook): Edges {
  return look.kind === "swipe" ? [0, look.share] : [0, 1];
}

function rightEdges(look: ComparedLook): Edges {
  return look.kind === "swipe" ? [look.share, 1] : [0, 1];
}

/** The layer of a side, which keeps its tiles while its map stays. */
function sideOf(last: Side | null, state: ComparedMaps["a"], edges: () => Edges): Side {
  if (last?.key === state.key) return last;
  const layer = createTileLayer(state);
  layer.on("prerender", (event) => clip(event, edges()));
  layer.on("postrender", ({ context }) => {
    if (isFlat(context)) context.restore();
  });
  return { key: state.key, layer };
}

/** Layers of one canvas are drawn one after the other; each is cut to its part of it. */
function clip({ context }: RenderEvent, [from, to]: Edges): void {
  if (!isFlat(context)) return;
  const { width, height } = context.canvas;
  context.save();
  // The context may be turned or scaled for the tiles; the line belongs to the canvas.
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.beginPath();
  context.rect(Math.round(from * width), 0, Math.round(to * width) - Math.round(from * width), height);
  context.clip();
}

function isFlat(context: RenderEvent["context"]): context is CanvasRenderingContext2D {
  return context instanceof CanvasRenderingContext2D;
}

function place({ group, a, b, look, second }: Drawn): void {
  const layers = group.getLayers();
  const wanted = [look.kind === "split" ? null : b, a].flatMap((side) => (side === null ? [] : [side.layer]));
  if (wanted.length !== layers.getLength() || wanted.some((layer, at) => layers.item(at) !== layer)) {
    layers.clear();
    layers.extend(wanted);
  }
  a?.layer.setVisible(look.kind !== "one" || look.side === "a");
  b?.layer.setVisible(look.kind !== "one" || look.side === "b");
  const others =
    second
      ?.getLayers()
      .getArray()
      .filter((layer) => !(layer instanceof TileLayer)) ?? [];
  if (b !== null && second?.getLayers().getArray().includes(b.layer) === false) second.setLayers([...others, b.layer]);
}

/** Both maps have one view: a move of one moves the other. */
function startSplit(
  map: OlMap,
  drawn: Drawn,
  { target, under, listen }: SecondMap & { readonly target: HTMLElement },
): void {
  if (drawn.second?.getTarget() === target) return;
  endSplit(map, drawn);
  drawn.second = new OlMap({
    view: map.getView(),
    target,
    controls: [],
    interactions: defaultInteractions({ onFocusOnly: false }),
    layers: [...under()],
  });
  listen(drawn.second);
  map.updateSize();
}

function endSplit(map: OlMap, drawn: Drawn): void {
  if (drawn.second === null) return;
  drawn.second.setLayers([]);
  drawn.second.setTarget(undefined);
  drawn.second.dispose();
  drawn.second = null;
  map.updateSize();
}
