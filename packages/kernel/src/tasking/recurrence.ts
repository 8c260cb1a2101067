/** An order that repeats: `count` orders, each `days` after the one before. */
export interface Recurrence {
  /** Whole days, 1..366. */
  readonly days: number;
  /** Orders in all, 1..52. */
  readonly count: number;
}

export const MAX_RECURRENCE_DAYS = 366;
export const MAX_RECURRENCE_COUNT = 52;

export interface OrderInterval {
  /** Milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly endMs: number;
}

const DAY_MS = 86_400_000;

/**
 * The intervals of all orders of a recurrence, ascending: the k-th, from 0, begins and ends k * `days` days later.
 *
 * @throws {RangeError} if `days` or `count` is outside its range
 * @example recurringIntervals({ startMs: 0, endMs: 60_000 }, { days: 1, count: 2 })[1] // 86_400_000 to 86_460_000
 */
export function recurringIntervals(
  { startMs, endMs }: OrderInterval,
  { days, count }: Recurrence,
): readonly OrderInterval[] {
  requireWithin("days", days, MAX_RECURRENCE_DAYS);
  requireWithin("count", count, MAX_RECURRENCE_COUNT);
  return Array.from({ length: count }, (_, index) => {
    const shiftMs = index * days * DAY_MS;
    return { startMs: startMs + shiftMs, endMs: endMs + shiftMs };
  });
}

function requireWithin(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new RangeError(`${name} must be a whole number within 1..${max}, got ${value}`);
}
