import type { Client } from "@swath/client";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { GeoJson } from "@swath/kernel/geometry/geojson";
import { longestSideM } from "@swath/kernel/geometry/mbr";
import { CommandError, EXIT, UsageError } from "./exit-code.ts";
import { listDatasets, type DatasetListing } from "./list-datasets.ts";

export interface DatasetName {
  readonly provider: string;
  readonly dataset: string;
}

/** The datasets of a search, and why others are left out. */
export interface SearchedDatasets {
  readonly datasets: readonly DatasetName[];
  /** Longest side of the bounding rectangle that all of them allow, metres. */
  readonly limitM: number;
  readonly notes: readonly string[];
}

/** The service allows this unless a dataset allows less; tiles are not larger for datasets that allow the world. */
const DEFAULT_LIMIT_M = 400_000;

/** `provider/dataset`; dataset names may hold slashes themselves. @throws {UsageError} */
export function parseDataset(text: string): DatasetName {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) {
    throw new UsageError(`--dataset is "${text}", expected provider/dataset such as local/uploads`);
  }
  return { provider: text.slice(0, slash), dataset: text.slice(slash + 1) };
}

/** Datasets that the user names. */
export async function namedDatasets(
  client: Client,
  datasets: readonly DatasetName[],
  signal: AbortSignal,
): Promise<SearchedDatasets> {
  const listed = await listDatasets(client, signal);
  const sides = datasets.map(
    (one) => listed.find(({ provider, dataset }) => provider === one.provider && dataset === one.dataset)?.maxMbrSide,
  );
  return { datasets, limitM: Math.min(DEFAULT_LIMIT_M, ...sides.filter((side) => side !== undefined)), notes: [] };
}

/**
 * Every dataset that the user may search together. Others, which must be searched alone or whose areas are smaller,
 * are named in the notes.
 *
 * @throws {CommandError} when the user may search none
 */
export async function allDatasets(
  client: Client,
  extent: GeoJson,
  { onlyIngested, isSplit }: { readonly onlyIngested: boolean; readonly isSplit: boolean },
  signal: AbortSignal,
): Promise<SearchedDatasets> {
  const listed = await listDatasets(client, signal);
  const allowed = listed.filter((one) => one.searchable && (onlyIngested || one.catalogAccess));
  if (allowed.length === 0) {
    throw new CommandError(
      "you may search no dataset of this service",
      EXIT.auth,
      "ask your administrator for imagery.images",
    );
  }
  const area = extentArea(extent);
  const sideM = isSplit || area === null ? 0 : longestSideM(area);
  const alone = allowed.filter((one) => one.requiresSeparateSearch);
  const together = allowed.filter((one) => !one.requiresSeparateSearch);
  const fitting = together.filter((one) => sideM < one.maxMbrSide);
  // An area that no dataset allows is refused by the service, in its words.
  const chosen = fitting.length === 0 ? together : fitting;
  const small = fitting.length === 0 ? [] : together.filter((one) => !fitting.includes(one));
  return {
    datasets: chosen.map(({ provider, dataset }) => ({ provider, dataset })),
    limitM: Math.min(DEFAULT_LIMIT_M, ...chosen.map((one) => one.maxMbrSide)),
    notes: [
      ...(small.length === 0 ? [] : [`not searched, since the area is too large: ${names(small)}; try --split`]),
      ...(alone.length === 0
        ? []
        : [`not searched, since they must be searched alone with --dataset: ${names(alone)}`]),
    ],
  };
}

function names(datasets: readonly DatasetListing[]): string {
  return datasets.map(({ provider, dataset }) => `${provider}/${dataset}`).join(", ");
}
