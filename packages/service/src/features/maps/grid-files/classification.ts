import type { SegmentationHierarchy } from "@swath/maps/map-type";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { Classification } from "@swath/maps/render/grid-renderer";
import { refuseQuery } from "./refuse-query.ts";

type Color = readonly [red: number, green: number, blue: number];
type Range = Classification["ranges"][number];
type Union = Classification["unions"][number];

const MAX_CLASSES = 32;
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,63}$/u;
const COLOR = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/iu;
const RANGE_FORM = "name:low:high:#rrggbb";
const UNION_FORM = "name:class,class:#rrggbb";

function refuse(line: number, message: string): never {
  refuseQuery("classification", `line ${line}: ${message}`);
}

function colorOf(text: string, line: number): Color {
  const parts = COLOR.exec(text);
  if (parts === null) refuse(line, `got the colour "${text}", expected #rrggbb`);
  const byte = (index: number): number => Number.parseInt(parts[index] ?? "", 16);
  return [byte(1), byte(2), byte(3)];
}

function limitOf(text: string, open: number, line: number): number {
  if (text === "") return open;
  const value = Number(text);
  if (!Number.isFinite(value)) refuse(line, `got the limit "${text}", expected a number, or nothing for an open end`);
  return value;
}

function rangeOf([name = "", low = "", high = "", color = ""]: readonly string[], line: number): Range {
  const range = {
    name,
    low: limitOf(low, -Infinity, line),
    high: limitOf(high, Infinity, line),
    color: colorOf(color, line),
  };
  if (!(range.low < range.high))
    refuse(line, `got the limits ${range.low} and ${range.high}, expected the first to be lower`);
  return range;
}

/** The map type's classes that a name stands for: itself, or what a class of the hierarchy unites. */
function membersOf(
  name: string,
  own: ReadonlySet<string>,
  hierarchy: SegmentationHierarchy | undefined,
): readonly string[] {
  if (own.has(name)) return [name];
  if (hierarchy === undefined) return [];
  if (name === hierarchy.masterClass) return hierarchy.baseClasses.filter((one) => own.has(one));
  const children = Object.hasOwn(hierarchy.parentClasses, name) ? (hierarchy.parentClasses[name] ?? []) : [];
  return children.flatMap((child) => (child === name ? [] : membersOf(child, own, hierarchy)));
}

function unionOf(
  [name = "", list, color]: readonly string[],
  line: number,
  colors: Readonly<Record<string, Color>>,
  hierarchy: SegmentationHierarchy | undefined,
): Union {
  const own = new Set(Object.keys(colors));
  const wanted = list === undefined ? [name] : list.split(",").map((one) => one.trim());
  const members = wanted.flatMap((one) => {
    const found = membersOf(one, own, hierarchy);
    if (found.length > 0) return found;
    const known = [...own, ...Object.keys(hierarchy?.parentClasses ?? {})].join(", ");
    return refuse(line, `got the class "${one}", expected one of ${known}`);
  });
  const first = members[0] ?? "";
  return { name, members, color: color === undefined ? (colors[first] ?? [128, 128, 128]) : colorOf(color, line) };
}

function requireDistinct(names: readonly string[], what: string): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuseQuery("classification", `${what} "${twice}" twice`);
}

/**
 * The classes of a `classification` parameter: lines (or parts between semicolons), each `name:low:high:#rrggbb` for
 * values, or `name:class,class:#rrggbb`, `name:class,class` or `class` for classes of the map type and its hierarchy.
 * Null where the map type has neither, and for an empty text.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the line that is wrong
 */
export function parseClassification(
  text: string | undefined,
  { id, rendering, segmentationColors, segmentationHierarchy }: MapTypeDescriptor,
): Classification | null {
  const lines = (text ?? "").split(/[\r\n;]+/u).map((line) => line.trim());
  if (rendering.kind === "composite" || lines.every((line) => line === "")) return null;
  const hasValues = rendering.kind === "index" || rendering.layers.some(({ kind }) => kind === "values");
  const ranges: Range[] = [];
  const unions: Union[] = [];
  for (const [index, written] of lines.filter((line) => line !== "").entries()) {
    const line = index + 1;
    const parts = written.split(":").map((part) => part.trim());
    if (!NAME.test(parts[0] ?? ""))
      refuse(line, `got the name "${parts[0] ?? ""}", expected letters, digits, space, _ . -`);
    if (parts.length === 4) {
      if (!hasValues) refuse(line, `${id} has classes and no values, expected ${UNION_FORM}`);
      ranges.push(rangeOf(parts, line));
    } else if (parts.length < 4) {
      if (segmentationColors === null) refuse(line, `${id} has values and no classes, expected ${RANGE_FORM}`);
      unions.push(unionOf(parts, line, segmentationColors, segmentationHierarchy));
    } else refuse(line, `got ${parts.length} parts, expected ${RANGE_FORM} or ${UNION_FORM}`);
  }
  if (ranges.length > MAX_CLASSES || unions.length > MAX_CLASSES) {
    refuseQuery(
      "classification",
      `has ${Math.max(ranges.length, unions.length)} classes, expected at most ${MAX_CLASSES}`,
    );
  }
  requireDistinct(
    [...ranges, ...unions].map(({ name }) => name),
    "names the class",
  );
  requireDistinct(
    unions.flatMap(({ members }) => members),
    "uses",
  );
  return { ranges, unions };
}
