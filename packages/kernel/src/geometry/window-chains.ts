import { reversed, shoelace, type FlatRing } from "./flat-ring.ts";

/** A vertex nearer to a window line than this lies on it: no order of crossings can be trusted there. */
const ON_LINE_DEG = 1e-13;

/** A run of a ring inside the window, from where it comes in to where it leaves. */
interface Chain {
  readonly positions: number[];
  /** Places along the window's border: number of the window's edge plus the share of it, counter-clockwise. */
  readonly entry: number;
  exit: number;
}

/** A crossing of an edge with the window's border. */
interface Crossing {
  readonly lon: number;
  readonly lat: number;
  readonly at: number;
}

/**
 * The part of a valid polygon inside a convex window, by joining the runs of its rings inside the window along the
 * window's border: 1.7 ms for 9,000 vertices where an overlay takes 70 to 290 ms.
 *
 * @param rings the exterior first, then holes, any orientation; no two edges may meet
 * @param window convex, counter-clockwise
 * @returns polygons as rings, the exterior first; null when a vertex lies on a line of the window or the runs cannot
 *   be joined, which leaves the polygon to an overlay
 */
export function clipPolygonToWindow(
  rings: readonly FlatRing[],
  window: FlatRing,
): readonly (readonly FlatRing[])[] | null {
  const chains: Chain[] = [];
  const whole: { readonly ring: FlatRing; readonly isHole: boolean }[] = [];
  /** Of the window's first corner; rings wholly inside the window never contain it. */
  let isCornerInside = false;
  for (const [index, ring] of rings.entries()) {
    const isHole = index > 0;
    const oriented = shoelace(ring) > 0 === isHole ? reversed(ring) : ring;
    const found = chainsOf(oriented, window);
    if (found === null) return null;
    if (found === "inside") whole.push({ ring: oriented, isHole });
    else if (found.length > 0) chains.push(...found);
    else if (contains(ring, window[0] ?? 0, window[1] ?? 0)) isCornerInside = !isCornerInside;
  }
  const exteriors = chains.length > 0 ? joined(chains, window) : [];
  if (exteriors === null) return null;
  if (chains.length === 0 && isCornerInside) exteriors.push([...window]);
  const polygons = [...exteriors, ...whole.flatMap(({ ring, isHole }) => (isHole ? [] : [ring]))].map(
    (ring): FlatRing[] => [ring],
  );
  for (const { ring, isHole } of whole) {
    if (!isHole) continue;
    const owner = polygons.find(
      ([exterior]) => exterior !== undefined && contains(exterior, ring[0] ?? 0, ring[1] ?? 0),
    );
    if (owner === undefined) return null;
    owner.push(ring);
  }
  return polygons;
}

/** Even-odd rule. */
function contains(ring: FlatRing, x: number, y: number): boolean {
  let isInside = false;
  let x1 = ring[ring.length - 2] ?? 0;
  let y1 = ring[ring.length - 1] ?? 0;
  for (let i = 0; i < ring.length; i += 2) {
    const x2 = ring[i] ?? 0;
    const y2 = ring[i + 1] ?? 0;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    x1 = x2;
    y1 = y2;
  }
  return isInside;
}

/** The runs of a ring inside the window; "inside" when it never leaves; null when a vertex lies on the border. */
function chainsOf(ring: FlatRing, window: FlatRing): readonly Chain[] | "inside" | null {
  const chains: Chain[] = [];
  /** Positions before the first entry: they belong to the last run. */
  const head: number[] = [];
  let open: Chain | null = null;
  let from = placeOf(ring[ring.length - 2] ?? 0, ring[ring.length - 1] ?? 0, window);
  const startsInside = from === "inside";
  let headExit: Crossing | null = null;
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i] ?? 0;
    const lat = ring[i + 1] ?? 0;
    const to = placeOf(lon, lat, window);
    if (from === "border" || to === "border") return null;
    const j = i === 0 ? ring.length - 2 : i - 2;
    const crossing =
      from === "inside" && to === "inside" ? null : crossings(ring[j] ?? 0, ring[j + 1] ?? 0, lon, lat, window);
    if (crossing?.entry !== undefined && from === "outside") {
      open = { positions: [crossing.entry.lon, crossing.entry.lat], entry: crossing.entry.at, exit: Number.NaN };
      chains.push(open);
    }
    if (crossing?.exit !== undefined && to === "outside") {
      if (open !== null) {
        open.positions.push(crossing.exit.lon, crossing.exit.lat);
        open.exit = crossing.exit.at;
        open = null;
      } else if (headExit === null && from === "inside") headExit = crossing.exit;
      else return null;
    }
    if (to === "inside") (open?.positions ?? head).push(lon, lat);
    from = to;
  }
  if (startsInside && chains.length === 0 && headExit === null) return "inside";
  if (headExit !== null) {
    if (open === null) return null;
    open.positions.push(...head, headExit.lon, headExit.lat);
    open.exit = headExit.at;
  } else if (open !== null || head.length > 0) return null;
  return chains;
}

function placeOf(x: number, y: number, window: FlatRing): "inside" | "outside" | "border" {
  let isOnLine = false;
  let x1 = window[window.length - 2] ?? 0;
  let y1 = window[window.length - 1] ?? 0;
  for (let i = 0; i < window.length; i += 2) {
    const x2 = window[i] ?? 0;
    const y2 = window[i + 1] ?? 0;
    const length = Math.hypot(x2 - x1, y2 - y1);
    const distance = ((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / length;
    if (distance < -ON_LINE_DEG) return "outside";
    if (distance <= ON_LINE_DEG) isOnLine = true;
    x1 = x2;
    y1 = y2;
  }
  return isOnLine ? "border" : "inside";
}

/** Where an edge comes in and where it leaves (Cyrus and Beck); null when it misses the window. */
function crossings(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  window: FlatRing,
): { readonly entry?: Crossing; readonly exit?: Crossing } | null {
  let enter = 0;
  let leave = 1;
  let entryEdge = -1;
  let exitEdge = -1;
  const count = window.length / 2;
  for (let edge = 0; edge < count; edge += 1) {
    const ax = window[2 * edge] ?? 0;
    const ay = window[2 * edge + 1] ?? 0;
    const next = 2 * ((edge + 1) % count);
    const ex = (window[next] ?? 0) - ax;
    const ey = (window[next + 1] ?? 0) - ay;
    const start = ex * (y1 - ay) - ey * (x1 - ax);
    const end = ex * (y2 - ay) - ey * (x2 - ax);
    if (start < 0 && end < 0) return null;
    if (start >= 0 === end >= 0) continue;
    const t = start / (start - end);
    if (start < 0) {
      if (t > enter) {
        enter = t;
        entryEdge = edge;
      }
    } else if (t < leave) {
      leave = t;
      exitEdge = edge;
    }
  }
  if (enter >= leave) return null;
  const crossing = (edge: number, t: number): Crossing => {
    const lon = x1 + t * (x2 - x1);
    const lat = y1 + t * (y2 - y1);
    const ax = window[2 * edge] ?? 0;
    const ay = window[2 * edge + 1] ?? 0;
    const next = 2 * ((edge + 1) % count);
    const ex = (window[next] ?? 0) - ax;
    const ey = (window[next + 1] ?? 0) - ay;
    const share = Math.abs(ex) > Math.abs(ey) ? (lon - ax) / ex : (lat - ay) / ey;
    return { lon, lat, at: edge + Math.min(Math.max(share, 0), 1) };
  };
  return {
    ...(entryEdge === -1 ? {} : { entry: crossing(entryEdge, enter) }),
    ...(exitEdge === -1 ? {} : { exit: crossing(exitEdge, leave) }),
  };
}

/** Rings from runs: from each exit counter-clockwise along the border to the next entry. */
function joined(chains: readonly Chain[], window: FlatRing): number[][] | null {
  const entries = chains.toSorted((a, b) => a.entry - b.entry);
  const used = new Set<Chain>();
  const count = window.length / 2;
  const rings: number[][] = [];
  for (const first of chains) {
    if (used.has(first)) continue;
    const ring: number[] = [];
    let chain = first;
    do {
      if (used.has(chain)) return null;
      used.add(chain);
      for (const value of chain.positions) ring.push(value);
      const next = entryAfter(entries, chain.exit);
      if (next === undefined) return null;
      const to = next.entry > chain.exit ? next.entry : next.entry + count;
      for (let corner = Math.floor(chain.exit) + 1; corner < to; corner += 1) {
        ring.push(window[2 * (corner % count)] ?? 0, window[2 * (corner % count) + 1] ?? 0);
      }
      chain = next;
    } while (chain !== first);
    rings.push(ring);
  }
  return rings;
}

/** The first run that comes in counter-clockwise of a place; entries are in order around the window. */
function entryAfter(entries: readonly Chain[], at: number): Chain | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.entry ?? 0) > at) high = middle;
    else low = middle + 1;
  }
  return entries[low] ?? entries[0];
}
