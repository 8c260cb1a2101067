import type { ComparedIds } from "./compared-ids.ts";

/** The top layer and the next one of its type, which is another date; else the next layer. Null for fewer than two. */
export function firstPair(layers: readonly { readonly mapId: string; readonly mapType: string }[]): ComparedIds | null {
  const [top, ...others] = layers;
  const other = others.find(({ mapType }) => mapType === top?.mapType) ?? others[0];
  return top === undefined || other === undefined ? null : { a: top.mapId, b: other.mapId };
}
