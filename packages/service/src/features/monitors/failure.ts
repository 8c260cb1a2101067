import { isErrorCode } from "@swath/kernel/errors/error-code";
import { ERROR_STATUS } from "../../error-status.ts";
import type { SkipReason } from "./scene-store.ts";

/** Claims of a scene before it is given up. */
const MAX_TRIES = 8;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 60 * 60_000;

const REASONS: Readonly<Record<string, SkipReason>> = {
  "INSUFFICIENT-CREDIT": "CREDIT",
  "USER-CREDIT-LIMIT": "CREDIT",
  "LICENSE-EXPIRED": "CREDIT",
  "NOT-AUTHORIZED": "RIGHTS",
  "NON-EXISTING-SCENE": "RIGHTS",
};

export function skipReasonOf(code: string): SkipReason {
  return REASONS[code] ?? "FAILED";
}

/** Refusals after a change of the price: the next try has the new one. */
const PRICE_MOVED: readonly string[] = ["CREDITS-ERROR", "PRICE-CHANGED"];

/** Whether the same may succeed later. */
export function isPassing(code: string): boolean {
  if (PRICE_MOVED.includes(code) || code === "TOO-MANY-REQUESTS" || !isErrorCode(code)) return true;
  return ERROR_STATUS[code] >= 500;
}

/** When a scene is tried again; null when it has been tried often enough. */
export function nextTryAt(tries: number, at: Date): Date | null {
  if (tries >= MAX_TRIES) return null;
  return new Date(at.getTime() + Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)));
}
