import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceProcess } from "../service-process.ts";
import type { Victim } from "./arrangement.ts";

const STARTS = 5;
const PAUSE_MS = 500;

/**
 * A process of the service. Its supervisor starts it again when a start fails, as while the database is away. A kill ends the
 * restart: the database that was killed with it comes back with the next restart only.
 */
export function serviceVictim(name: string, service: ServiceProcess): Victim {
  let restarting = new AbortController();
  return {
    name,
    async kill() {
      restarting.abort();
      await service.kill();
    },
    async restart() {
      restarting = new AbortController();
      const { signal } = restarting;
      for (let start = 1; !service.isRunning && !signal.aborted; start += 1) {
        try {
          await service.start();
        } catch (error) {
          if (signal.aborted) return;
          if (start === STARTS) throw error;
          await service.kill();
          await sleep(PAUSE_MS);
        }
      }
    },
  };
}

/** Several victims that die at the same time. */
export function togetherVictim(victims: readonly Victim[]): Victim {
  return {
    name: victims.map(({ name }) => name).join(" and "),
    async kill() {
      await Promise.all(victims.map((victim) => victim.kill()));
    },
    async restart() {
      await Promise.all(victims.map((victim) => victim.restart()));
    },
  };
}
