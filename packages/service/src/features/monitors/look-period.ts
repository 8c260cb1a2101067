import type { StoredCriteria } from "../standing-queries/stored-criteria.ts";
import type { LookRow } from "./look-store.ts";

const DAY_MS = 86_400_000;
/** A longer time since the last look is taken in several. */
const MAX_PERIOD_MS = 31 * DAY_MS;

/** The acquisitions that a look asks for. */
export interface LookPeriod {
  readonly from: Date;
  readonly to: Date;
  /** Acquisitions until this moment count as looked for afterwards. */
  readonly target: Date;
}

/** The earliest acquisition that a look asks for: scenes that are published late count. */
function earliestMs({ fromMs }: Pick<StoredCriteria, "fromMs">, lookedUntil: Date, overlapDays: number): number {
  return Math.max(fromMs ?? -Infinity, lookedUntil.getTime() - overlapDays * DAY_MS);
}

/** Whether a monitor takes no scene that a later look could find. */
export function isOver(
  criteria: Pick<StoredCriteria, "fromMs" | "toMs">,
  lookedUntil: Date,
  overlapDays: number,
): boolean {
  return criteria.toMs !== null && earliestMs(criteria, lookedUntil, overlapDays) > criteria.toMs;
}

/** The period of the next look: from the end of the last one, less the overlap. Null when the looks are over. */
export function lookPeriod(
  criteria: Pick<StoredCriteria, "fromMs" | "toMs">,
  { looked_until, target }: Pick<LookRow, "looked_until" | "target">,
  overlapDays: number,
  now: Date,
): LookPeriod | null {
  if (isOver(criteria, looked_until, overlapDays)) return null;
  const endMs = target?.getTime() ?? Math.min(now.getTime(), looked_until.getTime() + MAX_PERIOD_MS);
  const from = earliestMs(criteria, looked_until, overlapDays);
  // The period is empty before the first acquisition that counts.
  const to = Math.max(from, Math.min(endMs, criteria.toMs ?? Infinity));
  return { from: new Date(from), to: new Date(to), target: new Date(endMs) };
}
