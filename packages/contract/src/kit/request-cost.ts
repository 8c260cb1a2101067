/** Work of a request beside reading it. Its amount follows from the members of the request. */
export type WorkUnit = "maps" | "pixels";

/**
 * The work of a request, by unit.
 * - `maps`: scenes, times the map types of each.
 * - `pixels`: most pixels of the files that it makes.
 */
export type RequestWork<Request> = { readonly [Unit in WorkUnit]?: (request: Request) => number };

/** The amounts that one token of a rate limit pays. A request costs one token, and another for each full amount. */
export const TOKEN_PAYS: Readonly<Record<"bodyBytes" | "positions" | WorkUnit, number>> = {
  bodyBytes: 64 * 1024,
  positions: 500,
  maps: 10,
  pixels: 5_000_000,
};

/** The token that every request costs. */
export const BASE_COST = 1;

/**
 * Tokens for the size of a body and for the positions of its shapes.
 *
 * @param body of any shape: it is paid before it is checked
 */
export function bodyCost(bytes: number, body: unknown): number {
  return Math.floor(bytes / TOKEN_PAYS.bodyBytes + positionsIn(body) / TOKEN_PAYS.positions);
}

/** Tokens for the work of a request. */
export function workCost<Request>(work: RequestWork<Request>, request: Request): number {
  const maps = work.maps?.(request) ?? 0;
  const pixels = work.pixels?.(request) ?? 0;
  return Math.floor(maps / TOKEN_PAYS.maps + pixels / TOKEN_PAYS.pixels);
}

/** Counts a list of positions by its first one: the time follows the number of rings, not of positions. */
function positionsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (!Array.isArray(value)) return sumOf(Object.values(value));
  if (isPosition(value)) return 1;
  return isPosition(value[0]) ? value.length : sumOf(value);
}

function sumOf(values: readonly unknown[]): number {
  let sum = 0;
  for (const value of values) sum += positionsIn(value);
  return sum;
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number";
}
