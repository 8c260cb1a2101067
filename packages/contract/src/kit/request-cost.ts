/** Work of a request beside reading it. Its amount follows from the members of the request. */
export type WorkUnit = "maps" | "pixels";

/**
 * The work of a request, by unit.
 * - `maps`: scenes, times the map types of each.
 * - `pixels`: most pixels of the files that it makes.
 */
export type RequestWork<Request> = { readonly [Unit in WorkUnit]?: (request: Request) => number };

/**
 * The amounts that one token of a rate limit pays. A request costs one token, and another for each full amount. One
 * client alone: `/user/info` takes 0.3 ms of the thread that answers, a `$near` with 499 positions 1.4 ms.
 */
export const TOKEN_PAYS: Readonly<Record<"bodyBytes" | "positions" | WorkUnit, number>> = {
  bodyBytes: 64 * 1024,
  positions: 200,
  maps: 10,
  pixels: 5_000_000,
};

/**
 * Positions of one shape up to which its time follows their number. Beyond, it follows their square: a check of an area
 * takes 2 times the processor time of a rectangle at 1,000 positions, 19 times at 4,000, 74 times at 9,000.
 */
export const LINEAR_POSITIONS = 3_000;

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

/** Positions of all shapes, where the positions of a long shape count for more. */
function positionsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (!Array.isArray(value)) return sumOf(Object.values(value), positionsIn);
  const positions = positionsOfShape(value, SHAPE_LEVELS);
  // A list of shapes, such as the features of a collection, or of values.
  if (positions === 0) return sumOf(value, positionsIn);
  return positions * Math.max(1, positions / LINEAR_POSITIONS);
}

/** Lists of the coordinates of a MultiPolygon around a position. */
const SHAPE_LEVELS = 4;

/** Counts a list of positions by its first one: the time follows the number of rings, not of positions. */
function positionsOfShape(value: unknown, levels: number): number {
  if (!Array.isArray(value) || levels === 0) return 0;
  if (isPosition(value)) return 1;
  return isPosition(value[0]) ? value.length : sumOf(value, (part) => positionsOfShape(part, levels - 1));
}

function sumOf(values: readonly unknown[], count: (value: unknown) => number): number {
  let sum = 0;
  for (const value of values) sum += count(value);
  return sum;
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "number" && typeof value[1] === "number";
}
