import { createHash } from "node:crypto";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Caller } from "../../../platform/context.ts";
import type { KnownArea } from "../../credits/area-quotes.ts";
import type { CreditsService, SceneQuote } from "../../credits/service.ts";

/** A scene to pay for, whatever part of it a pair or series uses. */
export interface PayableScene {
  readonly mapType: string;
  readonly sceneId: string;
}

export interface Payment {
  readonly caller: Caller;
  /** The extent of the request. */
  readonly extent: GeoJson;
  /** The same in normal form. */
  readonly known: KnownArea;
  /** Start of the idempotency keys; null when nothing is allocated. */
  readonly idempotencyPrefix: string | null;
}

/** Quotes scenes, and allocates them on request. Scenes with equal map types share one allocation. */
export async function payFor(
  credits: Pick<CreditsService, "allocateArea" | "quoteScenes">,
  { caller, extent, known, idempotencyPrefix }: Payment,
  scenes: readonly PayableScene[],
): Promise<readonly SceneQuote[]> {
  const quotes: SceneQuote[] = [];
  // One after the other: an area that the first allocation pays for costs nothing in the next.
  for (const [types, sceneIds] of scenesByTypes(scenes)) {
    const request = { sceneIds, geojson: extent, mapTypes: types.split(",") };
    quotes.push(...(await credits.quoteScenes(caller, request, known)));
    if (idempotencyPrefix === null) continue;
    // Twenty names exceed the length of a key, and two lists may begin alike.
    const hash = createHash("sha256").update(types).digest("base64url");
    await credits.allocateArea(caller, { ...request, idempotencyKey: `${idempotencyPrefix} ${hash}` }, known);
  }
  return quotes;
}

/** Ids of scenes under the ordered list of their map types. */
function scenesByTypes(scenes: readonly PayableScene[]): ReadonlyMap<string, string[]> {
  const typesOfScene = new Map<string, Set<string>>();
  for (const { mapType, sceneId } of scenes) {
    typesOfScene.set(sceneId, (typesOfScene.get(sceneId) ?? new Set()).add(mapType));
  }
  return Map.groupBy(typesOfScene.keys(), (sceneId) => [...typesOfScene.get(sceneId)!].toSorted().join(","));
}
