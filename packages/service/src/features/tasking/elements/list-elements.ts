import type { Clock } from "@swath/base/clock";
import type {
  ListedSet,
  ListElementsAnswer,
  ListElementsRequest,
} from "@swath/contract/features/tasking/elements-contract";
import { elementsAgeDays, MAX_ELEMENTS_AGE_DAYS, STALE_ELEMENTS_DAYS } from "@swath/kernel/tasking/elements-age";
import type { Db } from "../../../platform/context.ts";
import { pageOf } from "../../../platform/page-of.ts";
import { listElements, type StoredElements } from "../../../tasking-providers/orbits/element-store.ts";

const STANDARD_LIMIT = 100;

/** A page of imported sets, latest import first. */
export async function listedElements(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { catalogueNumber, newestOnly = false, limit = STANDARD_LIMIT, cursor }: ListElementsRequest,
): Promise<ListElementsAnswer> {
  const page = { catalogueNumber: catalogueNumber ?? null, newestOnly, beforeKey: cursor ?? null };
  const found = await listElements(db, { ...page, limit: limit + 1 });
  const nowMs = clock.now().getTime();
  const toItem = (one: StoredElements): ListedSet => listedSet(one, nowMs);
  return pageOf(found, limit, toItem, ({ key }) => key);
}

function listedSet({ key, set, format, importedBy, importedAt }: StoredElements, nowMs: number): ListedSet {
  const { name, catalogueNumber, epochMs, ...elements } = set;
  const ageDays = elementsAgeDays(epochMs, nowMs);
  return {
    id: key,
    catalogueNumber,
    name,
    epoch: new Date(epochMs).toISOString(),
    ageDays: Math.round(ageDays * 100) / 100,
    state: ageDays > MAX_ELEMENTS_AGE_DAYS ? "refused" : ageDays > STALE_ELEMENTS_DAYS ? "stale" : "fresh",
    format,
    importedBy,
    importedAt: importedAt.toISOString(),
    elements,
  };
}
