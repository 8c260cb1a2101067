import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Client } from "@swath/client";
import type { ConsoleState } from "../console-state.ts";
import { timeMs } from "../format/dates.ts";
import { filterCounts, filtered, type FilterCounts, type FilterState } from "./filters.ts";
import type { AreaGeometry } from "./area-rings.ts";

/** A found scene, as far as the console shows it. */
export type Scene = SearchAnswer["results"][number];

type AllCounts = NonNullable<SearchAnswer["counts"]>;
type SearchAnswer = Awaited<ReturnType<typeof searchOnce>>;

export interface DatasetName {
  readonly provider: string;
  readonly dataset: string;
}

export interface Dataset extends DatasetName {
  readonly name: string;
  readonly providerName: string;
}

export type SearchStatus =
  | { readonly kind: "nothing-yet" }
  | { readonly kind: "searching" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown };

export interface Search {
  readonly status: ReadonlySignal<SearchStatus>;
  readonly datasets: ReadonlySignal<readonly Dataset[]>;
  /** Found scenes, the newest first. */
  readonly found: ReadonlySignal<readonly Scene[]>;
  /** Of them those that pass the filters. */
  readonly shown: ReadonlySignal<readonly Scene[]>;
  /** Why the last search found nothing; null where it found something, or the service does not say. */
  readonly emptyReason: ReadonlySignal<SearchAnswer["empty"] | null>;
  /** The numbers beside the filters; null before the first search. */
  readonly counts: ReadonlySignal<FilterCounts | null>;
  /** Whether a dataset is chosen that the last search left out. */
  readonly isOutdated: ReadonlySignal<boolean>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly failedDatasets: ReadonlySignal<readonly DatasetName[]>;
  run(area: AreaGeometry): Promise<void>;
  more(): Promise<void>;
  /** Asks the datasets again that gave no answer; all of them, where there are more scenes than one page. */
  retryFailed(): Promise<void>;
  loadDatasets(): Promise<void>;
}

const PAGE_SCENES = 200;
/** The most datasets of one request. */
const MAX_DATASETS = 100;

/** Searches scenes under the conditions of the link. */
export function createSearch(calls: Client, conditions: ReadonlySignal<ConsoleState>): Search {
  const status: Signal<SearchStatus> = signal({ kind: "nothing-yet" });
  const datasets = signal<readonly Dataset[]>([]);
  const found = signal<readonly Scene[]>([]);
  const failedDatasets = signal<readonly DatasetName[]>([]);
  const cursor = signal<number | null>(null);
  const emptyReason = signal<SearchAnswer["empty"] | null>(null);
  const allCounts = signal<AllCounts | null>(null);
  const searched = signal<readonly DatasetName[]>([]);
  let latest: (Pick<SearchPage, "area" | "time"> & { readonly abort: AbortController }) | null = null;

  /** The page from a cursor, or scenes of a few datasets, join those that were found. */
  async function loadPage(area: AreaGeometry, next: NextPage | null): Promise<void> {
    // The search of a later condition replaces one that still runs.
    latest?.abort.abort();
    const abort = new AbortController();
    const { datasets: chosen, time } = next === null ? conditions.value : { ...conditions.value, ...latest };
    latest = { area, time, abort };
    status.value = { kind: "searching" };
    try {
      if (chosen.length === 0 && datasets.value.length === 0) await loadDatasets();
      abort.signal.throwIfAborted();
      // A later page is one of the same search: the filters narrow what it finds.
      if (next === null) searched.value = (chosen.length > 0 ? chosen : datasets.value).slice(0, MAX_DATASETS);
      const request = { time, datasets: searched.value, area, cursor: null, ...next };
      const page = await searchOnce(calls, request, abort.signal);
      if (next === null) {
        allCounts.value = page.counts ?? null;
        emptyReason.value = page.empty ?? null;
      }
      const scenes = next === null ? page.results : [...found.value, ...page.results];
      found.value = scenes.toSorted((a, b) => timeMs(b.datetime) - timeMs(a.datetime));
      cursor.value = page.cursor;
      failedDatasets.value = "failedDatasets" in page ? page.failedDatasets : [];
      status.value = { kind: "done" };
    } catch (error) {
      if (!abort.signal.aborted) status.value = { kind: "failed", error };
    }
  }

  let loading: Promise<void> | null = null;
  /** Loads the list once, also for a search that begins meanwhile. */
  async function loadDatasets(): Promise<void> {
    loading ??= listDatasets(calls).then((listed) => {
      datasets.value = listed;
    });
    try {
      await loading;
    } finally {
      loading = null;
    }
  }

  const filters = filtersOf(conditions);

  return {
    status,
    datasets,
    found,
    failedDatasets,
    emptyReason,
    shown: computed(() => filtered(found.value, filters.value)),
    counts: computed(() => {
      if (allCounts.value === null) return null;
      // Scenes of later pages are counted by the service, which knows no filters.
      if (cursor.value === null) return filterCounts(found.value, filters.value);
      const { cloudCover: cloud, offNadir, gsd, datasets: byDataset, complete } = allCounts.value;
      return { cloud, offNadir, gsd, datasets: byDataset, isLeast: !complete };
    }),
    isOutdated: computed(
      () =>
        status.value.kind === "done" &&
        filters.value.datasets.some((chosen) => !searched.value.some((one) => isSameDataset(one, chosen))),
    ),
    hasMore: computed(() => cursor.value !== null),
    run: async (area) => loadPage(area, null),
    async more() {
      if (latest !== null && cursor.value !== null) await loadPage(latest.area, { cursor: cursor.value });
    },
    async retryFailed() {
      if (latest === null) return;
      const { area } = latest;
      const isWhole = cursor.value !== null;
      await loadPage(area, isWhole ? null : { datasets: failedDatasets.value });
      // A cursor of a few datasets is none of all.
      if (!isWhole && cursor.value !== null) await loadPage(area, null);
    },
    loadDatasets,
  };
}

/** The datasets that a search may name together. */
async function listDatasets(calls: Client): Promise<readonly Dataset[]> {
  const listed = await calls.call("/imagery/datasets/list");
  return listed
    .filter((one) => one.searchable && one.catalogAccess && !one.requiresSeparateSearch)
    .map(({ datasetName: name, ...one }) => ({
      provider: one.provider,
      dataset: one.dataset,
      name,
      providerName: one.providerName,
    }));
}

interface SearchPage {
  readonly time: ConsoleState["time"];
  readonly datasets: readonly DatasetName[];
  readonly area: AreaGeometry;
  readonly cursor: number | null;
}

type NextPage = Partial<Pick<SearchPage, "cursor" | "datasets">>;

/** One page; where a provider does not answer, the scenes of the others. */
async function searchOnce(calls: Client, page: SearchPage, abort: AbortSignal) {
  const { time, datasets, area, cursor } = page;
  const request = {
    datasets: datasets.map(({ provider, dataset }) => ({ provider, dataset })),
    extent: area,
    minIntersection: 0,
    limit: PAGE_SCENES,
    counts: true,
    ...(cursor === null ? {} : { cursor }),
    ...(time === null || time.start === null ? {} : { startDatetime: `${time.start} 00:00:00` }),
    ...(time === null || time.end === null ? {} : { endDatetime: `${time.end} 23:59:59` }),
  };
  return await calls.run("/imagery/search", request, { signal: abort, allowPartial: true, cancelOnAbort: true });
}

/** Signals of the members: a move of the map filters nothing again. */
function filtersOf(conditions: ReadonlySignal<ConsoleState>): ReadonlySignal<FilterState> {
  const cloud = computed(() => conditions.value.cloud);
  const offNadir = computed(() => conditions.value.offNadir);
  const gsd = computed(() => conditions.value.gsd);
  const datasets = computed(() => conditions.value.datasets);
  return computed(() => ({
    cloud: cloud.value,
    offNadir: offNadir.value,
    gsd: gsd.value,
    datasets: datasets.value,
  }));
}

export function isSameDataset(a: DatasetName, b: DatasetName): boolean {
  return a.provider === b.provider && a.dataset === b.dataset;
}
