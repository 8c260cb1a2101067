/** An order as its clock counts: from the moment of its placing. */
interface Placed {
  readonly createdMs: number;
}

/**
 * The present of an order whose time runs faster than the clock: no state that a restart could lose. Milliseconds since
 * 1970, UTC.
 *
 * @param speed seconds of the order per second of the clock, 1 or more
 */
export function presentOf({ createdMs }: Placed, nowMs: number, speed: number): number {
  return createdMs + (nowMs - createdMs) * speed;
}

/** When the clock shows the moment of an order; the inverse of `presentOf`. */
export function clockAt({ createdMs }: Placed, momentMs: number, speed: number): number {
  return createdMs + (momentMs - createdMs) / speed;
}
