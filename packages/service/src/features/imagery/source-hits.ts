import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { TimeLimit } from "@swath/base/concurrency/time-limit";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { mbr, splitBounds } from "@swath/kernel/geometry/mbr";
import { sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { compareKeys, keyOf, type SceneKey } from "@swath/kernel/scenes/scene-key";
import type { SceneSource, SourcePage } from "@swath/raster/source/scene-source";
import type { Hit, SearchFrame } from "./hit.ts";

export interface SourceScope {
  readonly source: SceneSource;
  readonly registered: RegisteredDataset;
  /** Scenes to ask for at once, 1 to 1000. */
  readonly pageSize: number;
  /** How long one page may take; all pages of a search may take four times as long. */
  readonly timeoutMs: number;
}

const SECOND_MS = 1000;
const PAGES_TIME = 4;

/** Rejects when the signal aborts, whether or not the work notices. */
function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", abort));
}

/** Asks a source for a page within its time. */
async function askWithin<Result>(
  ask: (signal: AbortSignal) => Promise<Result>,
  { registered: { provider, dataset }, timeoutMs }: SourceScope,
  signal: AbortSignal,
): Promise<Result> {
  using limit = new TimeLimit(timeoutMs, signal);
  try {
    return await untilAborted(ask(limit.signal), limit.signal);
  } catch (cause) {
    signal.throwIfAborted();
    if (!limit.signal.aborted) throw cause;
    throw new ServiceError(
      "SERVICE-UNAVAILABLE",
      `the catalogue of ${provider.id} ${dataset.dataset} did not answer within ${timeoutMs / SECOND_MS} s`,
      { cause },
    );
  }
}

/**
 * Scenes of a source that overlap the extent enough, in search order, page by page. Scenes that a source repeats, or
 * answers outside the interval, the dataset or the order, are left out.
 *
 * @throws {ServiceError} of the source; SERVICE-UNAVAILABLE when a page takes too long; SCENE-UNREADABLE when the pages
 *   do not advance
 */
export async function* sourceHits(
  { plan, extent, after }: SearchFrame,
  scope: SourceScope,
  signal: AbortSignal,
): AsyncGenerator<readonly Hit[], void, void> {
  const { source, registered, pageSize } = scope;
  const { provider, dataset } = registered;
  const prefix = sceneIdPrefix(provider.id, dataset.dataset);
  const query = {
    provider: provider.id,
    dataset: dataset.dataset,
    extent: plan.extent,
    boxes: splitBounds(mbr(plan.extent)),
    // Scenes have whole seconds, and both ends of a search belong to it.
    fromMs: plan.from === null ? null : Math.ceil(plan.from / SECOND_MS) * SECOND_MS,
    toMs: plan.to === null ? null : (Math.floor(plan.to / SECOND_MS) + 1) * SECOND_MS,
    limit: pageSize,
  };
  const endMs = performance.now() + PAGES_TIME * scope.timeoutMs;
  let last: SceneKey | null = after;
  for (;;) {
    if (performance.now() >= endMs) {
      throw new ServiceError(
        "SERVICE-UNAVAILABLE",
        `the catalogue of ${provider.id} ${dataset.dataset} has found too little in ` +
          `${(PAGES_TIME * scope.timeoutMs) / SECOND_MS} s; ask for a shorter time, a smaller extent or a lower minIntersection`,
      );
    }
    const from = last;
    const page: SourcePage = await askWithin(
      (within) => source.search({ ...query, after: from }, within),
      scope,
      signal,
    );
    const hits: Hit[] = [];
    const share = loopShare();
    for (const scene of page.scenes) {
      const key = keyOf(scene);
      if (!scene.sceneId.startsWith(prefix) || Number.isNaN(key.acquiredAtMs)) continue;
      if (last !== null && compareKeys(last, key) >= 0) continue;
      last = key;
      if (query.fromMs !== null && key.acquiredAtMs < query.fromMs) continue;
      if (query.toMs !== null && key.acquiredAtMs >= query.toMs) continue;
      if (isUsedUp(share)) await giveWay(share, signal);
      if (!overlapsEnough(extent, prepareArea(scene.footprint), plan.threshold)) continue;
      const { footprint } = scene;
      hits.push({ key, footprint, ingested: false, clipped: false, origin: { kind: "source", scene } });
    }
    if (hits.length > 0) yield hits;
    if (page.end) return;
    if (last === from) {
      throw new ServiceError(
        "SCENE-UNREADABLE",
        `the catalogue of ${provider.id} ${dataset.dataset} answers the same page again and again`,
      );
    }
  }
}
