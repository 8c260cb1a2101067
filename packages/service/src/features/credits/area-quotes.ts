import { km2ToSquareMetres } from "@swath/kernel/credits/micro";
import { freeAreasOf, priceOf, type PriceRule } from "@swath/kernel/credits/pricing";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { intersection } from "@swath/kernel/geometry/clip";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/context.ts";
import type { ImageryService } from "../imagery/service.ts";
import { declaredPrice } from "./declared-price.ts";
import { quoteScene, sceneKeyOf, type Quote, type QuotedScene } from "./quote.ts";
import { requestedArea } from "./requested-area.ts";
import * as store from "./store.ts";

/** Credits are allocated between these parallels only. */
const MAX_LATITUDE_DEG = 85;

export interface AreaRequest {
  readonly sceneIds: readonly string[];
  readonly geojson: GeoJson;
  readonly costFreeAllocation?: boolean | undefined;
}

export interface QuoteDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly imagery: Pick<ImageryService, "sceneInfo">;
}

/** Price of a scene for a tier, and where it is free. */
export function priced(
  rules: readonly PriceRule[],
  scene: Scene,
  tier: string,
): Pick<QuotedScene, "price" | "freeAreas"> {
  const wanted = { provider: scene.provider, dataset: scene.dataset, tier };
  const declared = declaredPrice(scene.provider, scene.dataset);
  return { price: priceOf(rules, wanted, declared), freeAreas: freeAreasOf(rules, wanted) };
}

/** The scenes of a request in one order for all, so that two requests never wait for each other's rows. */
async function quotedScenes(
  { db, clock, imagery }: QuoteDeps,
  request: AreaRequest,
  tier: string,
): Promise<readonly QuotedScene[]> {
  const sceneIds = new Set(request.sceneIds);
  const area = requestedArea(request.geojson, {
    path: "/geojson",
    maxLatitudeDeg: MAX_LATITUDE_DEG,
    sceneCount: sceneIds.size,
  });
  const rules = await store.readPriceRules(db, clock.now());
  const quoted: QuotedScene[] = [];
  for (const sceneId of sceneIds) {
    const scene = await imagery.sceneInfo({ sceneId });
    const inside = intersection(area, scene.footprint);
    // Neighbours that touch have no area in common but what floating point leaves.
    if (km2ToSquareMetres(areaKm2(inside)) === 0) {
      throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", `the area does not intersect the scene ${sceneId}`);
    }
    quoted.push({ scene, sceneKey: sceneKeyOf(scene), area: inside, ...priced(rules, scene, tier) });
  }
  return quoted.toSorted((a, b) => (a.sceneKey < b.sceneKey ? -1 : 1));
}

/** What a request would cost a group now, scene by scene; nothing is locked. */
export async function quoteArea(
  deps: QuoteDeps,
  groupId: string,
  request: AreaRequest,
  tier: string,
): Promise<readonly Quote[]> {
  const scenes = await quotedScenes(deps, request, tier);
  const held = await store.readCoverage(
    deps.db,
    groupId,
    scenes.map((scene) => scene.sceneKey),
  );
  return scenes.map((scene) => quoteScene(scene, held.get(scene.sceneKey), request.costFreeAllocation ?? false));
}
