import { CompiledModule } from "../web-assembly/compiled-module.ts";
import { OVERLAY_ENGINE } from "./overlay-engine.generated.ts";
import { OverlayError } from "./overlay-error.ts";
import type { LinearRing, MultiPolygonCoordinates, PolygonCoordinates, Position } from "./geojson.ts";

export type Operation = "intersection" | "union" | "difference";

/** The result of an overlay, and the part that its area can be checked by. */
export interface Overlaid {
  readonly result: MultiPolygonCoordinates;
  /** `a` without `b` for an intersection, else what both have in common. */
  readonly counterpart: MultiPolygonCoordinates;
}

/** Exports of the module compiled from `overlay-engine/src/lib.rs`. */
interface Engine {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Makes room for the numbers of both areas. */
  readonly input: (length: number) => number;
  readonly overlay: (operation: number) => number;
  readonly output: () => number;
}

const OPERATIONS: Readonly<Record<Operation, number>> = { intersection: 0, union: 1, difference: 2 };
/** The bound of the module's memory, as it was compiled. */
const MAX_BYTES = 256 * 2 ** 20;
/** The memory of a module never shrinks: one that grew beyond this is left to the garbage collector. */
const MAX_KEPT_BYTES = 32 * 2 ** 20;

const compiled = new CompiledModule(OVERLAY_ENGINE);
let running: Engine | null = null;

function engine(): Engine {
  if (running !== null) return running;
  running = compiled.instantiate() as Engine;
  return running;
}

/**
 * Overlays areas on a grid of 2^-52 degrees, on which it places every corner exactly: edges that nearly coincide can
 * neither loop nor leave a ring open. A ring is filled where it goes around a place, however often; parts of an area
 * may overlap.
 *
 * @throws {OverlayError} when the module needs more than 256 MiB
 */
export function overlayPolygons(
  operation: Operation,
  a: MultiPolygonCoordinates,
  b: MultiPolygonCoordinates,
): Overlaid {
  const { memory, input, overlay, output } = engine();
  let isDone = false;
  try {
    const length = numberCount(a) + numberCount(b);
    const start = input(length);
    writeArea(writeArea({ numbers: new Float64Array(memory.buffer, start, length), at: 0 }, a), b);
    const written = overlay(OPERATIONS[operation]);
    const reading = { numbers: new Float64Array(memory.buffer, output(), written), at: 0 };
    const overlaid = { result: readArea(reading), counterpart: readArea(reading) };
    isDone = true;
    return overlaid;
  } catch (error) {
    if (!isOutOfMemory(error, memory.buffer.byteLength)) throw error;
    throw new OverlayError("the overlay of these polygons needs more than 256 MiB", { cause: error });
  } finally {
    // A module that was stopped in the middle of its work is not used again.
    if (!isDone || memory.buffer.byteLength > MAX_KEPT_BYTES) running = null;
  }
}

/** Whether the module stopped for want of memory: a list asks for twice its memory while it has the old one. */
function isOutOfMemory(error: unknown, bytes: number): boolean {
  return error instanceof Error && error.name === "RuntimeError" && bytes > MAX_BYTES / 3;
}

interface Cursor {
  readonly numbers: Float64Array;
  at: number;
}

function numberCount(polygons: MultiPolygonCoordinates): number {
  let count = 1;
  for (const polygon of polygons) {
    count += 1;
    for (const ring of polygon) count += 1 + 2 * openLength(ring);
  }
  return count;
}

function openLength(ring: LinearRing): number {
  return Math.max(0, ring.length - 1);
}

function writeArea(cursor: Cursor, polygons: MultiPolygonCoordinates): Cursor {
  write(cursor, polygons.length);
  for (const polygon of polygons) {
    write(cursor, polygon.length);
    for (const ring of polygon) {
      const length = openLength(ring);
      write(cursor, length);
      for (let i = 0; i < length; i += 1) {
        const [lon, lat] = ring[i] ?? [0, 0];
        write(cursor, lon);
        write(cursor, lat);
      }
    }
  }
  return cursor;
}

function write(cursor: Cursor, number: number): void {
  cursor.numbers[cursor.at] = number;
  cursor.at += 1;
}

function read(cursor: Cursor): number {
  const number = cursor.numbers[cursor.at] ?? 0;
  cursor.at += 1;
  return number;
}

function readArea(cursor: Cursor): MultiPolygonCoordinates {
  return Array.from({ length: read(cursor) }, (): PolygonCoordinates =>
    Array.from({ length: read(cursor) }, () => readRing(cursor)),
  );
}

function readRing(cursor: Cursor): LinearRing {
  const ring = Array.from({ length: read(cursor) }, (): Position => [read(cursor), read(cursor)]);
  const [first] = ring;
  return first === undefined ? ring : [...ring, [...first]];
}
