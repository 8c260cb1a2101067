import { boundsOf, overlap } from "@swath/kernel/credits/coverage";
import { microToCredits } from "@swath/kernel/credits/micro";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Caller } from "../../platform/context.ts";
import { priced, type QuoteDeps } from "./area-quotes.ts";
import { readState, type LedgerState } from "./ledger-state.ts";
import { payingGroupId } from "./paying-group.ts";
import { sceneKeyOf } from "./quote.ts";

/** The price of a scene for a group, and the share of the scene that the group need not pay for. */
export interface SceneHolding {
  readonly creditsPerKm2: number;
  /** Share of the area that is allocated or free, 0 to 1. It is 1 for whole scenes only, as `requireAllocated` judges. */
  readonly heldRatio: number;
}

type Payer = Pick<Caller, "groupId" | "accountingGroupId">;

/** The holdings of a group in the order of the scenes: one statement for all of them. */
export async function sceneHoldings(
  deps: Pick<QuoteDeps, "areas" | "catalog" | "clock" | "db">,
  caller: Payer,
  scenes: readonly Scene[],
  signal?: AbortSignal,
): Promise<readonly SceneHolding[]> {
  if (scenes.length === 0) return [];
  const groupId = payingGroupId(caller);
  const outlines = new Map<string, MultiPolygon["coordinates"]>();
  for (const scene of scenes) {
    const key = sceneKeyOf(scene);
    outlines.set(key, [...(outlines.get(key) ?? []), ...scene.footprint.coordinates]);
  }
  const state = await readState(deps.db, {
    groupId,
    at: deps.clock.now(),
    providers: [...new Set(scenes.map(({ provider }) => provider))],
    datasets: [...new Set(scenes.map(({ dataset }) => dataset))],
    mapTypes: [],
    coverage: [...outlines].map(([sceneKey, outline]) => ({ sceneKey, bounds: boundsOf(outline) })),
  });
  const payer = { groupId, tier: state.tier };
  const holdings: SceneHolding[] = [];
  const share = loopShare();
  for (const scene of scenes) {
    const { price, freeAreas } = priced(state.rules, scene, payer, deps.catalog);
    const heldRatio = price.microPerKm2 === 0n ? 1 : await heldRatioOf(deps.areas, scene, state, freeAreas, signal);
    holdings.push({ creditsPerKm2: microToCredits(price.microPerKm2), heldRatio });
    if (isUsedUp(share)) await giveWay(share, signal);
  }
  return holdings;
}

async function heldRatioOf(
  areas: Pick<QuoteDeps["areas"], "missingKm2">,
  scene: Scene,
  { coverage }: LedgerState,
  freeAreas: readonly MultiPolygon[],
  signal: AbortSignal | undefined,
): Promise<number> {
  const bounds = boundsOf(scene.footprint.coordinates);
  const parts = (coverage.get(sceneKeyOf(scene))?.parts ?? []).filter((part) => overlap(part.bounds, bounds));
  const free = freeAreas.filter(({ coordinates }) => overlap(boundsOf(coordinates), bounds));
  if (parts.length === 0 && free.length === 0) return 0;
  const covered: MultiPolygon | null =
    parts.length === 0
      ? null
      : { type: "MultiPolygon", coordinates: parts.flatMap(({ geometry }) => geometry.coordinates) };
  const missingKm2 = await areas.missingKm2(scene.footprint, covered, free, signal);
  return missingKm2 === 0 ? 1 : Math.max(0, 1 - missingKm2 / areaKm2(scene.footprint));
}
