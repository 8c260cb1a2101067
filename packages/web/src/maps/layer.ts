import type { Client } from "@swath/client";
import type { ShownLayer } from "../console-state.ts";
import type { ClassColours } from "./class-pattern.ts";
import { formatDrawing } from "./drawing.ts";

/** Facts about a map. */
export interface MapFacts {
  readonly mapType: string;
  readonly sceneId: string | null;
  readonly tiles: readonly (readonly [zoom: number, x: number, y: number])[];
  readonly maxZoom: number;
  /** When the scene was taken, UTC; null where the service does not say. */
  readonly datetime: string | null;
  /** The released area, degrees; null where the service does not say. */
  readonly bounds: readonly [west: number, south: number, east: number, north: number] | null;
  /** Share of clouds, 0 to 1; null where unknown. */
  readonly cloudRatio: number | null;
  readonly histogram: { readonly min: number; readonly max: number; readonly counts: readonly number[] } | null;
  /** Whether the map has detected objects. */
  readonly hasObjects: boolean;
  /** Of the classes of its map type. */
  readonly colours: ClassColours;
}

/** The deepest zoom that is asked for where the service does not say that of the map. */
const DEEPEST_ZOOM = 18;

/** Address of the tiles of a layer, with `{z}`, `{x}` and `{y}`. */
export function tileUrl({ mapId, fileName, drawing }: Pick<ShownLayer, "mapId" | "fileName" | "drawing">): string {
  const query = drawing === undefined ? "" : `?${formatDrawing(drawing)}`;
  return `/mapsvc/grid/${mapId}/-/{z}/{x}/{y}/${encodeURIComponent(fileName)}${query}`;
}

/** Address of the facts about the first tile of a map. */
export function metadataUrl(mapId: string): string {
  const [zoom, x, y] = readMapId(mapId)?.tiles[0] ?? [0, 0, 0];
  return `/mapsvc/grid/${mapId}/-/${zoom}/${x}/${y}/metadata.json`;
}

/** Released tiles and map type of a map, which its identifier tells; null for a text that is no map ID. */
export function readMapId(mapId: string): Pick<MapFacts, "mapType" | "tiles"> | null {
  try {
    const payload = (mapId.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (!isMapClaims(claims)) return null;
    return { mapType: claims.mapType, tiles: claims.tiles.map(({ zoom, x, y }) => [zoom, x, y] as const) };
  } catch {
    return null;
  }
}

interface MapClaims {
  readonly mapType: string;
  readonly tiles: readonly { readonly zoom: number; readonly x: number; readonly y: number }[];
}

function isMapClaims(value: unknown): value is MapClaims {
  if (typeof value !== "object" || value === null || !("mapType" in value) || !("tiles" in value)) return false;
  return (
    typeof value.mapType === "string" &&
    Array.isArray(value.tiles) &&
    value.tiles.length > 0 &&
    value.tiles.every(
      (tile: unknown) =>
        typeof tile === "object" &&
        tile !== null &&
        ["zoom", "x", "y"].every((name) => Number.isInteger(Reflect.get(tile, name))),
    )
  );
}

/** Reads what a map is made of. @throws {ApiError} when the map is not available */
export async function loadFacts(calls: Client, mapId: string): Promise<MapFacts> {
  const read = readMapId(mapId);
  const [first] = read?.tiles ?? [];
  if (read === null || first === undefined) throw new TypeError("expected a map ID");
  const [legend, metadata, tileJson] = await Promise.all([
    calls.get("/mapsvc/map-types/:map_id", { map_id: mapId }),
    loadMetadata(mapId, first),
    calls.get("/mapsvc/map/:map_id/tilejson.json", { map_id: mapId }).catch(() => null),
  ]);
  return {
    ...read,
    maxZoom: legend.maxZoom ?? DEEPEST_ZOOM,
    ...metadata,
    datetime: tileJson?.datetime ?? null,
    bounds: boundsOf(tileJson?.bounds),
    colours: legend.segmentationMetadata?.segmentationColors ?? {},
  };
}

function boundsOf([west, south, east, north]: readonly number[] = []): MapFacts["bounds"] {
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  return [west, south, east, north];
}

async function loadMetadata(
  mapId: string,
  [zoom, x, y]: readonly [number, number, number],
): Promise<Pick<MapFacts, "cloudRatio" | "hasObjects" | "histogram" | "sceneId">> {
  const answer = await fetch(`/mapsvc/grid/${mapId}/-/${zoom}/${x}/${y}/metadata.json`);
  if (answer.status !== 200) return { cloudRatio: null, hasObjects: false, histogram: null, sceneId: null };
  const read = (await answer.json()) as Partial<Pick<MapFacts, "cloudRatio" | "histogram" | "sceneId">> & {
    readonly features?: unknown;
  };
  const { cloudRatio = null, histogram = null, sceneId = null, features } = read;
  return { cloudRatio, hasObjects: features !== undefined, histogram, sceneId };
}
