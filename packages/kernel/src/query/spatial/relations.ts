import { unionAll } from "../../geometry/clip.ts";
import type { PolygonCoordinates, Position } from "../../geometry/geojson.ts";
import {
  boxOf,
  type GridBox,
  type GridGeometry,
  type GridPart,
  shiftedLine,
  STEPS_PER_DEGREE,
  TURN,
} from "./grid-geometry.ts";
import { type FlatLine, isOnSegment, locate, segmentMeeting } from "./orientation.ts";

const TURNS = [0, TURN, -TURN] as const;

function boxesMeet(a: GridBox, b: GridBox, shift = 0): boolean {
  return a[0] <= b[2] + shift && b[0] + shift <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}

function shifted(part: GridPart, by: number): GridPart {
  if (by === 0) return part;
  const [west, south, east, north] = part.box;
  return {
    kind: part.kind,
    lines: part.lines.map((line) => shiftedLine(line, by)),
    box: [west + by, south, east + by, north],
  };
}

/** Calls for each edge that reaches into a box until the callback says stop; whether it did. */
function someEdge(
  lines: readonly FlatLine[],
  [west, south, east, north]: GridBox,
  stop: (x1: number, y1: number, x2: number, y2: number) => boolean,
): boolean {
  for (const line of lines) {
    for (let i = 0; i + 3 < line.length; i += 2) {
      const x1 = line[i] ?? 0;
      const y1 = line[i + 1] ?? 0;
      const x2 = line[i + 2] ?? 0;
      const y2 = line[i + 3] ?? 0;
      if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) continue;
      if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) continue;
      if (stop(x1, y1, x2, y2)) return true;
    }
  }
  return false;
}

function edgesWithin(lines: readonly FlatLine[], box: GridBox): number[] {
  const edges: number[] = [];
  someEdge(lines, box, (x1, y1, x2, y2) => {
    edges.push(x1, y1, x2, y2);
    return false;
  });
  return edges;
}

function commonBox(a: GridBox, b: GridBox): GridBox {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

function isOnLines(x: number, y: number, lines: readonly FlatLine[]): boolean {
  return someEdge(lines, [x, y, x, y], (x1, y1, x2, y2) => isOnSegment(x1, y1, x2, y2, x, y));
}

function pointMeets(x: number, y: number, other: GridPart): boolean {
  switch (other.kind) {
    case "point":
      return other.lines[0]?.[0] === x && other.lines[0][1] === y;
    case "line":
      return isOnLines(x, y, other.lines);
    case "area":
      break;
  }
  return locate(x, y, other.lines) !== "outside";
}

function start({ lines }: GridPart): readonly [number, number] {
  return [lines[0]?.[0] ?? Number.NaN, lines[0]?.[1] ?? Number.NaN];
}

function partsMeet(a: GridPart, b: GridPart): boolean {
  if (!boxesMeet(a.box, b.box)) return false;
  if (a.kind === "point") return pointMeets(...start(a), b);
  if (b.kind === "point") return pointMeets(...start(b), a);
  const common = commonBox(a.box, b.box);
  const edges = edgesWithin(a.lines, common);
  const meet = someEdge(b.lines, common, (x1, y1, x2, y2) => {
    for (let i = 0; i < edges.length; i += 4) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]];
      if (segmentMeeting(ax, ay, bx, by, x1, y1, x2, y2) !== "apart") return true;
    }
    return false;
  });
  if (meet) return true;
  // No borders meet: one lies inside the other or they are apart.
  if (b.kind === "area" && locate(...start(a), b.lines) !== "outside") return true;
  return a.kind === "area" && locate(...start(b), a.lines) !== "outside";
}

/** Whether two geometries have a place in common, borders included. Exact. */
export function intersects(a: GridGeometry, b: GridGeometry): boolean {
  return a.parts.some((one) =>
    b.parts.some((other) =>
      TURNS.some((turn) => boxesMeet(one.box, other.box, turn) && partsMeet(one, shifted(other, turn))),
    ),
  );
}

/** A geometry prepared to be asked whether others lie within it. */
export interface Container {
  /** Areas that share borders at single places only, one turn to either side included. */
  readonly areas: readonly GridPart[];
  readonly lines: readonly GridPart[];
  readonly points: readonly GridPart[];
  /** Places where lines end: borders of the lines. */
  readonly ends: ReadonlySet<string>;
}

function placesAround(parts: readonly GridPart[]): readonly GridPart[] {
  return parts.flatMap((part) => TURNS.map((turn) => shifted(part, turn)));
}

function polygonOf({ lines }: GridPart): PolygonCoordinates {
  return lines.map((line) => {
    const ring: Position[] = [];
    for (let i = 0; i < line.length; i += 2)
      ring.push([(line[i] ?? 0) / STEPS_PER_DEGREE, (line[i + 1] ?? 0) / STEPS_PER_DEGREE]);
    return ring;
  });
}

/** Joined where borders are shared, as the halves of an area that was cut at the antimeridian share one. */
function joinedAreas(parts: readonly GridPart[]): readonly GridPart[] {
  const meet = parts.some((one, index) => parts.slice(index + 1).some((other) => boxesMeet(one.box, other.box)));
  if (!meet) return parts;
  return unionAll(parts.map(polygonOf)).coordinates.map((polygon): GridPart => {
    const lines = polygon.map((ring) =>
      ring.flatMap(([x, y]) => [Math.round(x * STEPS_PER_DEGREE), Math.round(y * STEPS_PER_DEGREE)]),
    );
    return { kind: "area", lines, box: boxOf(lines) };
  });
}

export function containerOf({ parts }: GridGeometry): Container {
  const areas = joinedAreas(placesAround(parts.filter(({ kind }) => kind === "area")));
  const lines = placesAround(parts.filter(({ kind }) => kind === "line"));
  const counts = new Map<string, number>();
  for (const line of lines.flatMap((one) => one.lines)) {
    for (const i of [0, line.length - 2]) {
      const key = `${line[i]} ${line[i + 1]}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  // A place where an even number of lines end is passed through.
  const ends = new Set([...counts].filter(([, count]) => count % 2 === 1).map(([key]) => key));
  return { areas, lines, points: placesAround(parts.filter(({ kind }) => kind === "point")), ends };
}

type Cover = "outside" | "border" | "inside";

function pointCover(x: number, y: number, container: Container): Cover {
  let cover: Cover = "outside";
  for (const area of container.areas) {
    if (!boxesMeet(area.box, [x, y, x, y])) continue;
    const where = locate(x, y, area.lines);
    if (where === "inside") return "inside";
    if (where === "border") cover = "border";
  }
  for (const line of container.lines) {
    if (!boxesMeet(line.box, [x, y, x, y]) || !isOnLines(x, y, line.lines)) continue;
    if (!container.ends.has(`${x} ${y}`)) return "inside";
    cover = "border";
  }
  const isPoint = container.points.some((point) => point.box[0] === x && point.box[1] === y);
  return isPoint ? "inside" : cover;
}

/** Distance along an edge, for sorting places on it. */
function along(x1: number, y1: number, x: number, y: number): number {
  return Math.abs(x - x1) + Math.abs(y - y1);
}

/** The places of lines that lie on an edge, with its ends, in order. Null when an edge of theirs crosses it. */
function cuts(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  edges: readonly number[],
): readonly (readonly [number, number])[] | null {
  const places: (readonly [number, number])[] = [
    [x1, y1],
    [x2, y2],
  ];
  for (let i = 0; i < edges.length; i += 4) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]];
    const meeting = segmentMeeting(x1, y1, x2, y2, ax, ay, bx, by);
    if (meeting === "apart") continue;
    if (meeting === "cross") return null;
    if (isOnSegment(x1, y1, x2, y2, ax, ay)) places.push([ax, ay]);
    if (isOnSegment(x1, y1, x2, y2, bx, by)) places.push([bx, by]);
  }
  return places.toSorted((a, b) => along(x1, y1, a[0], a[1]) - along(x1, y1, b[0], b[1]));
}

/** Edges of a part against areas: covered when no piece between two meetings leaves them. */
function edgesCover(part: GridPart, areas: readonly GridPart[]): Cover {
  const near = areas.filter((area) => boxesMeet(area.box, part.box));
  const edges = near.flatMap((area) => edgesWithin(area.lines, part.box));
  let cover: Cover = "border";
  const everything: GridBox = [-Infinity, -Infinity, Infinity, Infinity];
  const leaves = someEdge(part.lines, everything, (x1, y1, x2, y2) => {
    const places = cuts(x1, y1, x2, y2, edges);
    if (places === null) return true;
    for (let i = 1; i < places.length; i += 1) {
      const [fromX, fromY] = places[i - 1] ?? [0, 0];
      const [toX, toY] = places[i] ?? [0, 0];
      if (fromX === toX && fromY === toY && (x1 !== x2 || y1 !== y2)) continue;
      // The middle in half steps, so that it stays an integer.
      const where = near.map((area) => locate(fromX + toX, fromY + toY, area.lines, 2));
      if (where.includes("inside")) cover = "inside";
      else if (!where.includes("border")) return true;
    }
    return false;
  });
  return leaves ? "outside" : cover;
}

/** Whether a border of the areas runs through the inside of an area whose own border they cover. */
function isHollow(part: GridPart, areas: readonly GridPart[]): boolean {
  const own = edgesWithin(part.lines, part.box);
  return areas.some((area) =>
    someEdge(area.lines, part.box, (x1, y1, x2, y2) => {
      const places = cuts(x1, y1, x2, y2, own) ?? [];
      return places.some(([toX, toY], i) => {
        const [fromX, fromY] = places[i - 1] ?? [toX, toY];
        if (fromX === toX && fromY === toY) return false;
        return locate(fromX + toX, fromY + toY, part.lines, 2) === "inside";
      });
    }),
  );
}

/** A line against lines: each piece between their places must lie on one of them. */
function isAlongLines(part: GridPart, container: Container): boolean {
  const edges = container.lines.flatMap((line) =>
    boxesMeet(line.box, part.box) ? edgesWithin(line.lines, part.box) : [],
  );
  const everything: GridBox = [-Infinity, -Infinity, Infinity, Infinity];
  return !someEdge(part.lines, everything, (x1, y1, x2, y2) => {
    const touching: number[] = [];
    for (let i = 0; i < edges.length; i += 4) {
      const edge = edges.slice(i, i + 4);
      const [ax = 0, ay = 0, bx = 0, by = 0] = edge;
      if (segmentMeeting(x1, y1, x2, y2, ax, ay, bx, by) === "touch") touching.push(...edge);
    }
    const places = cuts(x1, y1, x2, y2, touching) ?? [];
    return places.some(([toX, toY], p) => {
      const [fromX, fromY] = places[p - 1] ?? [toX, toY];
      if (p === 0) return false;
      for (let i = 0; i < touching.length; i += 4) {
        const [ax = 0, ay = 0, bx = 0, by = 0] = [touching[i], touching[i + 1], touching[i + 2], touching[i + 3]];
        if (isOnSegment(ax, ay, bx, by, fromX, fromY) && isOnSegment(ax, ay, bx, by, toX, toY)) return false;
      }
      return true;
    });
  });
}

function partCover(part: GridPart, container: Container): Cover {
  if (part.kind === "point") return pointCover(...start(part), container);
  const cover = edgesCover(part, container.areas);
  if (part.kind === "line") return cover === "outside" && isAlongLines(part, container) ? "inside" : cover;
  if (cover === "outside" || isHollow(part, container.areas)) return "outside";
  // No border of the container runs through the part, so all of its inside is where any of it is.
  return cover === "inside" || isInsideCovered(part, container.areas) ? "inside" : "outside";
}

/** Steps finer than the grid, so that there are places between its lines. */
const FINER = 1024;

/** Whether a place inside a part lies in one of the areas. */
function isInsideCovered(part: GridPart, areas: readonly GridPart[]): boolean {
  const heights = [...new Set(part.lines.flatMap((line) => line.filter((_, i) => i % 2 === 1)))].toSorted(
    (a, b) => a - b,
  );
  for (let i = 1; i < heights.length; i += 1) {
    const y = (((heights[i - 1] ?? 0) + (heights[i] ?? 0)) / 2) * FINER;
    const crossings: number[] = [];
    someEdge(part.lines, part.box, (x1, y1, x2, y2) => {
      const share = (y / FINER - y1) / (y2 - y1);
      if (share > 0 && share < 1) crossings.push((x1 + share * (x2 - x1)) * FINER);
      return false;
    });
    crossings.sort((a, b) => a - b);
    for (let c = 1; c < crossings.length; c += 1) {
      const x = Math.round(((crossings[c - 1] ?? 0) + (crossings[c] ?? 0)) / 2);
      if (locate(x, y, part.lines, FINER) !== "inside") continue;
      return areas.some((area) => locate(x, y, area.lines, FINER) === "inside");
    }
  }
  // Thinner than the finest step everywhere: nothing but its border, which is covered.
  return true;
}

/**
 * Whether a geometry lies within another: no place of it outside, and not only on the border. Exact; each part of it
 * must be covered by areas together, by lines together, or be a point. Polygons are taken to be valid.
 *
 * @see OGC 06-103r4, 6.1.15.3, "Within"
 */
export function isWithin({ parts }: GridGeometry, container: Container): boolean {
  let interior = false;
  for (const part of parts) {
    const cover = partCover(part, container);
    if (cover === "outside") return false;
    if (cover === "inside") interior = true;
  }
  return interior;
}
