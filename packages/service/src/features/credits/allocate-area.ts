import { createHash, randomUUID } from "node:crypto";
import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { ServiceError } from "../../errors.ts";
import type { Caller, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { quoteArea, type QuoteDeps } from "./area-quotes.ts";
import { requireBalance, requireLicense, spendable } from "./balance.ts";
import type { AllocateAreaRequest, AllocatedArea } from "./contract.ts";
import { quoteScenes, totalOf, type Quote, type QuotedScene } from "./quote.ts";
import * as store from "./store.ts";

function newTransaction(
  caller: Caller,
  { scene, sceneKey, mapType, area, tiles }: QuotedScene,
  plan: Quote["plan"],
  createdAt: Date,
): store.NewTransaction {
  return {
    id: randomUUID(),
    allocationId: randomUUID(),
    createdAt,
    userId: caller.userId,
    groupId: caller.groupId,
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

function requestHash({ sceneIds, geojson, costFreeAllocation, mapTypes }: AllocateAreaRequest): string {
  const types = mapTypes === undefined ? [] : [mapTypes.toSorted()];
  const content = JSON.stringify([[...sceneIds].toSorted(), geojson, costFreeAllocation ?? false, ...types]);
  return createHash("sha256").update(content).digest("hex");
}

/** Plans made before the lock hold only where the group's coverage has not moved since. */
async function currentQuotes(
  trx: Trx,
  groupId: string,
  planned: readonly Quote[],
  costFree: boolean,
): Promise<readonly Quote[]> {
  const keys = [...new Set(planned.map(({ quoted }) => quoted.sceneKey))];
  const versions = await store.readCoverageVersions(trx, groupId, keys);
  if (planned.every(({ quoted, version }) => (versions.get(quoted.sceneKey) ?? 0n) === version)) return planned;
  const scenes = planned.map(({ quoted }) => quoted);
  return quoteScenes(scenes, await store.readCoverage(trx, groupId, keys), costFree);
}

/**
 * Charges a group for what it does not hold yet of an area. The geometry is worked out before the locks are taken;
 * they are held for the balances and a few rows only.
 */
export async function allocateArea(
  deps: QuoteDeps,
  caller: Caller,
  request: AllocateAreaRequest,
): Promise<AllocatedArea> {
  const { db, clock } = deps;
  const { groupId, userId } = caller;
  if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group that could pay");
  const costFree = request.costFreeAllocation ?? false;
  const { idempotencyKey } = request;
  const hash = requestHash(request);
  const tier = (await store.readGroup(db, groupId))?.tier ?? store.DEFAULT_TIER;
  const planned = await quoteArea(deps, groupId, request, tier);

  return await inTransaction(db, async (trx) => {
    await store.insertGroup(trx, groupId);
    const group = await store.lockGroup(trx, groupId);
    await store.insertUser(trx, groupId, userId);
    const user = await store.lockUser(trx, groupId, userId);
    if (group === null) throw new Error(`credit group ${groupId} vanished while it was locked`);

    if (idempotencyKey !== undefined) {
      const earlier = await store.readAnswer<AllocatedArea>(trx, groupId, idempotencyKey);
      if (earlier !== null) {
        if (earlier.requestHash === hash) return earlier.answer;
        throw new ServiceError("CONFLICT", `the idempotency key ${idempotencyKey} was used for another request`);
      }
    }
    requireLicense(groupId, group.licenseUntil, clock.now());

    const current = await currentQuotes(trx, groupId, planned, costFree);
    const total = totalOf(current);
    requireBalance(group, user, total.cost);
    const transactionIds: string[] = [];
    for (const { quoted, plan } of current) {
      if (plan.addedM2 === 0) continue;
      const transaction = newTransaction(caller, quoted, plan, clock.now());
      await store.insertAllocation(trx, transaction);
      await store.writeCoverage(trx, groupId, quoted.sceneKey, plan.after);
      transactionIds.push(transaction.id);
    }

    const answer: AllocatedArea = {
      cost: microToCredits(total.cost),
      km2: squareMetresToKm2(total.addedM2),
      remainingCredit: microToCredits(
        spendable(
          { ...group, remainingMicro: group.remainingMicro - total.cost },
          { ...user, usedMicro: user.usedMicro + total.cost },
        ),
      ),
      transactionIds,
    };
    if (idempotencyKey !== undefined) {
      await store.insertAnswer(trx, groupId, idempotencyKey, { requestHash: hash, answer }, clock.now());
    }
    return answer;
  });
}
