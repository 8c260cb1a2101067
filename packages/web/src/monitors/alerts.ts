import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Client, SwathEvent } from "@swath/client";
import { alertOf, type Alert } from "./alert.ts";
import { readMarks, writeMarks, type Marks } from "./alert-marks.ts";
import { waitWhileHidden } from "./wait-while-hidden.ts";

/** Alerts that the page keeps, the newest ones. */
const KEPT = 500;
const RETRY_MS = 15_000;

export interface Alerts {
  /** The newest first. */
  readonly list: ReadonlySignal<readonly Alert[]>;
  /** How many nobody has looked at in this browser. */
  readonly unseen: ReadonlySignal<number>;
  /** Why the last stream broke; null while it is open. */
  readonly problem: ReadonlySignal<unknown>;
  /** All of the list are looked at. */
  see(): void;
  /** Follows the alerts of a user until the signal aborts. */
  follow(userId: string, signal: AbortSignal): Promise<void>;
}

interface State {
  readonly list: readonly Alert[];
  readonly marks: Marks;
}

const NOTHING: State = { list: [], marks: { seen: 0, from: 0 } };

/** Alerts of monitors as they happen. */
export function createAlerts(calls: Pick<Client, "events">): Alerts {
  const state = signal(NOTHING);
  const problem = signal<unknown>(null);
  let user = "";
  let latest: AbortSignal | null = null;
  return {
    list: computed(() => state.value.list),
    unseen: computed(() => state.value.list.filter(({ position }) => position > state.value.marks.seen).length),
    problem,
    see() {
      const { list, marks } = state.peek();
      const seen = list[0]?.position ?? 0;
      if (seen <= marks.seen) return;
      state.value = { list, marks: { ...marks, seen } };
      writeMarks(user, state.peek().marks);
    },
    async follow(userId, stop) {
      user = userId;
      latest = stop;
      state.value = { list: [], marks: readMarks(userId) };
      while (!stop.aborted) {
        // A browser opens six connections to a server: pages that nobody sees leave them to others.
        const hiding = await waitWhileHidden(stop);
        const after = state.peek().list[0]?.position ?? state.peek().marks.from;
        problem.value = null;
        try {
          for await (const event of calls.events({ types: ["monitor.alert"], after, signal: hiding.signal })) {
            state.value = withEvent(state.peek(), event);
            writeMarks(userId, state.peek().marks);
          }
        } catch (error) {
          problem.value = error;
          await pause(RETRY_MS, stop);
        } finally {
          hiding.end();
        }
      }
      // The next user's alerts stay.
      if (latest === stop) state.value = NOTHING;
    },
  };
}

/** The next page of this browser begins with the alerts that this one keeps. */
function withEvent({ list, marks }: State, event: SwathEvent): State {
  const alert = alertOf(event);
  if (alert === null || list.some(({ position }) => position === alert.position)) return { list, marks };
  const longer = [alert, ...list].toSorted((a, b) => b.position - a.position);
  if (longer.length <= KEPT) return { list: longer, marks };
  return { list: longer.slice(0, KEPT), marks: { ...marks, from: longer[KEPT]?.position ?? marks.from } };
}

async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    stop.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
