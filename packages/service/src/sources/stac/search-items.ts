import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { EpochMs } from "@swath/kernel/time/instant";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { compareKeys, keyOf } from "@swath/kernel/scenes/scene-key";
import type { SourcePage, SourceQuery } from "@swath/raster/source/scene-source";
import type { StacDatasetConfig } from "./config.ts";
import { type CatalogueItem, sceneOfItem, type SkipReason } from "./item-scene.ts";
import type { ItemSearch } from "./page-request.ts";
import type { ItemPage, StacApi } from "./stac-api.ts";

export interface SearchItemsOptions {
  readonly api: StacApi;
  readonly clock: Clock;
  readonly name: string;
  readonly pageSize: number;
  readonly maxPages: number;
  readonly sort: "auto" | "server" | "slices";
  /** Called with every scene found, before it is chosen. */
  readonly onItem: (item: CatalogueItem) => void;
  /** Called for every item that is no scene. */
  readonly onSkip: (reason: SkipReason) => void;
}

/** Seconds in which scenes may lie, both included; null where open. */
interface Interval {
  readonly firstMs: EpochMs | null;
  readonly lastMs: EpochMs | null;
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
/** First and longest period that is asked for at once where the catalogue does not sort. */
const FIRST_SLICE_MS = 30 * DAY_MS;
const LONGEST_SLICE_MS = 3650 * DAY_MS;
const MAX_SLICES = 300;
/** Before every Earth observation satellite. */
const EARLIEST_MS = Date.UTC(1960, 0, 1);
/** Extents with more positions are sent as their boxes. */
const MAX_POSITIONS = 500;
const MIN_PAGE = 10;

/** The catalogue says it sorts and does not. */
class UnsortedError extends Error {
  override readonly name = "UnsortedError";
}

/** Searches of one catalogue. They remember whether it sorts. */
export function createItemSearch(options: SearchItemsOptions) {
  let sorts: boolean | null = options.sort === "auto" ? null : options.sort === "server";

  return async (query: SourceQuery, config: StacDatasetConfig, signal: AbortSignal): Promise<SourcePage> => {
    const interval = intervalOf(query);
    if (interval.firstMs !== null && interval.lastMs !== null && interval.firstMs > interval.lastMs) {
      return { scenes: [], end: true };
    }
    const { canSort } = await options.api.capabilities(signal);
    sorts ??= canSort;
    const search = new Search(options, query, config, interval, signal);
    if (sorts) {
      try {
        return await search.sorted();
      } catch (error) {
        if (!(error instanceof UnsortedError) || options.sort === "server") throw error;
        sorts = false;
      }
    }
    return new Search(options, query, config, interval, signal).inSlices();
  };
}

/** Times of scenes have whole seconds: the interval of those that the query allows and that may follow `after`. */
function intervalOf({ fromMs, toMs, after }: SourceQuery): Interval {
  const last = [
    toMs === null ? null : Math.ceil(toMs / SECOND_MS) * SECOND_MS - SECOND_MS,
    after === null ? null : Math.floor(after.acquiredAtMs / SECOND_MS) * SECOND_MS,
  ].filter((ms) => ms !== null);
  return {
    firstMs: fromMs === null ? null : Math.ceil(fromMs / SECOND_MS) * SECOND_MS,
    lastMs: last.length === 0 ? null : Math.min(...last),
  };
}

class Search {
  readonly #options: SearchItemsOptions;
  readonly #query: SourceQuery;
  readonly #config: StacDatasetConfig;
  readonly #interval: Interval;
  readonly #signal: AbortSignal;
  readonly #found = new Map<string, CatalogueItem>();

  constructor(
    options: SearchItemsOptions,
    query: SourceQuery,
    config: StacDatasetConfig,
    interval: Interval,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#query = query;
    this.#config = config;
    this.#interval = interval;
    this.#signal = signal;
  }

  /**
   * Pages of a catalogue that sorts by time. Within a second the order is ours, so a second counts only when the page
   * after it has begun.
   *
   * @throws {UnsortedError}
   */
  async sorted(): Promise<SourcePage> {
    const { maxPages, api } = this.#options;
    const { firstMs, lastMs } = this.#interval;
    let previousMs = Infinity;
    let pages = 0;
    let seen = 0;
    for await (const page of api.pages(this.#request(firstMs, lastMs, true), this.#signal)) {
      pages += 1;
      seen += page.items.length;
      for (const ms of await this.#take(page)) {
        if (ms > previousMs) throw new UnsortedError();
        previousMs = ms;
      }
      // A catalogue that counts more than it gives and links no further has cut the answer.
      const cut = !page.hasNext && page.items.length > 0 && page.matched !== null && page.matched > seen;
      if (!page.hasNext && !cut) break;
      const complete = this.#inOrder().filter(({ acquiredAtMs }) => acquiredAtMs > previousMs);
      if (complete.length >= this.#query.limit) return this.#page(complete, false);
      if (!page.hasNext) return complete.length > 0 ? this.#page(complete, false) : this.#page(this.#inOrder(), false);
      if (pages >= maxPages) {
        if (complete.length > 0) return this.#page(complete, false);
        throw this.#tooMany(pages);
      }
    }
    return this.#page(this.#inOrder(), true);
  }

  /** Periods from the newest on, each read to its end and sorted here; they grow where little is found. */
  async inSlices(): Promise<SourcePage> {
    const { firstMs, lastMs } = this.#interval;
    const earliestMs = firstMs ?? EARLIEST_MS;
    let endMs = lastMs ?? Math.floor((this.#options.clock.now().getTime() + DAY_MS) / SECOND_MS) * SECOND_MS;
    let spanMs = FIRST_SLICE_MS;
    for (let slices = 0; endMs >= earliestMs; slices++) {
      const startMs = Math.max(earliestMs, endMs - spanMs + SECOND_MS);
      if (slices >= MAX_SLICES) return this.#page(this.#inOrder(), false);
      const count = await this.#slice(startMs, endMs);
      if (count === null) {
        if (startMs >= endMs) throw this.#tooMany(this.#options.maxPages);
        spanMs = Math.max(SECOND_MS, Math.floor((endMs - startMs + SECOND_MS) / 4 / SECOND_MS) * SECOND_MS);
        continue;
      }
      endMs = startMs - SECOND_MS;
      if (this.#found.size > this.#query.limit) break;
      if (count === 0) spanMs = Math.min(LONGEST_SLICE_MS, spanMs * 4);
    }
    return this.#page(this.#inOrder(), endMs < earliestMs);
  }

  /** How many scenes of the period are new; null when it is too full to be read to its end. */
  async #slice(firstMs: EpochMs, lastMs: EpochMs): Promise<number | null> {
    const before = new Set(this.#found.keys());
    let pages = 0;
    for await (const page of this.#options.api.pages(this.#request(firstMs, lastMs, false), this.#signal)) {
      pages += 1;
      await this.#take(page);
      if (page.hasNext && pages >= this.#options.maxPages) {
        for (const id of this.#found.keys()) if (!before.has(id)) this.#found.delete(id);
        return null;
      }
    }
    // Catalogues also give items whose interval only touches the period; those belong to another one.
    for (const [id, { acquiredAtMs }] of this.#found) {
      if (!before.has(id) && (acquiredAtMs < firstMs || acquiredAtMs > lastMs)) this.#found.delete(id);
    }
    return this.#found.size - before.size;
  }

  /** Times of the items of a page that have one, as they come; keeps those that the query wants. */
  async #take(page: ItemPage): Promise<readonly EpochMs[]> {
    const { firstMs, lastMs } = this.#interval;
    const times: EpochMs[] = [];
    const share = loopShare();
    for (const json of page.items) {
      this.#signal.throwIfAborted();
      if (isUsedUp(share)) await giveWay(share, this.#signal);
      const item = await sceneOfItem(json, this.#config);
      if (typeof item === "string") {
        this.#options.onSkip(item);
        continue;
      }
      const { acquiredAtMs, scene } = item;
      times.push(acquiredAtMs);
      if ((firstMs !== null && acquiredAtMs < firstMs) || (lastMs !== null && acquiredAtMs > lastMs)) continue;
      if (this.#query.after !== null && compareKeys(keyOf(scene), this.#query.after) <= 0) continue;
      if (!touchesAny(scene.footprint, this.#query.boxes)) continue;
      if (this.#found.has(scene.sceneId)) continue;
      this.#found.set(scene.sceneId, item);
      this.#options.onItem(item);
    }
    return times;
  }

  #inOrder(): readonly CatalogueItem[] {
    return [...this.#found.values()].toSorted((a, b) => compareKeys(keyOf(a.scene), keyOf(b.scene)));
  }

  #page(items: readonly CatalogueItem[], exhausted: boolean): SourcePage {
    const { limit } = this.#query;
    const scenes = items.slice(0, limit).map(({ scene }) => scene);
    return { scenes, end: exhausted && items.length <= limit };
  }

  #request(firstMs: EpochMs | null, lastMs: EpochMs | null, newestFirst: boolean): ItemSearch {
    const { extent, boxes, limit } = this.#query;
    const { pageSize } = this.#options;
    const positions = extent.coordinates.reduce((sum, rings) => sum + rings.reduce((n, ring) => n + ring.length, 0), 0);
    const [west, south, east, north] = mbr(extent);
    return {
      collections: this.#config.collections,
      intersects: positions <= MAX_POSITIONS ? extent : boxesAsArea(boxes),
      bbox: [west, south, east > 180 ? east - 360 : east, north],
      ...(firstMs === null && lastMs === null ? {} : { datetime: intervalText(firstMs, lastMs) }),
      ...(this.#config.where === undefined ? {} : { where: this.#config.where }),
      newestFirst,
      limit: newestFirst ? Math.min(pageSize, Math.max(limit + 1, Math.min(MIN_PAGE, pageSize))) : pageSize,
    };
  }

  #tooMany(pages: number): ServiceError {
    return new ServiceError(
      "SERVICE-UNAVAILABLE",
      `${this.#options.name}: ${pages} pages gave no complete answer, which is the limit; search a smaller area or time`,
    );
  }
}

/**
 * The interval from one second to another, in the form of catalogues. Their intervals include both ends and times have
 * fractions, so the end is a second later.
 */
export function intervalText(firstMs: EpochMs | null, lastMs: EpochMs | null): string {
  return `${endText(firstMs)}/${endText(lastMs === null ? null : lastMs + SECOND_MS)}`;
}

function endText(ms: EpochMs | null): string {
  return ms === null ? ".." : new Date(ms).toISOString().replace(".000Z", "Z");
}

function touchesAny({ coordinates }: MultiPolygon, boxes: readonly Bounds[]): boolean {
  return coordinates.some(([exterior = []]) => {
    let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [lon, lat] of exterior) {
      west = Math.min(west, lon);
      east = Math.max(east, lon);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
    return boxes.some((box) => west <= box[2] && east >= box[0] && south <= box[3] && north >= box[1]);
  });
}

function boxesAsArea(boxes: readonly Bounds[]): MultiPolygon {
  return { type: "MultiPolygon", coordinates: boxes.map((box) => boundsPolygon(box).coordinates) };
}
