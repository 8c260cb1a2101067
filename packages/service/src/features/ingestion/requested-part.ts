import type { Static } from "typebox";
import { isStoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { FetchSceneRequest } from "@swath/contract/features/ingestion/contract";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { RequestedPart } from "./ingest-need.ts";

/** No latitude is left out: scenes of the poles exist. */
const MAX_LATITUDE_DEG = 90;

/** The part of a scene that a request names, in normal form. @throws {ServiceError} as `Areas.read` */
export async function requestedPart(
  areas: Pick<Areas, "read">,
  { extent, tiles }: Static<typeof FetchSceneRequest>,
  signal: AbortSignal,
): Promise<RequestedPart> {
  const bad = tiles?.findIndex((tile) => !isStoreTile(tile)) ?? -1;
  if (bad >= 0) {
    const message = "is no index of a store tile";
    throw new ServiceError("VALIDATION-ERROR", `tiles ${bad} ${message}`, {
      details: [{ path: `/tiles/${bad}`, message }],
    });
  }
  const rules = { path: "/extent", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: 1 };
  return { extent: extent === undefined ? null : await areas.read(extent, rules, signal), tiles: tiles ?? null };
}
