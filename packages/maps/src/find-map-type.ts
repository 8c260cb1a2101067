import type { MapTypeDescriptor } from "./map-type.ts";
import { mapTypes } from "./registry.ts";
import { namedIndex } from "./types/spectral-index/named-index.ts";

/** The map type of an id as requests write it: one of the registry, or `index:<name>` of the catalogue of indices. */
export function findMapType(id: string): MapTypeDescriptor | undefined {
  const known = mapTypes.get(id);
  if (known !== undefined) return known;
  const named = namedIndex(id);
  return named !== null && "mapType" in named ? named.mapType : undefined;
}

/** Why an id names no map type, or null when it does. */
export function mapTypeFault(id: string): string | null {
  if (mapTypes.has(id)) return null;
  const named = namedIndex(id);
  if (named === null) return `there is no map type ${id}`;
  return "fault" in named ? named.fault : null;
}

/** Ids by which map types are priced, each once: parameters of an index do not change its price. */
export function pricedIds(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map((id) => findMapType(id)?.pricedAs ?? id))];
}
