import { difference, intersection, union } from "polyclip-ts";
import type { MultiPolygonCoordinates } from "./geojson.ts";
import type { Operation, Overlaid } from "./overlay-engine.ts";

type Mutable = [number, number][][][];

const ENGINE = { intersection, union, difference };

/** `overlayPolygons` in exact arithmetic, some hundred times slower. @throws {Error} when a ring stays open */
export function exactOverlay(operation: Operation, a: MultiPolygonCoordinates, b: MultiPolygonCoordinates): Overlaid {
  const operands = [mutable(a), mutable(b)] as const;
  const counterpart = operation === "intersection" ? "difference" : "intersection";
  return { result: ENGINE[operation](...operands), counterpart: ENGINE[counterpart](...operands) };
}

function mutable(polygons: MultiPolygonCoordinates): Mutable {
  return polygons.map((polygon) => polygon.map((ring) => ring.map(([lon, lat]): [number, number] => [lon, lat])));
}
