import { randomUUID } from "node:crypto";
import type { Log } from "@swath/base/log/log";
import { Slots } from "@swath/raster/remote/slots";
import type { Db } from "../../platform/context.ts";
import { postEvent, type PostDeps } from "./post-event.ts";
import { settleAttempt } from "./settle-attempt.ts";
import { claimTurns, dueDeliveries, endTurn, type DueDelivery, type Turn } from "./turn-store.ts";
import { openSecret } from "./webhook-secret.ts";

/** Delivers events to webhooks, each in one process at a time. */
export interface Sender extends AsyncDisposable {
  /** Begins turns of webhooks with due deliveries, as many as there are places. Does not wait for them. */
  startDue(): Promise<void>;
  /** Delivers until nothing is due that this process may take. */
  deliverDue(): Promise<void>;
}

export interface SenderLimits {
  /** Webhooks that this process delivers to at once. */
  readonly turns: number;
  /** Of these, webhooks whose last attempt failed. */
  readonly failingTurns: number;
  /** Webhooks of one owner that all processes deliver to at once. */
  readonly turnsPerOwner: number;
  /** Requests to one webhook at once. */
  readonly requestsPerTurn: number;
  /** No request begins later in a turn: others wait for the place. */
  readonly turnMs: number;
  /** Longer than a turn and its last request: nobody else then delivers in between. */
  readonly leaseMs: number;
}

export const SENDER_LIMITS: SenderLimits = {
  turns: 32,
  failingTurns: 16,
  turnsPerOwner: 4,
  requestsPerTurn: 4,
  turnMs: 10_000,
  leaseMs: 30_000,
};

export interface SenderDeps extends PostDeps {
  readonly db: Db;
  readonly log: Log;
  /** Seals the secrets of webhooks. */
  readonly sealingKey: Uint8Array;
  readonly limits: SenderLimits;
  /** Called when a turn that has delivered frees its place. */
  readonly onIdle: () => void;
}

interface State {
  readonly deps: SenderDeps;
  readonly worker: string;
  readonly stopping: AbortController;
  readonly running: Set<Promise<void>>;
  failing: number;
}

export function createSender(deps: SenderDeps): Sender {
  const state: State = {
    deps,
    worker: randomUUID(),
    stopping: new AbortController(),
    running: new Set(),
    failing: 0,
  };
  return {
    async startDue() {
      await startDue(state);
    },
    async deliverDue() {
      while ((await startDue(state)) > 0) await Promise.all(state.running);
    },
    async [Symbol.asyncDispose]() {
      state.stopping.abort(new Error("the service stops"));
      await Promise.all(state.running);
    },
  };
}

/** @returns the number of turns that began */
async function startDue(state: State): Promise<number> {
  const { db, limits } = state.deps;
  const free = limits.turns - state.running.size;
  if (free <= 0 || state.stopping.signal.aborted) return 0;
  const turns = await claimTurns(db, {
    worker: state.worker,
    leaseMs: limits.leaseMs,
    perOwner: limits.turnsPerOwner,
    limit: free,
    failingLimit: Math.max(0, limits.failingTurns - state.failing),
  });
  for (const turn of turns) {
    if (turn.isFailing) state.failing += 1;
    const running = runTurn(state, turn).then((attempts) => {
      state.running.delete(running);
      if (turn.isFailing) state.failing -= 1;
      // A turn that could not begin is no reason to try again at once.
      if (attempts > 0) state.deps.onIdle();
    });
    state.running.add(running);
  }
  return turns.length;
}

/** Never rejects. @returns the number of attempts */
async function runTurn(state: State, turn: Turn): Promise<number> {
  const { db, limits, log } = state.deps;
  let attempts = 0;
  const untilMs = performance.now() + limits.turnMs;
  try {
    const secrets = [turn.secret, ...(turn.previousSecret === null ? [] : [turn.previousSecret])].map((sealed) =>
      openSecret(state.deps.sealingKey, sealed, turn.id),
    );
    const slots = new Slots(limits.requestsPerTurn);
    const deliver = async (delivery: DueDelivery): Promise<void> => {
      if (performance.now() >= untilMs) return;
      attempts += 1;
      const attempt = await postEvent(state.deps, delivery, { url: turn.url, secrets }, state.stopping.signal);
      // A request that the stop has cut counts for nothing.
      if (attempt.status === null && state.stopping.signal.aborted) return;
      await settleAttempt(db, state.worker, turn, delivery, attempt);
    };
    while (performance.now() < untilMs && !state.stopping.signal.aborted) {
      const due = await dueDeliveries(db, {
        worker: state.worker,
        webhookId: turn.id,
        limit: 4 * limits.requestsPerTurn,
      });
      if (due.length === 0) break;
      // The turn ends after its last request: the next one would overtake it.
      const ends = await Promise.allSettled(due.map((one) => slots.run(state.stopping.signal, () => deliver(one))));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    }
  } catch (error) {
    if (!state.stopping.signal.aborted) log.warn({ err: error, webhookId: turn.id }, "deliveries of a webhook failed");
  }
  await endTurn(db, state.worker, turn.id).catch((error: unknown) => {
    log.warn({ err: error, webhookId: turn.id }, "a webhook stays taken until its lease ends");
  });
  return attempts;
}
