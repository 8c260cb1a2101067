import type { Bounds } from "@swath/kernel/geometry/geojson";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ListedTile } from "../signed-map-id.ts";
import type { TilePyramid } from "./tile-matrix-set.ts";

/** The tiles of a map, as documents of map programs describe them. */
export interface MapTileset {
  readonly signedMapId: string;
  readonly title: string;
  readonly description: string;
  readonly attribution: string;
  /** Of the acquisition, UTC. */
  readonly datetime: string;
  readonly pyramid: TilePyramid;
  /** Files of pictures, the main one first: PNG. At least one. */
  readonly pictures: readonly [string, ...string[]];
  readonly tiles: readonly ListedTile[];
  readonly maxZoom: number;
  /** Within ±180 degrees; all longitudes for a map across the antimeridian. */
  readonly bounds: Bounds;
}

/** A picture of the map by name; the main one without a name. @throws {ServiceError} TILE-NOT-FOUND */
export function pictureOf({ pictures }: Pick<MapTileset, "pictures">, fileName: string | undefined): string {
  const picture = fileName ?? pictures[0];
  if (pictures.includes(picture)) return picture;
  throw new ServiceError("TILE-NOT-FOUND", `the map has no picture ${picture}, expected one of ${pictures.join(", ")}`);
}

/** Tiles of a zoom that may hold something. */
export interface TileLimits {
  readonly zoom: number;
  readonly minRow: number;
  readonly maxRow: number;
  readonly minCol: number;
  readonly maxCol: number;
}

export function minZoomOf({ tiles }: Pick<MapTileset, "tiles">): number {
  return tiles.reduce((lowest, { zoom }) => Math.min(lowest, zoom), Infinity);
}

/** The limits of each zoom from the released one to the deepest. */
export function limitsOf({ maxZoom, tiles }: Pick<MapTileset, "maxZoom" | "tiles">): readonly TileLimits[] {
  const minZoom = minZoomOf({ tiles });
  return Array.from({ length: Math.max(0, maxZoom - minZoom + 1) }, (_, step): TileLimits => {
    const zoom = minZoom + step;
    const reached = tiles.filter((tile) => tile.zoom <= zoom);
    const columns = reached.map(({ x, zoom: from }) => [x * 2 ** (zoom - from), (x + 1) * 2 ** (zoom - from) - 1]);
    const rows = reached.map(({ y, zoom: from }) => [y * 2 ** (zoom - from), (y + 1) * 2 ** (zoom - from) - 1]);
    return {
      zoom,
      minRow: least(rows),
      maxRow: greatest(rows),
      minCol: least(columns),
      maxCol: greatest(columns),
    };
  });
}

function least(ranges: readonly (readonly number[])[]): number {
  return ranges.reduce((found, [from = Infinity]) => Math.min(found, from), Infinity);
}

function greatest(ranges: readonly (readonly number[])[]): number {
  return ranges.reduce((found, [, to = -Infinity]) => Math.max(found, to), -Infinity);
}

/** Unwrapped bounds within ±180 degrees: the west of a document is never beyond its east. */
export function plainBounds([west, south, east, north]: Bounds): Bounds {
  if (east - west >= 360) return [-180, south, 180, north];
  const turns = Math.floor((west + 180) / 360) * 360;
  const [from, to] = [west - turns, east - turns];
  return to <= 180 ? [from, south, to, north] : [-180, south, 180, north];
}

/** The address of a tile with placeholders of its place. */
export function tileTemplate(
  baseUrl: string,
  signedMapId: string,
  fileName: string,
  place: { readonly z: string; readonly x: string; readonly y: string },
): string {
  return `${baseUrl}/mapsvc/map/${signedMapId}/tiles/${place.z}/${place.x}/${place.y}/${encodeURIComponent(fileName)}`;
}
