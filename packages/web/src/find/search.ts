import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, type Client } from "@swath/client";
import type { ConsoleState } from "../console-state.ts";
import { timeMs } from "../format/dates.ts";
import type { AreaGeometry } from "./area-rings.ts";

/** A found scene, as far as the console shows it. */
export type Scene = SearchAnswer["results"][number];

type SearchAnswer = Awaited<ReturnType<typeof searchOnce>>;

export interface Dataset {
  readonly provider: string;
  readonly dataset: string;
  readonly name: string;
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
  /** Of them those that pass the cloud filter. */
  readonly shown: ReadonlySignal<readonly Scene[]>;
  readonly hasMore: ReadonlySignal<boolean>;
  readonly failedDatasets: ReadonlySignal<readonly string[]>;
  run(area: AreaGeometry): Promise<void>;
  more(): Promise<void>;
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
  const failedDatasets = signal<readonly string[]>([]);
  const cursor = signal<number | null>(null);
  let latest: { readonly area: AreaGeometry; readonly abort: AbortController } | null = null;

  async function loadPage(area: AreaGeometry, from: number | null): Promise<void> {
    // The search of a later condition replaces one that still runs.
    latest?.abort.abort();
    const abort = new AbortController();
    latest = { area, abort };
    status.value = { kind: "searching" };
    try {
      const request = { conditions: conditions.value, datasets: datasets.value, area, cursor: from };
      const page = await searchOnce(calls, request, abort.signal);
      const scenes = from === null ? page.results : [...found.value, ...page.results];
      found.value = scenes.toSorted((a, b) => timeMs(b.datetime) - timeMs(a.datetime));
      cursor.value = page.cursor;
      failedDatasets.value = ("failedDatasets" in page ? page.failedDatasets : []).map(({ dataset }) => dataset);
      status.value = { kind: "done" };
    } catch (error) {
      if (!abort.signal.aborted) status.value = { kind: "failed", error };
    }
  }

  return {
    status,
    datasets,
    found,
    failedDatasets,
    shown: computed(() => {
      const most = (conditions.value.cloud?.most ?? 100) / 100;
      return found.value.filter(({ cloudCover = 0 }) => cloudCover <= most);
    }),
    hasMore: computed(() => cursor.value !== null),
    run: async (area) => loadPage(area, null),
    async more() {
      if (latest !== null && cursor.value !== null) await loadPage(latest.area, cursor.value);
    },
    async loadDatasets() {
      const listed = await calls.call("/imagery/datasets/list");
      datasets.value = listed
        .filter((one) => one.searchable && one.catalogAccess && !one.requiresSeparateSearch)
        .map(({ provider, dataset, datasetName }) => ({ provider, dataset, name: datasetName }));
    },
  };
}

interface SearchPage {
  readonly conditions: ConsoleState;
  readonly datasets: readonly Dataset[];
  readonly area: AreaGeometry;
  readonly cursor: number | null;
}

/** One page; where a provider does not answer, the scenes of the others. */
async function searchOnce(calls: Client, page: SearchPage, abort: AbortSignal) {
  const { conditions, area, cursor } = page;
  const { time } = conditions;
  const chosen = conditions.datasets.length > 0 ? conditions.datasets : page.datasets;
  const request = {
    datasets: chosen.slice(0, MAX_DATASETS).map(({ provider, dataset }) => ({ provider, dataset })),
    extent: area,
    minIntersection: 0,
    limit: PAGE_SCENES,
    ...(cursor === null ? {} : { cursor }),
    ...(time === null || time.start === null ? {} : { startDatetime: `${time.start} 00:00:00` }),
    ...(time === null || time.end === null ? {} : { endDatetime: `${time.end} 23:59:59` }),
  };
  return await calls.run("/imagery/search", request, { signal: abort, allowPartial: true, cancelOnAbort: true });
}

/** The words of the service about a failure. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
