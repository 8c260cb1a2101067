import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import type { Client } from "@swath/client";
import type { ConsoleState, ShownLayer } from "../console-state.ts";
import type { TileLayerState } from "../map/tile-layer.ts";
import type { Drawing } from "./drawing.ts";
import { defaultFile } from "./default-file.ts";
import type { ClassColours } from "./class-pattern.ts";
import { patternedTiles } from "./patterned-tiles.ts";
import { shownColours } from "./shown-colours.ts";
import { loadFacts, readMapId, tileUrl, type MapFacts } from "./layer.ts";

/** A layer of the link with the facts about its map. */
export interface Layer extends ShownLayer {
  /** Null until it is read; `failed` where the map is not available. */
  readonly facts: MapFacts | "failed" | null;
  readonly mapType: string;
  readonly isShown: boolean;
  /** Whether its classes differ in a pattern, too. */
  readonly hasPatterns: boolean;
}

export interface LayerChange {
  readonly opacity?: number;
  readonly isShown?: boolean;
  /** Null draws the layer as its map type is. */
  readonly drawing?: Drawing | null;
}

export interface Layers {
  /** The first one on top. */
  readonly list: ReadonlySignal<readonly Layer[]>;
  readonly tiles: ReadonlySignal<readonly TileLayerState[]>;
  add(maps: readonly { readonly mapId: string }[]): Promise<void>;
  change(mapId: string, change: LayerChange): void;
  raise(mapId: string): void;
  remove(mapId: string): void;
}

/** The layers of the link hold identifiers alone; the rest is read from the service once. */
export function createLayers(
  calls: Client,
  state: ReadonlySignal<ConsoleState>,
  update: (change: Partial<ConsoleState>) => void,
): Layers {
  const facts = signal<ReadonlyMap<string, MapFacts | "failed">>(new Map());
  const hidden = signal<ReadonlySet<string>>(new Set());
  const asked = new Set<string>();

  const learn = async (mapId: string): Promise<MapFacts | null> => {
    asked.add(mapId);
    const read = await loadFacts(calls, mapId).catch(() => "failed" as const);
    facts.value = new Map(facts.value).set(mapId, read);
    return read === "failed" ? null : read;
  };
  effect(() => {
    for (const { mapId } of state.value.layers) if (!asked.has(mapId)) void learn(mapId);
  });

  const shown = computed(() => state.value.layers);
  const hasPatterns = computed(() => state.value.hasPatterns);
  const list = computed(() =>
    shown.value.map((layer): Layer => ({
      ...layer,
      facts: facts.value.get(layer.mapId) ?? null,
      mapType: readMapId(layer.mapId)?.mapType ?? "",
      isShown: !hidden.value.has(layer.mapId),
      hasPatterns: hasPatterns.value,
    })),
  );
  return {
    list,
    tiles: computed(() => list.value.flatMap(tileStateOf)),
    async add(maps) {
      const added: ShownLayer[] = [];
      for (const { mapId } of maps) {
        const read = await learn(mapId);
        if (read === null) continue;
        const fileName = defaultFile(read.mapType, Object.keys(read.colours).length > 0);
        added.push({ mapId, fileName, opacity: 1 });
      }
      const kept = shown.value.filter(({ mapId }) => !added.some((one) => one.mapId === mapId));
      update({ layers: [...added.toReversed(), ...kept] });
    },
    change(mapId, { opacity, isShown, drawing }) {
      if (opacity !== undefined) {
        update({ layers: shown.value.map((one) => (one.mapId === mapId ? { ...one, opacity } : one)) });
      }
      if (drawing !== undefined) {
        update({ layers: shown.value.map((one) => (one.mapId === mapId ? withDrawing(one, drawing) : one)) });
      }
      if (isShown !== undefined) {
        const others = [...hidden.value].filter((one) => one !== mapId);
        hidden.value = new Set(isShown ? others : [...others, mapId]);
      }
    },
    raise(mapId) {
      const position = shown.value.findIndex((one) => one.mapId === mapId);
      const moved = shown.value[position];
      if (position < 1 || moved === undefined) return;
      update({ layers: shown.value.toSpliced(position, 1).toSpliced(position - 1, 0, moved) });
    },
    remove: (mapId) => update({ layers: shown.value.filter((one) => one.mapId !== mapId) }),
  };
}

function withDrawing(layer: ShownLayer, drawing: Drawing | null): ShownLayer {
  const { drawing: _, ...others } = layer;
  return drawing === null ? others : { ...others, drawing };
}

/** The tiles of a layer, once its facts are read. */
export function tileStateOf(layer: Layer): readonly TileLayerState[] {
  const { facts, opacity, isShown, hasPatterns } = layer;
  if (facts === null || facts === "failed") return [];
  const { tiles, maxZoom } = facts;
  // Another drawing is another layer: the tiles of both are never mixed.
  const url = tileUrl(layer);
  const state = { key: url, url, tiles, maxZoom, opacity, isShown };
  return [hasPatterns ? patternedTiles(state, coloursOf(layer)) : state];
}

/** Of the classes that a layer shows; empty where there are none. */
export function coloursOf({ facts, drawing }: Layer): ClassColours {
  return facts === null || facts === "failed" ? {} : shownColours(facts.colours, drawing ?? null);
}
