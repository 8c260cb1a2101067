import type { FoundObject } from "../../analysis/block.ts";

/** A person looks at about as many regions of a map. */
export const MOST_REGIONS = 100;

/**
 * The regions most worth a look, in their order: area times mean strength decides. Each says its rank, 1 for the first, and
 * of how many.
 */
export function rankedRegions(regions: readonly FoundObject[], most: number): readonly FoundObject[] {
  // Of equals the first in the order of the file, which does not depend on blocks.
  const order = regions.map((region, at) => ({ at, weight: weight(region) }));
  order.sort((a, b) => b.weight - a.weight || a.at - b.at);
  const rankAt = new Map(order.slice(0, most).map(({ at }, rank) => [at, rank + 1]));
  return regions.flatMap((region, at) => {
    const rank = rankAt.get(at);
    if (rank === undefined) return [];
    return [{ ...region, properties: { ...region.properties, rank, ofRegions: regions.length } }];
  });
}

function weight({ areaM2, properties }: FoundObject): number {
  return areaM2 * Number(properties["meanZ"]);
}
