import { normalForm, unwrapRing } from "../../geometry/antimeridian.ts";
import type { Bounds, Geometry, PolygonCoordinates, Position } from "../../geometry/geojson.ts";
import { mbr } from "../../geometry/mbr.ts";
import type { FlatLine } from "./orientation.ts";

/** Steps of a degree: seven decimals, so that every stored coordinate is an integer and predicates are exact. */
export const STEPS_PER_DEGREE = 1e7;
/** One turn. */
export const TURN = 360 * STEPS_PER_DEGREE;
const HALF_TURN = TURN / 2;

/** West, south, east, north in steps. */
export type GridBox = readonly [west: number, south: number, east: number, north: number];

/** A connected piece of a geometry. It starts in [-180, 180) and runs on past 180 instead of jumping. */
export interface GridPart {
  readonly kind: "point" | "line" | "area";
  /** A point has one line of one place; rings of an area are closed, the exterior first. */
  readonly lines: readonly FlatLine[];
  readonly box: GridBox;
}

/** A geometry on the integer grid; no parts when it is empty. */
export interface GridGeometry {
  readonly parts: readonly GridPart[];
}

function steps(degrees: number): number {
  return Math.round(degrees * STEPS_PER_DEGREE);
}

export function boxOf(lines: readonly FlatLine[]): GridBox {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      const x = line[i] ?? 0;
      const y = line[i + 1] ?? 0;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
  }
  return [west, south, east, north];
}

export function shiftedLine(line: FlatLine, by: number): FlatLine {
  return by === 0 ? line : line.map((value, index) => (index % 2 === 0 ? value + by : value));
}

function part(kind: GridPart["kind"], lines: readonly FlatLine[]): GridPart {
  const [west] = boxOf(lines);
  const by = -TURN * Math.floor((west + HALF_TURN) / TURN);
  const placed = by === 0 ? lines : lines.map((line) => shiftedLine(line, by));
  return { kind, lines: placed, box: boxOf(placed) };
}

/** Iterators over positions and over their numbers would take four times the memory of all the rest. */
function flat(positions: readonly Position[]): FlatLine {
  const line: number[] = [];
  for (let i = 0; i < positions.length; i += 1) {
    const position = positions[i];
    if (position !== undefined) line.push(steps(position[0]), steps(position[1]));
  }
  return line;
}

function isPlain(positions: readonly Position[]): boolean {
  let previous = positions[0]?.[0] ?? 0;
  for (let i = 1; i < positions.length; i += 1) {
    const lon = positions[i]?.[0] ?? previous;
    if (Math.abs(lon - previous) > 180) return false;
    previous = lon;
  }
  return true;
}

function unwrapped(positions: readonly Position[]): readonly Position[] {
  return isPlain(positions) ? positions : unwrapRing(positions).ring;
}

function areas(polygon: PolygonCoordinates): readonly GridPart[] {
  if (polygon.every(isPlain)) return [part("area", polygon.map(flat))];
  const rings = polygon.map((ring) => unwrapRing(ring));
  if (rings.some(({ windingDeg }) => windingDeg !== 0)) {
    return normalForm([polygon]).map((one) => part("area", one.map(flat)));
  }
  const [exterior, ...holes] = rings.map(({ ring }) => flat(ring));
  if (exterior === undefined) return [];
  const [west, , east] = boxOf([exterior]);
  const middle = (west + east) / 2;
  const placed = holes.map((hole) => {
    const [holeWest, , holeEast] = boxOf([hole]);
    return shiftedLine(hole, TURN * Math.round((middle - (holeWest + holeEast) / 2) / TURN));
  });
  return [part("area", [exterior, ...placed])];
}

function partsOf(geometry: Geometry): readonly GridPart[] {
  switch (geometry.type) {
    case "Point":
      return [part("point", [flat([geometry.coordinates])])];
    case "MultiPoint":
      return geometry.coordinates.map((position) => part("point", [flat([position])]));
    case "LineString":
      return [part("line", [flat(unwrapped(geometry.coordinates))])];
    case "MultiLineString":
      return geometry.coordinates.map((line) => part("line", [flat(unwrapped(line))]));
    case "Polygon":
      return areas(geometry.coordinates);
    case "MultiPolygon":
      return geometry.coordinates.flatMap(areas);
    case "GeometryCollection":
      break;
  }
  return geometry.geometries.flatMap(partsOf);
}

/**
 * A geometry with coordinates of at most seven decimals on the integer grid. Edges are straight in longitude and
 * latitude; one of more than 180 degrees is the short way across the antimeridian.
 */
export function gridGeometry(geometry: Geometry): GridGeometry {
  return { parts: partsOf(geometry) };
}

/** The smallest box around a geometry, degrees; its east side exceeds 180 across the antimeridian. Null when empty. */
export function gridBounds({ parts }: GridGeometry): Bounds | null {
  if (parts.length === 0) return null;
  const diagonals = parts.map(({ box: [west, south, east, north] }) => [
    [
      [west / STEPS_PER_DEGREE, south / STEPS_PER_DEGREE],
      [east / STEPS_PER_DEGREE, north / STEPS_PER_DEGREE],
    ] as const,
  ]);
  return mbr({ type: "MultiPolygon", coordinates: diagonals });
}
