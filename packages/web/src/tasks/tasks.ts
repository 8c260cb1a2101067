import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Client } from "@swath/client";
import { isUnreachable } from "../failures/message-of.ts";

/** Pipelines of the user, the newest first. */
export type Task = Awaited<ReturnType<typeof listTasks>>[number];

export interface Tasks {
  readonly list: ReadonlySignal<readonly Task[]>;
  readonly running: ReadonlySignal<number>;
  readonly isOffline: ReadonlySignal<boolean>;
  /** Looks again now, and often while something runs. */
  look(): void;
  cancel(pipelineId: string): Promise<void>;
}

const BUSY_PAUSE_MS = 1_000;
const IDLE_PAUSE_MS = 15_000;
const LISTED = 20;

export function createTasks(calls: Client): Tasks {
  const list = signal<readonly Task[]>([]);
  const isOffline = signal(false);
  const running = computed(() => list.value.filter(({ status }) => status === "NEW" || status === "PROCESSING").length);
  let timer: ReturnType<typeof setTimeout> | null = null;

  async function read(): Promise<void> {
    try {
      list.value = await listTasks(calls);
      isOffline.value = false;
    } catch (error) {
      isOffline.value = isUnreachable(error);
    }
    plan(running.value > 0 || isOffline.value ? BUSY_PAUSE_MS : IDLE_PAUSE_MS);
  }

  function plan(pauseMs: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => void read(), pauseMs);
  }

  return {
    list,
    running,
    isOffline,
    look: () => plan(0),
    async cancel(pipelineId) {
      await calls.call("/tasking/cancel", { pipelineId });
      plan(0);
    },
  };
}

async function listTasks(calls: Client) {
  const { results } = await calls.call("/tasking/list-pipelines", { limit: LISTED });
  return results;
}
