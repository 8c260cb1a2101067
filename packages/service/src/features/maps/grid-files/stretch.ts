import type { ValueRange } from "@swath/kernel/raster-mathematics/stretch";
import type { GridQuery } from "@swath/contract/features/maps/contract";
import type { Static } from "typebox";
import { isOn } from "./is-on.ts";
import { refuseQuery } from "./refuse-query.ts";

/** Two decimal numbers below 10^13. */
const LIMITS = /^(-?\d{1,13}(?:\.\d{1,12})?),(-?\d{1,13}(?:\.\d{1,12})?)$/;

/** Limits of the colours that a request names; null without any. @throws {ServiceError} VALIDATION-ERROR */
export function stretchOf(
  query: Pick<Static<typeof GridQuery>, "percentile_stretch" | "stretch" | "user_threshold">,
): ValueRange | null {
  if (query.stretch === undefined) return null;
  if (isOn(query.percentile_stretch)) refuseQuery("stretch", "excludes percentile_stretch");
  if (query.user_threshold !== undefined) refuseQuery("stretch", "excludes user_threshold");
  const [, low, high] = LIMITS.exec(query.stretch)?.map(Number) ?? [];
  if (low === undefined || high === undefined || low >= high) {
    refuseQuery("stretch", `must be min,max with min below max, got ${query.stretch}`);
  }
  return { low, high };
}
