import { ServiceError } from "@swath/kernel/errors/service-error";
import { microToCredits } from "@swath/kernel/credits/micro";
import { normalForm } from "@swath/kernel/geometry/antimeridian";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Caller } from "../../platform/context.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { payingGroupId } from "../credits/paying-group.ts";
import type { CreditsService } from "../credits/service.ts";
import { needsPayer, type BrowseQuery } from "../imagery/browse/browse-scenes.ts";
import { groundOf } from "../imagery/browse/ground-of.ts";
import type { BrowsePayer } from "../imagery/browse/selection.ts";
import { browsed } from "./asked-collections.ts";
import { badRequest } from "./bad-request.ts";
import { boxPolygon, isWholeWorld } from "./bbox.ts";
import type { Collection } from "./collections.ts";
import { PRICE_PERMISSION, seesPrices } from "./item-view.ts";
import type { SearchInput } from "./search-input.ts";

const MAX_POSITIONS = 50_000;

export interface SearchConditionsDeps {
  readonly areas: Pick<Areas, "read">;
  readonly credits: Pick<CreditsService, "datasetPrices">;
}

/** The conditions and the order of a search. @throws {ServiceError} BAD-REQUEST */
export async function conditionsOf(
  { areas, credits }: SearchConditionsDeps,
  input: SearchInput,
  collections: readonly Collection[],
  { caller, signal }: { readonly caller: Caller; readonly signal: AbortSignal },
): Promise<Omit<BrowseQuery, "limit" | "offset">> {
  const { filter, ids, period } = input;
  const order = input.sort.map(({ field, isDescending }) => ({ field, isDescending }));
  const payer = needsPayer({ filter, order }) ? await payerOf(credits, caller, collections) : null;
  const extent = await extentOf(areas, input, signal);
  return { datasets: browsed(collections), sceneIds: ids, ...period, extent, filter, order, payer };
}

async function payerOf(
  credits: SearchConditionsDeps["credits"],
  caller: Caller,
  collections: readonly Collection[],
): Promise<BrowsePayer> {
  if (!seesPrices(caller)) throw badRequest("filter", `reads prices, which need the permission ${PRICE_PERMISSION}`);
  const groupId = payingGroupId(caller);
  const prices = await credits.datasetPrices(
    groupId,
    collections.map(({ listing }) => listing),
  );
  const creditsPerKm2 = collections.flatMap(({ id }, index): [string, number][] => {
    const price = prices[index];
    return price === undefined ? [] : [[id, microToCredits(price.microPerKm2)]];
  });
  return { groupId, creditsPerKm2: new Map(creditsPerKm2) };
}

/** The ground of `bbox` or `intersects`; null for the whole world. @throws {ServiceError} BAD-REQUEST */
async function extentOf(
  areas: Pick<Areas, "read">,
  { bbox, intersects }: SearchInput,
  signal: AbortSignal,
): Promise<MultiPolygon | null> {
  if (bbox !== null) {
    if (isWholeWorld(bbox)) return null;
    return { type: "MultiPolygon", coordinates: normalForm([boxPolygon(bbox).coordinates]) };
  }
  if (intersects === null) return null;
  try {
    const rules = { path: "/intersects", maxLatitudeDeg: 90, sceneCount: 1, maxPositions: MAX_POSITIONS };
    return await areas.read(groundOf(intersects), rules, signal);
  } catch (error) {
    if (error instanceof ServiceError && error.code === "VALIDATION-ERROR")
      throw badRequest("intersects", error.message);
    throw error;
  }
}
