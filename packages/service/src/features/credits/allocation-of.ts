import { randomUUID } from "node:crypto";
import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import type { AllocatedArea } from "@swath/contract/features/credits/contract";
import type { Caller } from "../../platform/context.ts";
import type { Allocation } from "./allocation-store.ts";
import { payingGroupId } from "./paying-group.ts";
import { changesOf, totalOf, type Quote, type QuotedScene } from "./quote.ts";
import type { NewTransaction } from "./store.ts";

/** The entries and changes that charge the quotes of a caller: one entry for each scene or map type that grows. */
export function allocationOf(
  caller: Caller,
  quotes: readonly Quote[],
  at: Date,
  request: Allocation<AllocatedArea>["request"],
): Allocation<AllocatedArea> {
  const { cost, addedM2 } = totalOf(quotes);
  const growing = quotes.filter(({ plan }) => plan.addedM2 > 0);
  const entries = growing.map(({ quoted, plan }) => newTransaction(caller, quoted, plan, at));
  return {
    groupId: payingGroupId(caller),
    userId: caller.userId,
    at,
    request,
    cost,
    answer: {
      cost: microToCredits(cost),
      km2: squareMetresToKm2(addedM2),
      transactionIds: entries.map(({ id }) => id),
    },
    entries,
    changes: changesOf(growing),
  };
}

function newTransaction(
  caller: Caller,
  { scene, sceneKey, mapType, area, tiles }: QuotedScene,
  plan: Quote["plan"],
  createdAt: Date,
): NewTransaction {
  return {
    id: randomUUID(),
    allocationId: randomUUID(),
    createdAt,
    userId: caller.userId,
    groupId: payingGroupId(caller),
    provider: scene.provider,
    dataset: scene.dataset,
    sceneId: scene.sceneId,
    sceneKey,
    mapType,
    geometry: area,
    tiles,
    areaM2: plan.addedM2,
    micro: plan.cost,
  };
}
