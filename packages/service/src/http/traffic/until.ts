import { setTimeout as pause } from "node:timers/promises";

/** Resolves when a condition of the server under test holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(2);
}
