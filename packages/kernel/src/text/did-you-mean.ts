import { nearestName } from "./nearest-name.ts";

/**
 * The end of a message about a name that is none of those known: a comma and a question; empty when none is near.
 *
 * @example `there is no map type ndvy${didYouMean("ndvy", ["ndvi", "ndwi"])}` // "…, did you mean ndvi?"
 */
export function didYouMean(text: string, names: Iterable<string>): string {
  const nearest = nearestName(text, names);
  return nearest === null ? "" : `, did you mean ${nearest}?`;
}
