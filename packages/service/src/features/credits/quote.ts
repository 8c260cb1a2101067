import { NO_COVERAGE, planAllocation, type AllocationPlan } from "@swath/kernel/credits/allocation";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Price } from "@swath/kernel/credits/pricing";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { VersionedCoverage } from "./store.ts";

/** What is asked for of one scene, and its price. */
export interface QuotedScene {
  readonly scene: Scene;
  readonly sceneKey: string;
  /** The requested area inside the scene's footprint. */
  readonly area: MultiPolygon;
  readonly price: Price;
  readonly freeAreas: readonly MultiPolygon[];
}

/** An allocation planned against one version of what the group holds. */
export interface Quote {
  readonly quoted: QuotedScene;
  readonly version: bigint;
  readonly plan: AllocationPlan;
}

/** Scenes under one key share what is paid for them. */
export function sceneKeyOf(scene: Scene): string {
  return scene.sceneId;
}

export function quoteScene(quoted: QuotedScene, held: VersionedCoverage | undefined, costFree: boolean): Quote {
  const plan = planAllocation({
    before: held ?? NO_COVERAGE,
    addition: quoted.area,
    freeAreas: quoted.freeAreas,
    price: quoted.price,
    costFree,
  });
  return { quoted, version: held?.version ?? 0n, plan };
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
