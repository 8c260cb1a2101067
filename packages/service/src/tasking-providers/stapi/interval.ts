/** A closed interval of time, milliseconds since 1970, UTC. */
export interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** Two instants with a solidus. Open ends are left to no server: many refuse them. */
export function intervalText({ startMs, endMs }: Interval): string {
  return `${new Date(startMs).toISOString()}/${new Date(endMs).toISOString()}`;
}

/** Null for a text without two instants in their order. */
export function parseInterval(text: unknown): Interval | null {
  if (typeof text !== "string" || text.length > 100) return null;
  const [start = "", end = "", ...rest] = text.split("/");
  const [startMs, endMs] = [parseInstant(start), parseInstant(end)];
  return startMs === null || endMs === null || startMs > endMs || rest.length > 0 ? null : { startMs, endMs };
}

const INSTANT = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,12})?(?:[Zz]|[+-]\d\d:?\d\d)$/u;

/** Milliseconds since 1970, UTC, of an RFC 3339 text; null for others. */
export function parseInstant(text: unknown): number | null {
  if (typeof text !== "string" || !INSTANT.test(text)) return null;
  // Only the first three digits of a fraction are portable.
  const ms = Date.parse(text.replace(/(\.\d{3})\d+/u, "$1"));
  return Number.isNaN(ms) ? null : ms;
}
