import type { TileLayerState } from "./tile-layer.ts";

/** Two maps that are compared: A is left of the line, B right of it. */
export interface ComparedMaps {
  readonly a: TileLayerState;
  readonly b: TileLayerState;
  readonly look: ComparedLook;
}

/** A swipe has one line, as a share of the width; a split has a second map for B; otherwise one of both is seen. */
export type ComparedLook =
  | { readonly kind: "swipe"; readonly share: number }
  | { readonly kind: "split"; readonly target: HTMLElement }
  | { readonly kind: "one"; readonly side: "a" | "b" };
