import type { AllocationPlan } from "@swath/kernel/credits/allocation";
import { NO_COVERAGE, type Coverage } from "@swath/kernel/credits/coverage";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Price } from "@swath/kernel/credits/pricing";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoreTile } from "@swath/kernel/tiles/store-tile";
import type { CoverageChange } from "./allocation-store.ts";
import type { VersionedCoverage } from "./ledger-state.ts";

/** What is asked for of one scene, and its price. */
export interface QuotedScene {
  readonly scene: Scene;
  readonly sceneKey: string;
  /** The map type that is paid for on top of the scene; null when it is the scene itself. */
  readonly mapType: string | null;
  /** What of the scene is to be paid for. */
  readonly area: MultiPolygon;
  /** The store tiles of that area, of a scene that is sold by them. */
  readonly tiles: readonly StoreTile[] | null;
  readonly price: Price;
  readonly freeAreas: readonly MultiPolygon[];
}

/** An allocation planned against one version of what the group holds. */
export interface Quote {
  readonly quoted: QuotedScene;
  readonly version: bigint;
  readonly before: Coverage;
  readonly plan: AllocationPlan;
}

/**
 * Scenes under one key share what is paid for them: clipped children and the scene they are cut from. A map type
 * with a price of its own has a key of its own; `#` is in no scene identifier.
 */
export function sceneKeyOf(scene: Scene, mapType: string | null = null): string {
  const key = parentSceneId(scene.sceneId);
  return mapType === null ? key : `${key}#${mapType}`;
}

/** Quotes for scenes one after the other: those under one key see what the ones before them add. */
export async function quoteScenes(
  scenes: readonly QuotedScene[],
  held: ReadonlyMap<string, VersionedCoverage>,
  planOf: (quoted: QuotedScene, before: Coverage) => Promise<AllocationPlan>,
): Promise<readonly Quote[]> {
  const planned = new Map<string, AllocationPlan>();
  const quotes: Quote[] = [];
  for (const quoted of scenes) {
    const known = held.get(quoted.sceneKey);
    const before = planned.get(quoted.sceneKey)?.after ?? known ?? NO_COVERAGE;
    const plan = await planOf(quoted, before);
    planned.set(quoted.sceneKey, plan);
    quotes.push({ quoted, version: known?.version ?? 0n, before, plan });
  }
  return quotes;
}

/** How what the group holds changes with all of the quotes, one change for each scene that grows. */
export function changesOf(quotes: readonly Quote[]): readonly CoverageChange[] {
  const changes = new Map<string, CoverageChange>();
  for (const { quoted, version, before, plan } of quotes) {
    if (plan.addedM2 === 0) continue;
    const { sceneKey } = quoted;
    changes.set(sceneKey, { sceneKey, version, before: changes.get(sceneKey)?.before ?? before, after: plan.after });
  }
  return [...changes.values()];
}

export interface QuoteTotal {
  readonly cost: MicroCredits;
  readonly addedM2: number;
}

export function totalOf(quotes: readonly Quote[]): QuoteTotal {
  return quotes.reduce<QuoteTotal>(
    (sum, { plan }) => ({ cost: sum.cost + plan.cost, addedM2: sum.addedM2 + plan.addedM2 }),
    { cost: 0n, addedM2: 0 },
  );
}
