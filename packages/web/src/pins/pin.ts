import type { Pin } from "../console-state.ts";
import type { ComparedIds } from "../compare/compared-ids.ts";

/** Pins by day, with the given one. */
export function withPin(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  return [...withoutPin(pins, pin.sceneId), pin].toSorted(
    (a, b) => a.day.localeCompare(b.day) || a.sceneId.localeCompare(b.sceneId),
  );
}

export function withoutPin(pins: readonly Pin[], sceneId: string): readonly Pin[] {
  return pins.filter((pin) => pin.sceneId !== sceneId);
}

/** A layer whose scene is known. */
export interface DatedLayer {
  readonly mapId: string;
  readonly mapType: string;
  readonly sceneId: string | null;
}

/**
 * Maps of the earliest and the latest pinned date, of the first type in the list of layers that has both. Null without
 * such a type.
 */
export function pinnedPair(layers: readonly DatedLayer[], pins: readonly Pin[]): ComparedIds | null {
  for (const mapType of new Set(layers.map((layer) => layer.mapType))) {
    const dated = pins.flatMap(({ sceneId }) => {
      const layer = layers.find((one) => one.mapType === mapType && one.sceneId === sceneId);
      return layer === undefined ? [] : [layer.mapId];
    });
    const [a] = dated;
    const b = dated.at(-1);
    if (a !== undefined && b !== undefined && a !== b) return { a, b };
  }
  return null;
}
