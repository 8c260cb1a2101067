import { createHash } from "node:crypto";
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
}

/** Id of a map: equal inputs, equal map, so a release that runs again or by someone else makes no second one. */
export function mapIdOf({ sceneId, mapType, version, geometryId, resultId, sceneRevision }: MapInputs): string {
  const inputs = [sceneId, mapType, version, geometryId, ...(resultId === null ? [] : [resultId])];
  // The number of a revision is no text, as results are.
  return contentId("map:v1", sceneRevision === 0 ? inputs : [...inputs, sceneRevision]);
}
