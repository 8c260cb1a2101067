import { computed, effect } from "@preact/signals";
import type { Console } from "../console.ts";
import { userIdOf } from "../session/user-id.ts";

/** Follows the alerts of a user who may. */
export function bindAlerts({ session, rights, alerts, attempt }: Console): void {
  const userId = userIdOf(session);
  const watcher = computed(() => {
    const mayWatch = rights.value.holds("events.stream") && rights.value.holds("imagery.monitors");
    return mayWatch ? userId.value : null;
  });
  effect(() => {
    const { value: watching } = watcher;
    if (watching === null) return undefined;
    const stop = new AbortController();
    attempt(() => alerts.follow(watching, stop.signal));
    return () => stop.abort();
  });
}
