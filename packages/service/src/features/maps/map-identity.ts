import { createHash } from "node:crypto";
import type { KeptMosaic } from "./mosaic/kept-mosaic.ts";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";

const ID_LENGTH = 32;

/** The domain keeps ids of different kinds apart even where their content is equal. */
function contentId(domain: string, content: unknown): string {
  return createHash("sha256")
    .update(`${domain}|${JSON.stringify(content)}`)
    .digest("base64url")
    .slice(0, ID_LENGTH);
}

/** Id of a geometry: equal coordinates, equal id. URL-safe, 32 characters. */
export function geometryIdOf(geometry: MultiPolygon): string {
  return contentId("map-geometry:v1", geometry.coordinates);
}

export interface MapInputs {
  readonly sceneId: string;
  readonly mapType: string;
  readonly version: number;
  readonly geometryId: string;
  /** The result it is drawn from; null when it is drawn from the scene. */
  readonly resultId: string | null;
  /** Revision of the scene. */
  readonly sceneRevision: number;
  /** How it is made of many scenes; absent or null of other maps. */
  readonly mosaic?: KeptMosaic | null;
}

/** Id of a map: equal inputs, equal map, so a release that runs again or by someone else makes no second one. */
export function mapIdOf({
  sceneId,
  mapType,
  version,
  geometryId,
  resultId,
  sceneRevision,
  mosaic = null,
}: MapInputs): string {
  const inputs: unknown[] = [sceneId, mapType, version, geometryId, ...(resultId === null ? [] : [resultId])];
  if (mosaic !== null) {
    const members = mosaic.members.map((one) => [one.sceneId, one.revision, one.clouds?.resultId ?? null]);
    inputs.push([mosaic.rule, mosaic.index, members]);
  }
  // The number of a revision is no text, as results are.
  return contentId("map:v1", sceneRevision === 0 ? inputs : [...inputs, sceneRevision]);
}
