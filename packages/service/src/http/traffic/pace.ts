/** How long a client may pause, and how fast it must be besides. */
export interface Pace {
  readonly longestPauseMs: number;
  readonly minBytesPerSecond: number;
}

/**
 * The pause that is left to a client: time uses it up, and each byte adds the time that it takes at the least rate.
 *
 * @param leftMs the pause that was left before
 * @returns milliseconds; below 0 the client is too slow
 * @example pauseLeftMs({ longestPauseMs: 60_000, minBytesPerSecond: 1_000 }, 5_000, 1_000, 500) // 4500
 */
export function pauseLeftMs(pace: Pace, leftMs: number, elapsedMs: number, bytes: number): number {
  const gainedMs = (bytes / pace.minBytesPerSecond) * 1_000;
  return Math.min(pace.longestPauseMs, leftMs + gainedMs) - elapsedMs;
}
