import { createHash } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { createBatches } from "@swath/base/concurrency/batches";
import { createTurns } from "@swath/base/concurrency/turns";
import type { Caller, Db } from "../../platform/context.ts";
import { isRetryable } from "../../platform/postgres/errors.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import {
  quoteScenesNow,
  sceneKeysOf,
  soldScenes,
  type KnownArea,
  type QuoteDeps,
  type ReadState,
  type SoldScene,
} from "./area-quotes.ts";
import type { AllocateAreaRequest, AllocatedArea } from "@swath/contract/features/credits/contract";
import { allocationOf } from "./allocation-of.ts";
import { allocate, allocateAll, type Allocation, type AllocationOutcome } from "./allocation-store.ts";
import { readState, readStates, type LedgerState, type StateRequest } from "./ledger-state.ts";
import { refusalError } from "./refusal.ts";
import * as store from "./store.ts";
import { payingGroupId } from "./paying-group.ts";

function requestHash({ sceneIds, geojson, costFreeAllocation, mapTypes }: AllocateAreaRequest): string {
  const types = mapTypes === undefined ? [] : [mapTypes.toSorted()];
  const content = JSON.stringify([[...sceneIds].toSorted(), geojson, costFreeAllocation ?? false, ...types]);
  return createHash("sha256").update(content).digest("hex");
}

/** Plans against what the group holds now are overtaken this often before the group is locked for one. */
const FREE_ATTEMPTS = 3;

/** Requests whose states are read, or which are written, by one statement, and statements of each at a time. */
const MAX_TOGETHER = 16;
const MAX_BATCHES = 2;

/** How plans learn what a group holds, and how they are written. */
interface Ledger {
  readonly read: ReadState;
  readonly write: (allocation: Allocation<AllocatedArea>) => Promise<AllocationOutcome<AllocatedArea>>;
}

function aloneIn(trx: Db): Ledger {
  return { read: (request) => readState(trx, request), write: (allocation) => allocate(trx, allocation) };
}

/** Charges groups for the part of an area that they do not hold yet. */
export type AreaAllocator = (caller: Caller, request: AllocateAreaRequest, known?: KnownArea) => Promise<AllocatedArea>;

/**
 * An allocation is planned without locks and written, if nothing has moved, by one statement that holds them for a
 * few rows only. Requests of this process for the same scene of a group take turns, so that their plans are not
 * overtaken; between processes the version of what the group holds tells.
 */
export function createAreaAllocator(deps: QuoteDeps): AreaAllocator {
  const { db, clock } = deps;
  const turns = createTurns();
  const read = createBatches<StateRequest, LedgerState>({
    run: (requests) => readStates(db, requests),
    maxItems: MAX_TOGETHER,
    maxRunning: MAX_BATCHES,
  });
  const write = createBatches<Allocation<AllocatedArea>, AllocationOutcome<AllocatedArea>>({
    run: (allocations) => allocateAll(db, allocations),
    maxItems: MAX_TOGETHER,
    maxRunning: MAX_BATCHES,
  });
  const together: Ledger = { read, write };

  async function attempt(
    caller: Caller,
    request: AllocateAreaRequest,
    scenes: readonly SoldScene[],
    ledger: Ledger,
    signal: AbortSignal | undefined,
  ): Promise<AllocatedArea | null> {
    const groupId = payingGroupId(caller);
    const { idempotencyKey: key } = request;
    const quotes = await quoteScenesNow(deps, groupId, scenes, request, { read: ledger.read, signal });
    const at = clock.now();
    const named = key === undefined ? null : { key, hash: requestHash(request) };
    const allocation = allocationOf(caller, quotes, at, named);
    const { cost } = allocation;
    const outcome = await ledger.write(allocation);
    if (outcome.status === "refused") throw refusalError({ ...outcome, groupId, at, cost });
    if (outcome.status === "conflict") {
      throw new ServiceError("CONFLICT", `the idempotency key ${key} was used for another request`);
    }
    return outcome.status === "moved" ? null : outcome.answer;
  }

  return async (caller, request, known = {}) => {
    const { signal } = known;
    const groupId = payingGroupId(caller);
    if (groupId === "") throw new ServiceError("NOT-AUTHORIZED", "the caller belongs to no group that could pay");
    const scenes = await soldScenes(deps, caller, request, known);
    const keys = sceneKeysOf(scenes, deps.mapTypes.pricedIds(request.mapTypes ?? [])).map((key) =>
      JSON.stringify([groupId, key]),
    );
    return await turns.take(keys, async () => {
      for (let round = 0; round < FREE_ATTEMPTS; round += 1) {
        try {
          const answer = await attempt(caller, request, scenes, together, signal);
          if (answer !== null) return answer;
        } catch (error) {
          if (!isRetryable(error)) throw error;
        }
      }
      return await inTransaction(db, async (trx) => {
        await store.lockAccounts(trx, groupId, null);
        const answer = await attempt(caller, request, scenes, aloneIn(trx), signal);
        if (answer === null) throw new Error(`what the group ${groupId} holds has moved while it was locked`);
        return answer;
      });
    });
  };
}
