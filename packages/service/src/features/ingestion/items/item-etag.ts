import { ServiceError } from "@swath/kernel/errors/service-error";
import { etagOf } from "../../../platform/etag.ts";

/** Names the state of an item that its owner writes: pixels, prices and signatures do not change it. */
export function itemEtag(sceneId: string, revision: number): string {
  return etagOf(["item", sceneId, revision]);
}

/**
 * Whether the state is one that an `If-Match` header names; comparison is strong, as RFC 9110 section 13.1.1 demands.
 *
 * @throws {ServiceError} PRECONDITION-FAILED
 */
export function requireMatch(ifMatch: string | undefined, sceneId: string, revision: number): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const etag = itemEtag(sceneId, revision);
  if (ifMatch.split(",").some((candidate) => candidate.trim() === etag)) return;
  throw new ServiceError(
    "PRECONDITION-FAILED",
    `If-Match is ${ifMatch.slice(0, 100)}, the item ${sceneId} has the ETag ${etag}: it was changed`,
  );
}
