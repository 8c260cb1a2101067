import { ORDER_PRIORITIES, type OrderPriority } from "@swath/kernel/tasking/order-priority";
import type { Client } from "@swath/client";
import type { Ring } from "../find/area-rings.ts";

/** A polygon as the service reads it. */
export interface AreaPolygon {
  readonly type: "Polygon";
  readonly coordinates: readonly Ring[];
}

/** A dataset that takes orders. */
export interface Product {
  readonly provider: string;
  readonly dataset: string;
  readonly name: string;
  readonly isOptical: boolean;
  /** Finest pixel. */
  readonly finestM: number;
  readonly kinds: readonly {
    readonly priorities: readonly string[];
    /** A study begins and ends within so many hours from now. */
    readonly offsetHours: { readonly min: number; readonly max: number };
  }[];
}

/** Terms of a study. */
export interface Wish {
  readonly area: AreaPolygon;
  /** Days, UTC, `YYYY-MM-DD`. */
  readonly start: string;
  readonly end: string;
  readonly name: string;
  /** Null leaves the choice to the contract. */
  readonly priority: OrderPriority | null;
  /** 0 to 1; optical products only. */
  readonly maxCloudCover: number;
}

const HOUR_MS = 3_600_000;
/** A request is on its way for less. */
const MARGIN_MS = 60_000;
/** Studies of one request. */
const MAX_STUDIES = 20;

/** The body of a study, which an order of one of its windows repeats. */
export function studyOf(product: Product, wish: Wish, nowMs: number) {
  const { priority } = wish;
  const kinds = product.kinds.filter(({ priorities }) => priority === null || priorities.includes(priority));
  if (kinds.length === 0) return null;
  const [least, most] = [
    Math.max(...kinds.map(({ offsetHours }) => offsetHours.min)),
    Math.min(...kinds.map(({ offsetHours }) => offsetHours.max)),
  ];
  const fromMs = Math.max(Date.parse(`${wish.start}T00:00:00Z`), nowMs + least * HOUR_MS + MARGIN_MS);
  const toMs = Math.min(Date.parse(`${wish.end}T23:59:59Z`), nowMs + most * HOUR_MS - MARGIN_MS);
  if (toMs <= fromMs) return null;
  return {
    provider: product.provider,
    dataset: product.dataset,
    name: wish.name,
    geometry: wish.area,
    startTime: new Date(fromMs).toISOString(),
    endTime: new Date(toMs).toISOString(),
    ...(priority === null ? {} : { priority }),
    ...(product.isOptical ? { orderOptions: { maxCloudCover: wish.maxCloudCover } } : {}),
  };
}

export type StudyRequest = NonNullable<ReturnType<typeof studyOf>>;

/** The most patient priority of each kind first. */
export function prioritiesOf(products: readonly Product[]): readonly OrderPriority[] {
  const offered = new Set(products.flatMap(({ kinds }) => kinds.flatMap(({ priorities }) => priorities)));
  return ORDER_PRIORITIES.filter((priority) => offered.has(priority));
}

export async function listProducts(calls: Client): Promise<readonly Product[]> {
  const listed = await calls.call("/imagery/datasets/list");
  return listed.flatMap(({ taskingInfo, provider, dataset, datasetName, datasetType, resolution }) =>
    taskingInfo === undefined
      ? []
      : {
          provider,
          dataset,
          name: datasetName,
          isOptical: datasetType === "optical",
          finestM: Math.min(...resolution),
          kinds: Object.values(taskingInfo).map(({ priorities, feasibilityHourOffset }) => ({
            priorities,
            offsetHours: feasibilityHourOffset,
          })),
        },
  );
}

/** Asks when products can capture an area; products that do not answer are named. */
export async function askStudy(calls: Client, products: readonly Product[], wish: Wish, signal: AbortSignal) {
  const nowMs = Date.now();
  const asked = products.map((product) => ({ product, request: studyOf(product, wish, nowMs) }));
  const possible = asked.filter(({ request }) => request !== null).slice(0, MAX_STUDIES);
  const leftOut = asked.filter((one) => !possible.includes(one)).map(({ product }) => product.name);
  if (possible.length === 0) return { opportunities: [], leftOut, failed: [], reasons: [] };
  const params = possible.flatMap(({ request }) => (request === null ? [] : [request]));
  const options = { signal, allowPartial: true, cancelOnAbort: true };
  const { results, failedDatasets } = await calls.run("/scene-tasking/multi-feasibility", { params }, options);
  const opportunities = results.flatMap(({ provider, dataset, windows, orbits }) => {
    const study = possible.find(({ product }) => product.provider === provider && product.dataset === dataset);
    if (study === undefined || study.request === null) return [];
    const { product, request } = study;
    return windows.map((window) => ({
      ...window,
      product,
      request,
      orbit:
        orbits.find(({ satellite, epoch }) => satellite === window.satellite && epoch === window.elementsEpoch) ?? null,
    }));
  });
  return {
    opportunities,
    leftOut,
    failed: failedDatasets.map(({ dataset, errorMessage }) => `${dataset} (${errorMessage})`),
    reasons: results.flatMap(({ empty }) => (empty === undefined ? [] : [empty.message])),
  };
}

export type Study = Awaited<ReturnType<typeof askStudy>>;
/** A time in which a product can capture the area. */
export type Opportunity = Study["opportunities"][number];

/** The order of an opportunity: its study again, without days, and the window. */
export function orderOf({ request, windowId }: Pick<Opportunity, "request" | "windowId">, licence: string | null) {
  // The service takes the days of the study, cut to the longest order around the window.
  const { startTime: _first, endTime: _last, orderOptions, ...parameters } = request;
  const options = { ...orderOptions, ...(licence === null ? {} : { eula: licence }) };
  return { ...parameters, windowId, ...(Object.keys(options).length === 0 ? {} : { orderOptions: options }) };
}
