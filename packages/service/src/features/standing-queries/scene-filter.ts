import { isSpatial } from "@swath/kernel/query/ast";
import { parseQuery } from "@swath/kernel/query/parse-query";
import { queryPredicate } from "@swath/kernel/query/predicate";
import { QueryError } from "@swath/kernel/query/query-error";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Band } from "@swath/kernel/scenes/scene";
import { finestResolutionM } from "@swath/kernel/tiles/max-zoom";

export type FilterDocument = Readonly<Record<string, unknown>>;

/** @throws {ServiceError} VALIDATION-ERROR with the place of the fault */
export function requireFilter(filter: FilterDocument, path: string): void {
  try {
    if (!isSpatial(parseQuery(filter, path))) return;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw invalid(error.path, error.message);
  }
  throw invalid(path, "has a condition on the geometry, expected conditions on metadata: the areas say where");
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

/** Whether a scene meets the conditions of a valid filter. */
export function meetsFilter(filter: FilterDocument, sceneId: string, document: unknown): boolean {
  return queryPredicate(parseQuery(filter, "/filter"))({
    id: sceneId,
    properties: { ...(document as FilterDocument), ...resolutionOf(document) },
    geometry: null,
  });
}

function resolutionOf(document: unknown): { readonly resolution?: number } {
  const { bands = [] } = document as { readonly bands?: readonly Band[] };
  return bands.length === 0 ? {} : { resolution: finestResolutionM(bands) };
}
