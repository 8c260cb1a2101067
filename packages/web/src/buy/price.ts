import type { Client } from "@swath/client";
import type { AreaGeometry } from "../find/area-rings.ts";

/** Scenes, map types and area of the maps to make. */
export interface Order {
  readonly sceneIds: readonly string[];
  readonly mapTypes: readonly string[];
  readonly area: AreaGeometry;
}

export interface Price {
  readonly credits: number;
  readonly newKm2: number;
  readonly scenes: readonly {
    readonly sceneId: string;
    readonly newKm2: number;
    readonly creditsPerKm2: number;
    readonly credits: number;
  }[];
  readonly remainingCredit: number;
}

/** Asks for the price without charging. */
export async function askPrice(
  calls: Client,
  { sceneIds, mapTypes, area }: Order,
  signal: AbortSignal,
): Promise<Price> {
  const request = { dryRuns: [{ mapTypes, scenes: sceneIds.map((sceneId) => [sceneId]) }], extent: area };
  const [price, { remainingCredit }] = await Promise.all([
    calls.run("/mapsvc/dry-run", request, { signal }),
    calls.call("/credits/get-remaining-credit", {}, { signal }),
  ]);
  return {
    credits: price.allocatedCredits,
    newKm2: price.allocatedKm2,
    remainingCredit,
    scenes: price.scenes.map(({ sceneId, km2, cost, costPerKm2 }) => ({
      sceneId,
      newKm2: km2,
      creditsPerKm2: costPerKm2,
      credits: cost,
    })),
  };
}

/** The request that pays and makes the maps. */
export function releaseRequest({ sceneIds, mapTypes, area }: Order, credits: number) {
  // The service refuses another price: nothing is charged that was not shown.
  const payment = credits > 0 ? { allocate: true, expectedCost: credits } : {};
  return { mapTypes, sceneIds, extent: area, ...payment };
}

/** Pays and makes the maps. Returns the maps and those that failed. */
export async function makeMaps(calls: Client, order: Order, credits: number) {
  return await calls.run("/mapsvc/release", releaseRequest(order, credits), { allowPartial: true });
}
