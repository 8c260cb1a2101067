import { boxGeometry, boxOfRing, type AreaGeometry, type Ring } from "../find/area-rings.ts";
import type { DrawKind } from "./drawing.ts";

/** The area of a drawn ring: a box stays a box. */
export function drawnArea(kind: DrawKind, ring: Ring): AreaGeometry {
  return kind === "box" ? boxGeometry(boxOfRing(ring)) : { type: "Polygon", coordinates: [ring] };
}
