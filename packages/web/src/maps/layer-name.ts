import { formatDay } from "../format/dates.ts";
import { text } from "../text/en.ts";
import type { Layer } from "./layers.ts";

/** Name of the map type, with the day of the scene once it is known. */
export function layerName(layer: Pick<Layer, "facts" | "mapType">): string {
  const name = mapTypeName(layer);
  const day = layerDay(layer);
  return day === null ? name : `${name}, ${day}`;
}

export function mapTypeName({ mapType }: Pick<Layer, "mapType">): string {
  return mapType === "imagery" ? text.maps.trueColour : mapType;
}

/** `3 Jun 2024`; null where it is not known. */
export function layerDay({ facts }: Pick<Layer, "facts">): string | null {
  return facts === null || facts === "failed" || facts.datetime === null ? null : formatDay(facts.datetime);
}
