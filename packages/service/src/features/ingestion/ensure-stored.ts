import { randomUUID } from "node:crypto";
import { isGranted } from "@swath/kernel/permissions/permission";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { PixelSource } from "@swath/raster/source/scene-source";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db, PipelineJob } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { shareOf } from "../../platform/queue/lane.ts";
import type { PipelineService } from "../../platform/queue/pipeline-service.ts";
import { cancelPipeline } from "../../platform/queue/pipeline-store.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { DatasetDescriptor } from "../../providers/provider.ts";
import type { ImageryService, SceneView } from "../imagery/service.ts";
import { notDelivered, pixelsOf, planOf, type PixelSources } from "./fetch-scene.ts";
import { ingestNeed, isCovered, tilesLacking, type IngestNeed, type RequestedPart } from "./ingest-need.ts";
import { INGEST_STEPS } from "./ingest-steps.ts";
import * as store from "./on-demand-store.ts";

/** Pixels that are asked for. */
export interface StoreRequest extends RequestedPart {
  readonly sceneId: string;
}

/** Who asks for pixels and is told how far they are. */
export type StoreJob = Pick<PipelineJob, "caller" | "signal" | "report">;

export interface EnsureStoredDeps extends PixelSources {
  readonly db: Db;
  readonly areas: Pick<Areas, "intersection">;
  readonly imagery: Pick<ImageryService, "seenBy">;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly pipelines: Pick<PipelineService, "enqueue" | "retrieve" | "status" | "waitFor">;
}

/** Kind of the pipelines that fetch scenes; no operation initiates or retrieves them. */
export const FETCH_KIND = "/imagery/ingest-on-demand";

/** Lane of these pipelines: others wait for them and must not take their places. */
export const FETCH_LANE = "fetch";

/** Owns these pipelines, so that no user can end what others wait for. */
const FETCHER: Caller = {
  kind: "anonymous",
  userId: "service:ingestion",
  groupId: "",
  email: "",
  permissions: new Set(),
};
/** How often progress is looked at. */
const POLL_MS = 500;
const HEARTBEAT_MS = 15_000;
/** Others may fetch other tiles of the scene first, or cancel; somebody who never gets a turn gives up. */
const MAX_ROUNDS = 50;

export interface EnsuredScene {
  readonly stored: StoredScene;
  /** Whether it was in the store from the start. */
  readonly wasThere: boolean;
}

/** What the store has, or what it lacks. */
type Found =
  | { readonly stored: StoredScene }
  | {
      readonly stored: null;
      readonly scene: Scene;
      readonly need: IngestNeed;
      /** Whether the files belong to an item of a group, which no provider sells. */
      readonly isRegistered: boolean;
    };

/**
 * The scene with the requested pixels in the store, fetched from its source when they are not: once for all who ask
 * at the same time, in whatever process. Of datasets that are delivered cut the answer is a clipped child, one that
 * is there already if it covers what is asked.
 *
 * @throws {ServiceError} NOT-AUTHORIZED without `imagery.images.<provider>.<dataset>` when it has to be fetched, what is
 * there already is left to the operation's own permissions; NON-EXISTING-SCENE;
 * EXTENT-HAS-NO-INTERSECTION; EXTENT-TOO-LARGE; DATA-NOT-AVAILABLE when nobody delivers it; what the provider's
 * failure is called
 */
export async function ensureStored(
  deps: EnsureStoredDeps,
  request: StoreRequest,
  job: StoreJob,
): Promise<EnsuredScene> {
  const waiterId = randomUUID();
  let told = 0;
  const relay = async (step: number, provider: string): Promise<void> => {
    while (told < Math.min(step, INGEST_STEPS.length)) {
      const message = INGEST_STEPS[told];
      told += 1;
      if (message !== undefined) await job.report({ message, provider, step: told });
    }
  };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    job.signal.throwIfAborted();
    const found = await findStored(deps, request, job);
    if (found.stored !== null) return { stored: found.stored, wasThere: round === 0 };
    const { isRegistered, need, scene } = found;
    if (!isRegistered) requireRight(job.caller, scene);
    const { pipelineId, isOurs } = await join(deps, need, waiterId, job.caller);
    try {
      await follow(deps, pipelineId, waiterId, need.targetId, job.signal, (step) => relay(step, scene.provider));
    } finally {
      await leave(deps.db, need.targetId, waiterId);
    }
    const failure = await failureOf(deps, pipelineId);
    if (failure !== null && isOurs && failure.code !== "PIPELINE-CANCELLED") throw failure;
  }
  throw new ServiceError("SERVICE-UNAVAILABLE", `scene ${request.sceneId} is asked for by too many at once`);
}

/** @throws {ServiceError} NOT-AUTHORIZED */
function requireRight({ permissions }: Caller, { provider, dataset }: Scene): void {
  const permission = `imagery.images.${provider}.${dataset}`;
  if (!isGranted(permissions, permission)) {
    throw new ServiceError("NOT-AUTHORIZED", `permission ${permission} is required to fetch scenes`);
  }
}

async function findStored(deps: EnsureStoredDeps, request: StoreRequest, { caller, signal }: StoreJob): Promise<Found> {
  const { sceneId } = request;
  const { areas, catalog } = deps;
  const seen = deps.imagery.seenBy(caller);
  const stored = await seen.stored(sceneId);
  if (stored !== null && stored.raster.tiles === undefined) return { stored };
  const isChild = parseSceneId(sceneId)?.clip !== undefined;
  const scene = stored?.scene ?? (isChild ? null : await seen.catalogueScene(sceneId, signal));
  if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
  const dataset = catalog.findDataset(scene.provider, scene.dataset)?.dataset;
  if (dataset === undefined) throw notDelivered(scene);
  const source = await pixelsOf(deps, scene);
  // What is there decides how it grows.
  const tileDivisor =
    stored === null ? divisorFor(scene, dataset, readsParts(source, scene)) : (stored.raster.tileDivisor ?? 1);
  const need = await ingestNeed(areas, scene, { clip: dataset.clip, tileDivisor }, request, signal);
  if (need.kind === "tiles" && stored !== null && tilesLacking(need.tiles, stored.raster.tiles ?? []).length === 0) {
    return { stored };
  }
  if (need.kind === "clipped") {
    const child = await findChild(deps, seen, scene, need, signal);
    if (child !== null) return { stored: child };
  }
  const isRegistered = source?.readsParts === true;
  if (source === null || !(dataset.archiveDownload || isRegistered)) throw notDelivered(scene);
  return { stored: null, scene, need, isRegistered };
}

/** A scene of more pixels, all bands together, takes minutes to draw: then only the store tiles that are needed are. */
const MOST_DRAWN_PX = 16_000_000;
const STORE_TILE_KM2 = 25;
const GEOGRAPHIC_EPSG = 4326;
/** Store tiles of a kilometre a side, for scenes whose store tiles would take minutes by themselves. */
const FINE_DIVISOR = 5;

/** Whether parts of a scene are read without the rest. Geographic grids may be the guess of an item without one. */
function readsParts(source: PixelSource | null, { crsEpsg }: Scene): boolean {
  if (source === null) return false;
  return source.isComputed || (source.readsParts === true && crsEpsg !== 0 && crsEpsg !== GEOGRAPHIC_EPSG);
}

/** Divisor of the grid by which a scene is ingested in parts; null when it is ingested whole or cut. */
function divisorFor(
  scene: Scene,
  { clip, hasStoreTiles }: Pick<DatasetDescriptor, "clip" | "hasStoreTiles">,
  hasParts: boolean,
): number | null {
  if (hasStoreTiles) return 1;
  const perKm2 = pixelsPerKm2(scene);
  if (!hasParts || clip === "required" || scene.areaKm2 * perKm2 <= MOST_DRAWN_PX) return null;
  return STORE_TILE_KM2 * perKm2 > MOST_DRAWN_PX ? FINE_DIVISOR : 1;
}

function pixelsPerKm2({ bands }: Scene): number {
  return bands.reduce((sum, band) => sum + 1e6 / (band.approximateResolutionX * band.approximateResolutionY), 0);
}

/** A clipped child that has all that is asked for: the one that was made for it, or the smallest other one. */
async function findChild(
  { areas, db }: Pick<EnsureStoredDeps, "areas" | "db">,
  seen: Pick<SceneView, "stored">,
  scene: Scene,
  need: Extract<IngestNeed, { kind: "clipped" }>,
  signal: AbortSignal,
): Promise<StoredScene | null> {
  const exact = await seen.stored(need.targetId);
  if (exact !== null) return exact;
  for (const child of await store.findChildren(db, scene.sceneId)) {
    if (!(await isCovered(areas, need.footprint, child.footprint, signal))) continue;
    const stored = await seen.stored(child.sceneId);
    if (stored !== null) return stored;
  }
  return null;
}

/** The pipeline that fetches the scene, started unless one is under way; `isOurs` tells whether it fetches all we need. */
async function join(
  { db, pipelines }: EnsureStoredDeps,
  request: IngestNeed,
  waiterId: string,
  caller: Caller,
): Promise<{ readonly pipelineId: string; readonly isOurs: boolean }> {
  const { targetId } = request;
  const plan = planOf(request);
  return await inTransaction(db, async (trx) => {
    const latest = await store.lockIngestion(trx, targetId);
    await store.writeWaiter(trx, waiterId, targetId);
    if (isActive(latest)) return { pipelineId: latest.pipelineId, isOurs: latest.plan === plan };
    const { pipelineId } = await pipelines.enqueue(trx, {
      kind: FETCH_KIND,
      lane: FETCH_LANE,
      request,
      caller: FETCHER,
      baseUrl: "",
      share: shareOf(caller),
      isInner: true,
    });
    await store.writeIngestion(trx, targetId, pipelineId, plan);
    return { pipelineId, isOurs: true };
  });
}

function isActive({ status }: store.Ingestion): boolean {
  return status === "NEW" || status === "PROCESSING";
}

/** Waits until a pipeline ends, or until the signal aborts, and tells its progress. */
async function follow(
  { db, pipelines }: EnsureStoredDeps,
  pipelineId: string,
  waiterId: string,
  targetId: string,
  signal: AbortSignal,
  onStep: (step: number) => Promise<void>,
): Promise<void> {
  let seenAtMs = performance.now();
  for (;;) {
    const status = await pipelines.waitFor(pipelineId, signal, POLL_MS);
    signal.throwIfAborted();
    const { progress } = await pipelines.status(pipelineId, 0);
    await onStep(progress.step);
    if (status === "RESOLVED" || status === "FAILED") return;
    if (performance.now() - seenAtMs < HEARTBEAT_MS) continue;
    seenAtMs = performance.now();
    await store.writeWaiter(db, waiterId, targetId);
  }
}

/** Stops waiting; what nobody waits for any more is not fetched any further. Finished rasters stay for a while. */
async function leave(db: Db, targetId: string, waiterId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const latest = await store.lockIngestion(trx, targetId);
    await store.deleteWaiter(trx, waiterId);
    if (isActive(latest) && !(await store.hasWaiters(trx, targetId))) await cancelPipeline(trx, latest.pipelineId);
  });
}

/** How a pipeline that has ended failed; null when it did not. */
async function failureOf({ pipelines }: EnsureStoredDeps, pipelineId: string): Promise<ServiceError | null> {
  try {
    await pipelines.retrieve({ kind: FETCH_KIND, pipelineId, caller: FETCHER });
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}
