import { ServiceError } from "@swath/kernel/errors/service-error";
import type { ListMapTypesRequest } from "@swath/contract/features/maps/map-types-contract";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { Catalog } from "../../providers/catalog.ts";
import { MAP_GROUPS } from "./groups/group-catalogue.ts";
import type { ListedDataset } from "./map-type-listing.ts";

/** The map types and datasets that a listing is made of. */
export interface ListedContent {
  readonly mapTypes: readonly MapTypeDescriptor[];
  readonly datasets: readonly ListedDataset[];
}

/**
 * The part of a listing that a request asks for, with provider and dataset under the names of the request.
 *
 * @throws {ServiceError} VALIDATION-ERROR for a provider, dataset or group that does not exist
 */
export function filterMapTypes(
  { findProvider, findDataset }: Pick<Catalog, "findDataset" | "findProvider">,
  { mapTypes, datasets }: ListedContent,
  { provider, dataset, group }: ListMapTypesRequest,
): ListedContent {
  if (group !== undefined && !Object.hasOwn(MAP_GROUPS, group)) {
    throw noSuch("/group", `there is no group ${group}, expected one of ${Object.keys(MAP_GROUPS).join(", ")}`);
  }
  const named = provider === undefined ? null : findProvider(provider);
  if (provider !== undefined && named === null) throw noSuch("/provider", `there is no provider ${provider}`);
  const ofProvider = datasets.filter((one) => named === null || one.provider === named.id);
  const wanted = ofProvider.filter(
    (one) => dataset === undefined || findDataset(one.provider, dataset)?.dataset.dataset === one.dataset,
  );
  if (wanted.length === 0 && dataset !== undefined) {
    const of = provider === undefined ? "" : ` of the provider ${provider}`;
    throw noSuch("/dataset", `there is no dataset ${dataset}${of}`);
  }
  return {
    mapTypes: group === undefined ? mapTypes : mapTypes.filter((one) => one.group === group),
    datasets: wanted.map((one) => ({
      ...one,
      names: { provider: provider ?? one.provider, dataset: dataset ?? one.dataset },
    })),
  };
}

function noSuch(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", message, { details: [{ path, message }] });
}
