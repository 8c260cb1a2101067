import { computed, type ReadonlySignal } from "@preact/signals";
import type { Session } from "./session.ts";

/** The signed-in user; null without one. */
export function userIdOf({ state }: Session): ReadonlySignal<string | null> {
  return computed(() => (state.value.kind === "signed-in" ? state.value.userId : null));
}
