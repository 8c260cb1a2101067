import type { PixelGround } from "../../../analysis/block.ts";
import { measureShip, type ShipShape } from "../shape/measure.ts";
import { shipByBridge } from "./bridge.ts";
import { lightProfile } from "./light-profile.ts";

/** Where a hull is looked for. */
export interface HullSearch {
  /** How unlike the sea pixels are, squared. */
  readonly score: Float32Array;
  /** 1 where a pixel may belong to something that stands out. */
  readonly doubtful: Uint8Array;
  /** 1 at pixels of another ship. */
  readonly taken: Uint8Array;
  readonly columns: number;
  readonly ground: PixelGround;
  readonly resolutionM: number;
  /** Pixels that may lie between two of one hull. */
  readonly gapPx: number;
  /** How far a hull may reach from its brightest pixel. */
  readonly reachPx: number;
  /** Whether a shape can be a hull. */
  readonly isShip: (shape: ShipShape) => boolean;
}

export interface Hull {
  /** Positions in the block, in the order of rows. */
  readonly members: Int32Array;
  /** The same and what was cut off as its wake. */
  readonly withTail: Int32Array;
  /** Pixels that a chain not much fainter than its edge joins to the hull: wakes, which part with it, are fainter. */
  readonly joined: Int32Array;
  readonly shape: ShipShape;
}

/** The first cut below the peak, a share of its score; each further one is half the last. */
const FIRST_CUT = 0.08;
const LEVEL_STEP = 0.5;
/** The edge of a hull falls through this range of scores about the cut, a factor of four in amplitude. */
const EDGE_FACTOR = 4;
/** A lower cut is taken only where its edge is that much sharper than that of the first. */
const SHARPER = 0.7;

/** A first cut whose edge is blunter than this, pixels per pixel of outline, is a bright part of something larger. */
const PART_BLUNTNESS = 2;
const SLENDER = 1.7;

/**
 * The hull around a bright pixel. Superstructures outshine decks, and wakes lie fainter still around both: the cut is made
 * where the outline is sharpest, that is where the fewest pixels of the outline's length lie in the range of scores that the blur
 * of an edge covers. Bright and even hulls are cut at a twelfth of their peak; lower cuts must give the shape of a ship.
 */
export function hullAround(peak: number, least: number, search: HullSearch): Hull {
  const { score, columns, ground, resolutionM } = search;
  const { order, levels } = descent(peak, least, search);
  const countFrom = (level: number): number => {
    let [low, high] = [0, levels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (levels[middle]! >= level) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const hullOf = (members: Int32Array): Hull => ({
    members,
    withTail: members,
    joined: members,
    shape: measureShip(members, score, columns, ground, resolutionM),
  });
  const cutAt = (level: number): Hull => hullOf(order.subarray(0, Math.max(1, countFrom(level))).toSorted());
  const pixelM = Math.sqrt(ground.metresPerPixelX * ground.metresPerPixelY);
  const bluntness = ({ shape }: Hull, level: number): number => {
    const edge = countFrom(level / EDGE_FACTOR) - countFrom(level * EDGE_FACTOR);
    return edge / ((2 * (shape.lengthM + shape.widthM)) / pixelM + 4);
  };
  let level = FIRST_CUT * score[peak]!;
  const first = cutAt(level);
  const firstBlunt = bluntness(first, level);
  const isPart = firstBlunt > PART_BLUNTNESS && !isSlender(first.shape);
  let best = first;
  let bestLevel = level;
  let bluntest = isPart ? Infinity : SHARPER * firstBlunt;
  for (level *= LEVEL_STEP; level > least; level *= LEVEL_STEP) {
    const hull = cutAt(level);
    if (!search.isShip(hull.shape) || (isPart && !isSlender(hull.shape))) continue;
    const blunt = bluntness(hull, level);
    if (blunt >= bluntest) continue;
    bluntest = blunt;
    best = hull;
    bestLevel = level;
  }
  if (isPart && best === first) {
    const ship = beforeWake(levelsBelow(FIRST_CUT * score[peak]!, least), cutAt, hullOf, search);
    if (ship !== null) return ship;
  }
  const head = withoutTail(best, score, columns, ground);
  if (head !== null) return { ...hullOf(head), withTail: best.members };
  return { ...best, joined: order.subarray(0, Math.max(1, countFrom(Math.max(least, bestLevel / EDGE_FACTOR)))) };
}

/** Halves of a level down to the least. */
function levelsBelow(level: number, least: number): readonly number[] {
  const steps = Math.max(0, Math.ceil(Math.log2(level / least)) - 1);
  return Array.from({ length: steps }, (_, k) => level * LEVEL_STEP ** (k + 1));
}

/** The ship of a bright bridge, whose deck no cut tells from its wake. */
function beforeWake(
  levels: readonly number[],
  cutAt: (level: number) => Hull,
  hullOf: (members: Int32Array) => Hull,
  { score, columns, ground, isShip }: HullSearch,
): Hull | null {
  for (const level of levels) {
    const { members, shape } = cutAt(level);
    if (!isSlender(shape)) continue;
    const isOfShip = shipByBridge(lightProfile(members, score, columns, shape, ground));
    if (isOfShip === null) continue;
    const ship = hullOf(members.filter((_, k) => isOfShip[k] !== 0));
    if (isSlender(ship.shape) && isShip(ship.shape)) return { ...ship, withTail: members };
  }
  return null;
}

function isSlender({ lengthM, widthM }: ShipShape): boolean {
  return lengthM > SLENDER * widthM;
}

/** Steps along the axis that say whether it fades. */
const MIN_STEPS = 5;
/** The light end of a comet is that much lighter than its faint end, and nearly every step is fainter than the last. */
const FADES_TO = 0.5;
const MIN_ORDER = 0.85;
/** The middle is that much lighter than the faint end. */
const FADES_ON = 1.2;
/** What is at least that much of the lightest step belongs to the hull. */
const HULL_SHARE = 0.7;

/**
 * Boats draw a wake as light as they are that fades steadily behind them; hulls end sharply at both ends. Of what fades from
 * one end to the other only what is about as light as its head is kept.
 *
 * @returns the members that are left, or null where nothing fades
 */
function withoutTail(
  { members, shape }: Hull,
  score: Float32Array,
  columns: number,
  { metresPerPixelX, metresPerPixelY }: PixelGround,
): Int32Array | null {
  const pixelM = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const along = (i: number): number => {
    const row = Math.floor(i / columns);
    const right = (i - row * columns + 0.5 - shape.centre[0]) * metresPerPixelX;
    return (right * shape.axis[0] + (row + 0.5 - shape.centre[1]) * metresPerPixelY * shape.axis[1]) / pixelM;
  };
  const places = Float64Array.from(members, along);
  const start = Math.min(...places);
  const steps = Math.floor(Math.max(...places) - start) + 1;
  if (steps < MIN_STEPS) return null;
  // The lightest pixel of each step: edges say nothing of what lies between them.
  const light = new Float64Array(steps);
  for (const [k, i] of members.entries()) {
    const step = Math.floor(places[k]! - start);
    light[step] = Math.max(light[step]!, Math.sqrt(score[i]!));
  }
  // Ends blur.
  const inner = light.subarray(1, steps - 1);
  const order = rankOrder(inner);
  if (Math.abs(order) < MIN_ORDER) return null;
  const [head, tail] = order < 0 ? [inner[0]!, inner.at(-1)!] : [inner.at(-1)!, inner[0]!];
  if (tail > FADES_TO * head || !fadesOn(order < 0 ? inner : inner.toReversed())) return null;
  const least = HULL_SHARE * Math.max(...light);
  const kept = members.filter((_, k) => light[Math.floor(places[k]! - start)]! >= least);
  return kept.length === members.length ? null : kept;
}

/** Wakes go on fading to their end; a deck before its bridge is even. */
function fadesOn(fromHead: Float64Array): boolean {
  const middle = fromHead[fromHead.length >> 1]!;
  return middle > FADES_ON * fromHead.at(-1)!;
}

/** Share of pairs in rising order less that in falling order (Kendall): 1 when every value exceeds those before. */
function rankOrder(values: Float64Array): number {
  let sum = 0;
  for (let i = 1; i < values.length; i++) for (let k = 0; k < i; k++) sum += Math.sign(values[i]! - values[k]!);
  return sum / ((values.length * (values.length - 1)) / 2);
}

/**
 * Pixels around a peak from the brightest down: each with the least score on the best way there, which is the level at
 * which it joins.
 */
function descent(
  peak: number,
  least: number,
  { score, doubtful, taken, columns, gapPx, reachPx }: HullSearch,
): { readonly order: Int32Array; readonly levels: Float32Array } {
  const rows = score.length / columns;
  const peakRow = Math.floor(peak / columns);
  const peakColumn = peak - peakRow * columns;
  const seen = new Set([peak]);
  const order: number[] = [];
  const levels: number[] = [];
  const heap = new Heap();
  heap.push(peak, score[peak]!);
  let level = Infinity;
  for (let at = heap.pop(); at !== null; at = heap.pop()) {
    level = Math.min(level, score[at]!);
    order.push(at);
    levels.push(level);
    const row = Math.floor(at / columns);
    const column = at - row * columns;
    for (let dy = -gapPx - 1; dy <= gapPx + 1; dy++) {
      const y = row + dy;
      if (y < 0 || y >= rows || Math.abs(y - peakRow) > reachPx) continue;
      for (let dx = -gapPx - 1; dx <= gapPx + 1; dx++) {
        const x = column + dx;
        if (x < 0 || x >= columns || Math.abs(x - peakColumn) > reachPx) continue;
        const to = y * columns + x;
        if (doubtful[to] === 0 || taken[to] !== 0 || seen.has(to)) continue;
        const isBeside = Math.abs(dx) <= 1 && Math.abs(dy) <= 1;
        if (!isBeside && !(score[to]! > least)) continue;
        seen.add(to);
        heap.push(to, score[to]!);
      }
    }
  }
  return { order: Int32Array.from(order), levels: Float32Array.from(levels) };
}

/** Positions, the one with the largest score first; of equal ones the first in the order of rows. */
class Heap {
  readonly #positions: number[] = [];
  readonly #scores: number[] = [];

  push(position: number, score: number): void {
    let at = this.#positions.length;
    this.#positions.push(position);
    this.#scores.push(score);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isAbove(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | null {
    const [top] = this.#positions;
    if (top === undefined) return null;
    const last = this.#positions.length - 1;
    this.#swap(0, last);
    this.#positions.pop();
    this.#scores.pop();
    for (let at = 0; ;) {
      let above = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < last && this.#isAbove(child, above)) above = child;
      if (above === at) return top;
      this.#swap(at, above);
      at = above;
    }
  }

  #isAbove(a: number, b: number): boolean {
    const [first, second] = [this.#scores[a]!, this.#scores[b]!];
    return first > second || (first === second && this.#positions[a]! < this.#positions[b]!);
  }

  #swap(a: number, b: number): void {
    [this.#positions[a], this.#positions[b]] = [this.#positions[b]!, this.#positions[a]!];
    [this.#scores[a], this.#scores[b]] = [this.#scores[b]!, this.#scores[a]!];
  }
}
