import type { Geometry, Position } from "../geometry/geojson.ts";
import { expect, isNext, peek, take, takeIf, unexpected, type TokenReader } from "./token-reader.ts";
import { boxGeometry } from "./read-json.ts";

const DEPTHS: Readonly<Record<string, readonly [type: string, depth: number]>> = {
  POINT: ["Point", 0],
  LINESTRING: ["LineString", 1],
  POLYGON: ["Polygon", 2],
  MULTIPOINT: ["MultiPoint", 1],
  MULTILINESTRING: ["MultiLineString", 2],
  MULTIPOLYGON: ["MultiPolygon", 3],
};

/** Whether a geometry begins here. */
export function isGeometryNext(reader: TokenReader): boolean {
  const { kind, text } = peek(reader);
  const name = text.toUpperCase();
  if (kind !== "name" || !(Object.hasOwn(DEPTHS, name) || name === "BBOX" || name === "ENVELOPE")) return false;
  return isNext(reader, "(", 1) || isNext(reader, "Z", 1);
}

/** Reads well-known text, or BBOX(west, south, east, north). @throws {Cql2Error} when it is malformed */
export function readGeometry(reader: TokenReader): Geometry {
  const name = take(reader).text.toUpperCase();
  takeIf(reader, "Z");
  if (name === "BBOX" || name === "ENVELOPE") return boxGeometry(readNumbers(reader));
  const [type, depth] = DEPTHS[name] ?? ["Point", 0];
  expect(reader, "(");
  const coordinates = depth === 0 ? readPosition(reader) : readList(reader, depth - 1);
  expect(reader, ")");
  // Depth and type belong together; whether rings are closed is decided where an area is made of it.
  return { type, coordinates } as unknown as Geometry;
}

function readNumbers(reader: TokenReader): readonly number[] {
  expect(reader, "(");
  const numbers = [readNumber(reader)];
  while (takeIf(reader, ",")) numbers.push(readNumber(reader));
  expect(reader, ")");
  return numbers;
}

function readList(reader: TokenReader, depth: number): unknown[] {
  const items: unknown[] = [readPart(reader, depth)];
  while (takeIf(reader, ",")) items.push(readPart(reader, depth));
  return items;
}

function readPart(reader: TokenReader, depth: number): unknown {
  // Points of a MULTIPOINT may stand in parentheses.
  if (depth === 0 && !isNext(reader, "(")) return readPosition(reader);
  expect(reader, "(");
  const part = depth === 0 ? readPosition(reader) : readList(reader, depth - 1);
  expect(reader, ")");
  return part;
}

function readPosition(reader: TokenReader): Position {
  const position: Position = [readNumber(reader), readNumber(reader)];
  // A height.
  if (peek(reader).kind === "number" || isNext(reader, "-")) readNumber(reader);
  return position;
}

function readNumber(reader: TokenReader): number {
  const sign = takeIf(reader, "-") ? -1 : 1;
  if (peek(reader).kind !== "number") throw unexpected(reader, "a number");
  return sign * Number(take(reader).text);
}
