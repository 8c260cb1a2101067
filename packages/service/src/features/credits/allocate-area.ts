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
import {
  allocate,
  allocateAll,
  readAnswer,
  type Allocation,
  type AllocationOutcome,
  type EarlierAnswer,
  type NamedRequest,
} from "./allocation-store.ts";
import { isExpectedCost, priceChanged } from "./expected-cost.ts";
import { readState, readStates, type LedgerState, type StateRequest } from "./ledger-state.ts";
import { refusalError } from "./refusal.ts";
import * as store from "./store.ts";
import { payingGroupId } from "./paying-group.ts";

function requestHash(request: AllocateAreaRequest): string {
  const { sceneIds, geojson, costFreeAllocation, mapTypes, expectedCost } = request;
  const types = mapTypes === undefined ? [] : [mapTypes.toSorted()];
  // Absent members leave the hash of requests as it is, so that keys of older clients stay valid.
  const expected = expectedCost === undefined ? [] : [{ expectedCost }];
  const content = JSON.stringify([
    [...sceneIds].toSorted(),
    geojson,
    costFreeAllocation ?? false,
    ...types,
    ...expected,
  ]);
  return createHash("sha256").update(content).digest("hex");
}

function usedKey(key: string | undefined): ServiceError {
  return new ServiceError("CONFLICT", `the idempotency key ${key} was used for another request`);
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
  readonly answer: (groupId: string, request: NamedRequest) => Promise<EarlierAnswer | null>;
}

function aloneIn(trx: Db): Ledger {
  return {
    read: (request) => readState(trx, request),
    write: (allocation) => allocate(trx, allocation),
    answer: (...request) => readAnswer(trx, ...request),
  };
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
  const together: Ledger = { read, write, answer: (...request) => readAnswer(db, ...request) };

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
    const { expectedCost } = request;
    if (expectedCost !== undefined && !isExpectedCost(expectedCost, cost)) {
      // A repeat finds its own area held and gets its first answer.
      const known = named === null ? null : await ledger.answer(groupId, named);
      if (known === null) throw priceChanged(expectedCost, cost);
      if (known.status === "answered") return known.answer;
      throw usedKey(named?.key);
    }
    const outcome = await ledger.write(allocation);
    if (outcome.status === "refused") throw refusalError({ ...outcome, groupId, at, cost });
    if (outcome.status === "conflict") throw usedKey(key);
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
