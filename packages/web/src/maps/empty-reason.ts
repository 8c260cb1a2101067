import type { Box, MapView } from "../console-state.ts";
import type { Layer } from "./layers.ts";

/** Why a layer shows nothing, or nothing finer. */
export type EmptyReason = "clouded" | "far" | "finest" | "hidden" | "no-data" | "outside";

/** The part of the map that is seen. */
export interface Seen {
  readonly box: Box;
  readonly zoom: MapView["zoom"];
  /** Keys of layers without a pixel in any tile of the view. */
  readonly emptyKeys: ReadonlySet<string>;
}

/** An area that is smaller on screen is a speck. */
const SPECK_PX = 8;
/** Zoom 0 shows the world in one tile of the library. */
const WORLD_PX = 256;
/** From this share of clouds on, they are the likely reason. */
const CLOUDED = 0.5;

/** The reason why a layer shows nothing; null where it shows something, or is still read. */
export function emptyReason(
  { facts, isShown }: Pick<Layer, "facts" | "isShown">,
  key: string,
  { box, zoom, emptyKeys }: Seen,
): EmptyReason | null {
  if (!isShown) return "hidden";
  if (facts === null || facts === "failed") return null;
  const { bounds, cloudRatio, maxZoom } = facts;
  if (bounds !== null) {
    const [west, south, east, north] = bounds;
    if (!meets(box, bounds)) return "outside";
    const pxPerDegree = (WORLD_PX * 2 ** zoom) / 360;
    if (Math.max(east - west, north - south) * pxPerDegree < SPECK_PX) return "far";
  }
  if (!emptyKeys.has(key)) return zoom > maxZoom + 1 ? "finest" : null;
  return cloudRatio !== null && cloudRatio >= CLOUDED ? "clouded" : "no-data";
}

/** West of a box exceeds east across the antimeridian. */
function meets(box: Box, [west, south, east, north]: readonly [number, number, number, number]): boolean {
  if (north <= box.south || south >= box.north) return false;
  if (box.west < box.east) return east > box.west && west < box.east;
  return east > box.west || west < box.east;
}
