import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { Catalog } from "../../../providers/catalog.ts";
import { MAP_GROUPS } from "./group-catalogue.ts";
import type { MapGroups } from "@swath/contract/features/maps/groups-contract";

/** Resolution classes from fine to coarse, each with the finest pixel that a dataset of the kind has there. */
type FinestByClass = ReadonlyMap<string, number>;

const CLASSES = ["high", "medium-high", "low"] as const;

function finestByClass({ providers }: Pick<Catalog, "providers">, datasetType: string): FinestByClass {
  const finest = new Map<string, number>();
  for (const { datasets } of providers) {
    for (const { type, resolutionClass, resolutionM } of datasets) {
      if (type !== datasetType) continue;
      finest.set(resolutionClass, Math.min(finest.get(resolutionClass) ?? Infinity, resolutionM[0]));
    }
  }
  return finest;
}

function members(
  types: readonly MapTypeDescriptor[],
  finest: FinestByClass,
): Pick<MapGroups[string], "mapTypes" | "types"> {
  const byClass = CLASSES.flatMap((name) => {
    const resolutionM = finest.get(name);
    if (resolutionM === undefined) return [];
    const fitting = types.filter(({ settings: { maxGsdM } }) => maxGsdM === null || resolutionM <= maxGsdM);
    return [[name, fitting.map(({ id }) => id)] as const];
  });
  if (byClass.every(([, ids]) => ids.length === types.length)) return { mapTypes: types.map(({ id }) => id) };
  return { types: Object.fromEntries(byClass) };
}

/** Groups of the map types for datasets of one kind; groups without any are left out. */
export function listGroups(
  mapTypes: Iterable<MapTypeDescriptor>,
  catalog: Pick<Catalog, "providers">,
  datasetType: string,
): MapGroups {
  const finest = finestByClass(catalog, datasetType);
  const byGroup: Readonly<Record<string, readonly MapTypeDescriptor[] | undefined>> = Object.groupBy(
    [...mapTypes].filter(({ datasetTypes }) => datasetTypes.includes(datasetType)),
    ({ group }) => group,
  );
  return Object.fromEntries(
    Object.entries(MAP_GROUPS).flatMap(([id, shown]) => {
      const types = byGroup[id];
      return types === undefined ? [] : [[id, { ...shown, ...members(types, finest) }] as const];
    }),
  );
}
