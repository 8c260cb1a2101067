import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "../../bench/statistics.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import type { Arrangement, Victim } from "./arrangement.ts";
import { newJournal, type Fault, type Journal } from "./journal.ts";
import { judge } from "./judge.ts";
import { planKills, type PlannedKill } from "./kill-plan.ts";
import { quietRound, runLoad } from "./load.ts";
import { StubbornClient } from "./stubborn-client.ts";
import { makeWorld } from "./world.ts";
import { WORKS } from "./works.ts";

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  readonly clients: number;
  /** No kill begins later than this after the first one. */
  readonly limitMs: number;
  readonly say: (line: string) => void;
}

export interface ChaosReport {
  /** Kills that took place. */
  readonly kills: number;
  readonly accepted: number;
  readonly charges: number;
  readonly faults: readonly Fault[];
  /** Blobs that no row knows. */
  readonly orphans: readonly string[];
}

const PHASE_WITHIN_MS = 5_000;
const PROGRESS_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = 300_000;
const POLL_MS = 10;
const SLOWEST_SHOWN = 5;
/** Phases that the load names. */
const PHASES = [...WORKS.map(({ name }) => name).filter((name) => name !== "unreadable"), "upload"];

/** Kills parts of an arrangement under load, and judges the outcome of all accepted work. */
export async function runChaos(arrangement: Arrangement, options: ChaosOptions): Promise<ChaosReport> {
  const { say, seed } = options;
  const demo = await new RawClient(arrangement.baseUrl).login(DEMO);
  const world = await makeWorld(demo);
  const journal = newJournal();
  const [stopping, givingUp] = [new AbortController(), new AbortController()];
  const client = new StubbornClient(arrangement.baseUrl, demo.token ?? "", journal, givingUp.signal);
  const creditBefore = (await client.post("/credits/get-remaining-credit", {})).body.remainingCredit;
  await quietRound({ client, seed, works: WORKS, world });
  say(`quiet round: ${journal.accepted.length} pipelines accepted`);
  const load = runLoad({ client, clients: options.clients, seed, stopping: stopping.signal, works: WORKS, world });
  const kills = await killAll(arrangement, journal, options);
  stopping.abort();
  say(`${kills} kills, ${journal.accepted.length} pipelines accepted; waiting for the rest`);
  const isLate = new AbortController();
  await Promise.race([load, sleep(SETTLED_WITHIN_MS, undefined, { signal: isLate.signal })]);
  isLate.abort();
  const slowest = journal.accepted.toSorted((a, b) => b.tookMs - a.tookMs).slice(0, SLOWEST_SHOWN);
  say(`slowest: ${slowest.map(({ tookMs, work }) => `${work} ${(tookMs / 1_000).toFixed(0)} s`).join(", ")}`);
  const orphans = await judge({ arrangement, client, creditBefore, settledWithinMs: SETTLED_WITHIN_MS });
  givingUp.abort();
  await load;
  return {
    kills,
    accepted: journal.accepted.length,
    charges: journal.charges.length,
    faults: journal.faults,
    orphans,
  };
}

async function killAll(arrangement: Arrangement, journal: Journal, options: ChaosOptions): Promise<number> {
  const { limitMs, say, seed } = options;
  const plan = planKills(options.kills, arrangement.victims, PHASES, seededRandom(seed));
  const startedMs = performance.now();
  let kills = 0;
  for (const planned of plan) {
    if (performance.now() - startedMs > limitMs) {
      say(`the time of ${limitMs / 60_000} min is over`);
      break;
    }
    const endedBefore = countEnded(journal);
    await until(() => (journal.phases.get(planned.phase) ?? 0) > 0, PHASE_WITHIN_MS);
    await sleep(planned.delayMs);
    kills += 1;
    say(`kill ${kills}: ${planned.victim.name} during ${planned.phase} (${journal.accepted.length} accepted)`);
    kills += await killOnce(planned, say);
    await restartOthers(arrangement, journal);
    // Without progress in between, the kills would only show that nothing runs.
    await until(() => countEnded(journal) > endedBefore, PROGRESS_WITHIN_MS);
  }
  return kills;
}

/** @returns the number of further kills */
async function killOnce({ againAfterMs, victim }: PlannedKill<Victim>, say: (line: string) => void): Promise<number> {
  await victim.kill();
  const restarting = victim.restart();
  if (againAfterMs === null) {
    await restarting;
    return 0;
  }
  await sleep(againAfterMs);
  say(`  and again ${againAfterMs.toFixed(0)} ms later`);
  // There may be nothing to kill at this moment of the start.
  await victim.kill().catch(() => {});
  await restarting.catch(() => {});
  // The second kill may have come after the end of the start.
  await victim.restart();
  return 1;
}

/** A process that ends because others were killed does not go on by itself. */
async function restartOthers(arrangement: Arrangement, journal: Journal): Promise<void> {
  for (const name of arrangement.endedByThemselves()) {
    journal.faults.push({ kind: "failed", message: `the process "${name}" ended by itself` });
    await arrangement.victims.find((victim) => victim.name === name)?.restart();
  }
}

function countEnded({ accepted }: Journal): number {
  return accepted.filter(({ outcome }) => outcome !== null).length;
}

async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!isTrue() && performance.now() < deadlineMs) await sleep(POLL_MS);
}
