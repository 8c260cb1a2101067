import type { SearchRequest } from "@swath/contract/features/imagery/contract";
import type { OverlapThreshold } from "@swath/kernel/geometry/intersection-ratio";
import type { FilterDocument } from "./scene-filter.ts";

/** The conditions of a request besides its areas. */
export type WatchConditions = Pick<
  SearchRequest,
  "endDatetime" | "minAoiIntersection" | "minIntersection" | "onlyIngested" | "startDatetime"
> & {
  readonly datasets: NonNullable<SearchRequest["datasets"]>;
  readonly filter?: FilterDocument;
};

/** Conditions as stored: as requested, and as scenes are compared with them. */
export interface StoredCriteria {
  readonly conditions: WatchConditions;
  readonly threshold: OverlapThreshold;
  /** Both ends belong to the interval; null is open. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

/** Written by this feature. */
export function readCriteria(text: string): StoredCriteria {
  return JSON.parse(text) as StoredCriteria;
}
