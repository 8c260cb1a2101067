import type { Db, Trx } from "../../../platform/context.ts";
import { CHECKS, judgeGroup, judgeOrder, judgeUser, type Check, type Difference } from "./difference.ts";
import { CoverageJudge } from "./judge-coverage.ts";
import * as store from "./verify-store.ts";

export interface LedgerReport {
  /** Rows that were replayed, by what they are. */
  readonly counts: Readonly<Record<string, number>>;
  /** By check: how many differences it has found. */
  readonly found: Readonly<Record<Check, number>>;
  /** The first of them. */
  readonly differences: readonly Difference[];
}

/** Differences that are listed; more are counted. */
const LISTED = 1000;

interface OfScene {
  readonly groupId: string;
  readonly sceneKey: string;
}

/** Rows in the order of groups and scenes, handed out scene by scene in that order. */
function groupedBy<Row extends OfScene>(rows: AsyncGenerator<Row>) {
  let next: IteratorResult<Row> | null = null;
  return {
    async take({ groupId, sceneKey }: OfScene, use: (row: Row) => void): Promise<void> {
      next ??= await rows.next();
      while (next.done !== true && next.value.groupId === groupId && next.value.sceneKey === sceneKey) {
        use(next.value);
        next = await rows.next();
      }
    },
  };
}

/** The same inside a transaction that sees one snapshot. */
export async function replayLedger(trx: Trx, signal: AbortSignal): Promise<LedgerReport> {
  await store.liftTimeouts(trx);
  const differences: Difference[] = [];
  const found = new Map<Check, number>(CHECKS.map((check) => [check, 0]));
  const note = (faults: readonly Difference[]): void => {
    signal.throwIfAborted();
    for (const fault of faults) {
      found.set(fault.check, (found.get(fault.check) ?? 0) + 1);
      if (differences.length < LISTED) differences.push(fault);
    }
  };
  const noteAll = (check: Check, faults: readonly store.FoundFault[]): void =>
    note(faults.map((fault) => ({ check, ...fault })));

  for await (const row of store.readGroups(trx)) note(judgeGroup(row));
  for await (const row of store.readUsers(trx)) note(judgeUser(row));
  noteAll("transaction kind", await store.readKindFaults(trx, LISTED));
  noteAll("transaction and allocations", await store.readAllocationFaults(trx, LISTED));
  const allocated = groupedBy(store.readAllocated(trx));
  const held = groupedBy(store.readParts(trx));
  for await (const row of store.readCoverages(trx)) {
    const judge = new CoverageJudge(row);
    await allocated.take(row, ({ geometry }) => judge.addAllocation(geometry));
    await held.take(row, (part) => judge.addPart(part));
    note(judge.differences());
  }
  for await (const row of store.readOrders(trx)) note(judgeOrder(row));
  noteAll("request", await store.readRequestFaults(trx, LISTED));

  const byCheck: Readonly<Record<Check, number>> = {
    "group balance": found.get("group balance") ?? 0,
    "user balance": found.get("user balance") ?? 0,
    "transaction kind": found.get("transaction kind") ?? 0,
    "transaction and allocations": found.get("transaction and allocations") ?? 0,
    coverage: found.get("coverage") ?? 0,
    order: found.get("order") ?? 0,
    request: found.get("request") ?? 0,
  };
  return { counts: await store.countRows(trx), found: byCheck, differences };
}

/**
 * Replays grants and transactions and compares with everything that is kept beside them, in one snapshot, while the
 * service may go on. Geometries are read a page at a time; of one scene of one group the union is in memory.
 */
export async function verifyLedger(db: Db, signal: AbortSignal): Promise<LedgerReport> {
  return await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((trx) => replayLedger(trx, signal));
}
