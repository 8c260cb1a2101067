import { isGranted } from "@swath/kernel/permissions/permission";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { MATURITIES } from "@swath/maps/maturity";
import type { MapTypeLegend, MapTypeListing } from "@swath/contract/features/maps/map-types-contract";

/** What the listing needs to know of a dataset. */
export interface ListedDataset {
  readonly provider: string;
  /** Names in the answer; the identifiers unless given. */
  readonly names?: { readonly provider: string; readonly dataset: string };
  readonly dataset: string;
  readonly datasetType: string;
  readonly finestResolutionM: number;
}

type Colors = Readonly<Record<string, readonly [number, number, number]>>;

function listed(colors: Colors): Record<string, number[]> {
  return Object.fromEntries(Object.entries(colors).map(([name, color]) => [name, [...color]]));
}

export function legendOf(mapType: MapTypeDescriptor): MapTypeLegend {
  const { segmentationColors: colors, segmentationHierarchy: hierarchy, deprecatedClasses = {} } = mapType;
  return {
    mapType: mapType.id,
    ...(colors === null ? {} : { segmentationMetadata: { segmentationColors: listed(colors) } }),
    ...(hierarchy === undefined
      ? {}
      : {
          segmentationHierarchy: {
            baseClasses: [...hierarchy.baseClasses],
            parentClasses: Object.fromEntries(
              Object.entries(hierarchy.parentClasses).map(([parent, children]) => [parent, [...children]]),
            ),
            masterClass: hierarchy.masterClass,
          },
        }),
    deprecatedClasses: Object.fromEntries(
      Object.entries(deprecatedClasses).map(([version, classes]) => [version, listed(classes)]),
    ),
  };
}

/** Constants of an index that a release may give other values. */
function parametersOf({ rendering }: MapTypeDescriptor): Pick<MapTypeListing, "parameters"> {
  if (rendering.kind !== "index" || Object.keys(rendering.index.parameters).length === 0) return {};
  return { parameters: { ...rendering.index.parameters } };
}

/** Map types that a holder of the permissions may release of at least one dataset, with those datasets. */
export function listMapTypes(
  mapTypes: Iterable<MapTypeDescriptor>,
  datasets: readonly ListedDataset[],
  permissions: ReadonlySet<string>,
): MapTypeListing[] {
  const listing: MapTypeListing[] = [];
  for (const mapType of mapTypes) {
    const { settings } = mapType;
    const available = datasets.filter(
      ({ provider, dataset, datasetType, finestResolutionM }) =>
        mapType.datasetTypes.includes(datasetType) &&
        (settings.maxGsdM === null || finestResolutionM <= settings.maxGsdM) &&
        isGranted(permissions, `${mapType.permissionNamespace}.${provider}.${dataset}`),
    );
    if (available.length === 0) continue;
    const entry = {
      version: mapType.version,
      is_global: settings.isGlobal,
      max_gsd: settings.maxGsdM,
      margin_m: settings.marginM,
      margin_px: settings.marginPx,
      min_size_px: settings.minSizePx,
      resolution: settings.resolutionM,
    };
    const availableDatasets: MapTypeListing["availableDatasets"] = {};
    for (const { names, ...identifiers } of available) {
      const { provider, dataset } = names ?? identifiers;
      (availableDatasets[provider] ??= []).push([dataset, entry]);
    }
    listing.push({
      group: mapType.group,
      scenes: { min: mapType.analysis?.scenes.min ?? 1, max: mapType.analysis?.scenes.max ?? 1 },
      description: mapType.description,
      maturity: mapType.maturity,
      maturityMeaning: MATURITIES[mapType.maturity],
      gridFiles: Object.fromEntries(Object.entries(mapType.gridFiles).map(([suffix, names]) => [suffix, [...names]])),
      availableDatasets,
      ...parametersOf(mapType),
      ...legendOf(mapType),
    });
  }
  return listing;
}
