import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { OverlapThreshold } from "@swath/kernel/geometry/intersection-ratio";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import { parseInstant, type EpochMs } from "@swath/kernel/time/instant";
import type { Areas } from "../../platform/geometry/areas.ts";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Catalog, RegisteredDataset } from "../../providers/catalog.ts";
import { MAX_SEARCH_SIDE_M } from "../../providers/provider.ts";
import { datasetNameOf, type DatasetName } from "./dataset-keys.ts";
import type { RequestedNames } from "./requested-names.ts";
import { MAX_SCENES } from "@swath/contract/kit/schemas/scene";
import type { SearchRequest } from "@swath/contract/features/imagery/contract";

/** A search whose request is in order. */
export interface SearchPlan {
  readonly datasets: readonly RegisteredDataset[];
  /** How the request names them. */
  readonly names: RequestedNames;
  /** Normal form. */
  readonly extent: MultiPolygon;
  readonly threshold: OverlapThreshold;
  /** Both ends belong to the interval; null is open. */
  readonly from: EpochMs | null;
  readonly to: EpochMs | null;
  readonly limit: number;
  readonly cursor: number | null;
  readonly onlyIngested: boolean;
  readonly onlyDownloadable: boolean;
  readonly forceRefresh: boolean;
  readonly simplified: boolean;
  /** Whether the answer counts scenes by filter, and says the share of the extent. */
  readonly counted: boolean;
}

/** What of the configuration decides whether a search can be run. */
export interface SearchableDatasets {
  readonly areas: Pick<Areas, "longestSideM" | "read">;
  readonly catalog: Catalog;
  /** Whether a source other than the store answers for the dataset. */
  readonly hasSource: (registered: RegisteredDataset) => boolean;
}

const DEFAULT_MIN_INTERSECTION = 0.5;
/** Side of the largest area that answers simplified footprints, metres. */
const MAX_COVERAGE_SIDE_M = 4_000_000;
/** More would keep a worker busy with one extent. */
const EXTENT_RULES = { path: "/extent", maxLatitudeDeg: 90, sceneCount: 1, maxPositions: 50_000 };

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path}: ${message}`, { details: [{ path, message }] });
}

function requestedDatasets(
  request: SearchRequest,
  { catalog, hasSource }: SearchableDatasets,
): Pick<SearchPlan, "datasets" | "names"> {
  const { datasets, provider, dataset } = request;
  const named = datasets ?? (provider !== undefined && dataset !== undefined ? [{ provider, dataset }] : undefined);
  if (named === undefined) throw invalid("/datasets", "is required, unless provider and dataset are given");
  const found = new Map<string, RegisteredDataset>();
  const names = new Map<string, DatasetName>();
  for (const one of named) {
    const registered = catalog.findDataset(one.provider, one.dataset);
    if (registered === null) {
      throw new ServiceError(
        "DATASET-NOT-SUPPORTED-FOR-SEARCH",
        `there is no dataset "${one.dataset}" of provider "${one.provider}"${nearestDataset(one, catalog)}`,
      );
    }
    if (!registered.dataset.catalogAccess && request.onlyIngested !== true && !hasSource(registered)) {
      throw new ServiceError(
        "DATASET-NOT-SUPPORTED-FOR-SEARCH",
        `dataset "${one.dataset}" of provider "${one.provider}" has no catalogue; ` +
          "what of it is in the store is found with onlyIngested",
      );
    }
    const key = datasetNameOf({ provider: registered.provider.id, dataset: registered.dataset.dataset });
    found.set(key, registered);
    if (!names.has(key)) names.set(key, { provider: one.provider, dataset: one.dataset });
  }
  const alone = [...found.values()].find(({ dataset: { requiresSeparateSearch } }) => requiresSeparateSearch);
  if (alone !== undefined && found.size > 1) {
    throw new ServiceError(
      "DATASETS-NEED-SEPARATE-SEARCH",
      `dataset "${alone.dataset.dataset}" must be searched in a request of its own`,
    );
  }
  return { datasets: [...found.values()], names };
}

/** The dataset that a misspelt one most likely means, by its provider and name; empty when none is near. */
function nearestDataset({ provider, dataset }: DatasetName, { providers }: Pick<Catalog, "providers">): string {
  const names = providers.flatMap(({ id, datasets }) => datasets.map((one) => `${id}/${one.dataset}`));
  return didYouMean(`${provider}/${dataset}`, names);
}

async function checkSize(
  extent: MultiPolygon,
  datasets: readonly RegisteredDataset[],
  coverage: boolean,
  areas: Pick<Areas, "longestSideM">,
  signal: AbortSignal,
): Promise<void> {
  const limits = datasets
    .filter(({ dataset }) => !dataset.wholeWorld)
    .map(({ dataset }) => Math.min(dataset.maxMbrSideM, MAX_SEARCH_SIDE_M));
  if (limits.length === 0) return;
  const limitM = coverage ? MAX_COVERAGE_SIDE_M : Math.min(...limits);
  const sideM = await areas.longestSideM(extent, signal);
  if (sideM < limitM) return;
  throw new ServiceError(
    "EXTENT-TOO-LARGE",
    `the bounding rectangle of the extent is ${Math.ceil(sideM / 1000)} km long, it must be smaller than ` +
      `${limitM / 1000} km; split the extent and search its parts`,
  );
}

function requestedThreshold({ minIntersection, minAoiIntersection }: SearchRequest): OverlapThreshold {
  if (minIntersection !== undefined && minAoiIntersection !== undefined) {
    const message = "minIntersection and minAoiIntersection exclude each other";
    throw new ServiceError("VALIDATION-ERROR", message, {
      details: ["/minIntersection", "/minAoiIntersection"].map((path) => ({ path, message })),
    });
  }
  if (minAoiIntersection !== undefined) return { of: "scene", ratio: minAoiIntersection };
  return { of: "extent", ratio: minIntersection ?? DEFAULT_MIN_INTERSECTION };
}

function requestedMoment(text: string | undefined, path: string): EpochMs | null {
  if (text === undefined) return null;
  const moment = parseInstant(text);
  if (moment === null) throw invalid(path, `"${text}" is no moment of the form YYYY-MM-DD HH:MM:SS`);
  return moment;
}

/**
 * What a search request asks for.
 *
 * @throws {ServiceError} VALIDATION-ERROR, DATASET-NOT-SUPPORTED-FOR-SEARCH, DATASETS-NEED-SEPARATE-SEARCH or
 *   EXTENT-TOO-LARGE; as `Areas.read`
 */
export async function planSearch(
  request: SearchRequest,
  searchable: SearchableDatasets,
  signal: AbortSignal,
): Promise<SearchPlan> {
  const threshold = requestedThreshold(request);
  const from = requestedMoment(request.startDatetime, "/startDatetime");
  const to = requestedMoment(request.endDatetime, "/endDatetime");
  if (from !== null && to !== null && from > to) throw invalid("/endDatetime", "is before startDatetime");
  const { datasets, names } = requestedDatasets(request, searchable);
  const extent = await searchable.areas.read(request.extent, EXTENT_RULES, signal);
  const simplified = request.sceneCoverage === true;
  await checkSize(extent, datasets, simplified, searchable.areas, signal);
  return {
    datasets,
    names,
    extent,
    threshold,
    from,
    to,
    limit: request.limit ?? MAX_SCENES,
    cursor: request.cursor ?? null,
    onlyIngested: request.onlyIngested === true,
    onlyDownloadable: request.onlyDownloadable === true,
    forceRefresh: request.forceRefresh === true,
    simplified,
    counted: request.counts === true,
  };
}
