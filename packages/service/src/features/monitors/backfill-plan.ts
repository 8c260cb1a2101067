import type { BackfillPlan } from "@swath/contract/features/monitors/backfill-contract";
import { microToCredits, type MicroCredits } from "@swath/kernel/credits/micro";
import type { PastScene } from "./past-scenes.ts";

/** A past scene with its price, or with the reason why it cannot be measured. */
export interface PricedScene extends PastScene {
  readonly micro: MicroCredits;
  readonly fault: string | null;
}

export interface BackfillBudget {
  /** YYYY-MM. */
  readonly month: string;
  readonly leftMicro: MicroCredits;
}

/** A plan with the scenes that fit and their price. */
export interface PlannedBackfill {
  readonly taken: readonly PricedScene[];
  readonly priceMicro: MicroCredits;
  readonly plan: BackfillPlan;
}

/** Gives the rest of a budget to scenes in their order. A scene beyond the rest makes room for later ones. */
export function planBackfill(
  priced: readonly PricedScene[],
  { leftMicro, month }: BackfillBudget,
  knownCount: number,
): PlannedBackfill {
  const taken: PricedScene[] = [];
  const scenes: BackfillPlan["scenes"] = [];
  let [restMicro, priceMicro, leftOutMicro] = [leftMicro, 0n, 0n];
  for (const scene of priced) {
    const { datetime, fault, micro, sceneId } = scene;
    const fits = fault === null && micro <= restMicro;
    if (fits) {
      taken.push(scene);
      restMicro -= micro;
      priceMicro += micro;
    } else leftOutMicro += micro;
    const message = fits ? null : (fault ?? `${microToCredits(restMicro)} credits are left in ${month}`);
    scenes.push({ sceneId, datetime, credits: microToCredits(micro), fits, message });
  }
  const plan = {
    month,
    leftCredits: microToCredits(leftMicro),
    credits: microToCredits(priceMicro),
    leftOutCredits: microToCredits(leftOutMicro),
    knownCount,
    scenes,
  };
  return { taken, priceMicro, plan };
}
