import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { StandingQueriesService } from "../standing-queries/service.ts";
import { findEnded } from "./ended-store.ts";
import { forgottenBefore } from "./forget-scenes.ts";
import { claimScenes, insertScenes } from "./scene-store.ts";
import { RUNNING_TOGETHER, settleScene, type SettleDeps } from "./settle-scene.ts";
import { startScene, type StartDeps } from "./start-scene.ts";

export interface MeasureDeps extends SettleDeps, StartDeps {
  readonly standing: Pick<StandingQueriesService, "changeForMonitor" | "takeForMonitors">;
  readonly mapTypes: StartDeps["mapTypes"];
}

const TAKEN_TOGETHER = 100;
const CLAIMED_TOGETHER = 4;
const SETTLED_TOGETHER = 100;
/** Longer than the prices of the claims of a round take: a process that died loses its claims. */
const LEASE_MS = 60_000;
const LATER_MS = 10_000;

/** One round: takes matches, ends scenes whose pipelines have ended, and starts scenes that are due. */
export async function measureScenes(deps: MeasureDeps, signal: AbortSignal): Promise<void> {
  await takeMatches(deps, signal);
  for (const key of await findEnded(deps.db, SETTLED_TOGETHER)) {
    signal.throwIfAborted();
    await settleScene(deps, key);
  }
  const at = deps.clock.now();
  const claims = await claimScenes(deps.db, {
    at,
    candidates: CLAIMED_TOGETHER,
    running: RUNNING_TOGETHER,
    leaseUntil: new Date(at.getTime() + LEASE_MS),
    laterAt: new Date(at.getTime() + LATER_MS),
  });
  for (const claim of claims) {
    signal.throwIfAborted();
    await startScene(deps, claim, signal);
  }
}

/** Matches become scenes of their monitors in the transaction that takes them. */
async function takeMatches({ clock, db, standing }: MeasureDeps, signal: AbortSignal): Promise<void> {
  let taken = TAKEN_TOGETHER;
  while (taken === TAKEN_TOGETHER && !signal.aborted) {
    taken = await inTransaction(db, async (trx) => {
      const matches = await standing.takeForMonitors(trx, TAKEN_TOGETHER);
      const at = clock.now();
      if (matches.length > 0) await insertScenes(trx, matches, { at, forgottenBefore: forgottenBefore(at) });
      return matches.length;
    });
  }
}
