import { createHash } from "node:crypto";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { parentSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { uniqueStoreTiles, type StoreTile } from "@swath/kernel/tiles/store-tile";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import type { Clock } from "@swath/base/clock";
import type { Db, PipelineJob, PipelineOutcome } from "../../platform/context.ts";
import { assembleDraft } from "@swath/raster/store/scene-draft";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { WorkFolders } from "../../platform/uploads/work-folders.ts";
import type { OpenedScene, PixelSource } from "@swath/raster/source/scene-source";
import type { RegisteredItems } from "../../sources/registered/registered-items.ts";
import type { ImageryService } from "../imagery/service.ts";
import { buildScene } from "./build-scene.ts";
import { fetchRaster, type FetchedRaster, type Wanted } from "./fetch-raster.ts";
import { partInTiles, tilesLacking } from "./ingest-need.ts";
import { INGEST_STEPS, type IngestStep } from "./ingest-steps.ts";
import * as store from "./on-demand-store.ts";

/** What one ingestion fetches; the request of its pipeline, as JSON. */
export type FetchRequest =
  | { readonly kind: "whole"; readonly targetId: string }
  /** The tiles that somebody needs; those that are in the store by then are left alone. */
  | {
      readonly kind: "tiles";
      readonly targetId: string;
      readonly tiles: readonly StoreTile[];
      readonly divisor: number;
    }
  | { readonly kind: "clipped"; readonly targetId: string; readonly footprint: MultiPolygon };

export interface FetchDeps extends PixelSources {
  readonly areas: Pick<Areas, "inStoreTiles">;
  readonly db: Db;
  readonly clock: Clock;
  readonly blobs: BlobStore;
  readonly imagery: Pick<ImageryService, "stored" | "keepPixels"> & SceneCatalogue;
  readonly folders: WorkFolders;
}

/** Scenes of all catalogues. */
export interface SceneCatalogue {
  /** The scene, stored or not, or null when nobody knows it. */
  catalogueScene(sceneId: string, signal?: AbortSignal): Promise<Scene | null>;
}

/** Where the pixels of the scenes of a dataset come from; null when only from the store. */
export interface SourceLookup {
  sourceOf(provider: string, dataset: string): PixelSource | null;
}

/** Where the pixels of a scene come from: the files of a registered item, or else the source of its dataset. */
export interface PixelSources {
  readonly sources: SourceLookup;
  /** Absent where no item is registered. */
  readonly items?: Pick<RegisteredItems, "sourceOf">;
}

export async function pixelsOf(
  { items, sources }: PixelSources,
  { sceneId, provider, dataset }: Pick<Scene, "sceneId" | "provider" | "dataset">,
): Promise<PixelSource | null> {
  return (await items?.sourceOf(sceneId)) ?? sources.sourceOf(provider, dataset);
}

/** Runs after which a provider that does not answer is taken for unable to deliver. */
const PATIENT_RUNS = 4;
/** Longest run; a provider that takes more is not going to end. */
const MAX_RUN_MS = 2 * 60 * 60 * 1000;
/** Replaced blobs stay as long as any request may take that began before. */
const RETIRE_MS = 60 * 60 * 1000;

/** Hash that tells what is fetched: equal plans can use each other's finished rasters. */
export function planOf(request: FetchRequest): string {
  const content =
    request.kind === "whole" ? null : request.kind === "tiles" ? uniqueStoreTiles(request.tiles) : request.footprint;
  return createHash("sha256")
    .update(JSON.stringify([request.kind, content]))
    .digest("hex")
    .slice(0, 32);
}

/**
 * Fetches pixels of a scene from its source into the store. A run after a crash takes up what was finished before;
 * a definite failure leaves nothing behind.
 */
export async function fetchScene(
  deps: FetchDeps,
  request: FetchRequest,
  job: PipelineJob,
): Promise<PipelineOutcome<{ readonly sceneId: string }>> {
  const timeout = AbortSignal.timeout(MAX_RUN_MS);
  const folder = await deps.folders.create(job.pipelineId, job.attempt);
  using guard = deps.folders.guard(folder, AbortSignal.any([job.signal, timeout]));
  const { signal } = guard;
  try {
    return await fetchInto(deps, request, job, folder, signal);
  } catch (error) {
    if (job.signal.aborted) throw error;
    const failure = definiteFailure(error, job.failures, timeout.aborted);
    if (failure === null) throw error;
    await discardParts(deps, request.targetId);
    throw failure;
  } finally {
    await deps.folders.remove(folder);
  }
}

/** The failure that another run would meet as well; null when it might not. */
function definiteFailure(error: unknown, failures: number, timedOut: boolean): ServiceError | null {
  if (timedOut) return new ServiceError("DATA-NOT-AVAILABLE", "the provider did not deliver in time");
  if (!(error instanceof ServiceError)) return null;
  if (error.code !== "SERVICE-UNAVAILABLE" && error.code !== "TOO-MANY-REQUESTS") return error;
  if (failures + 1 < PATIENT_RUNS) return null;
  return new ServiceError("DATA-NOT-AVAILABLE", `the provider does not deliver: ${error.message}`, { cause: error });
}

async function fetchInto(
  deps: FetchDeps,
  request: FetchRequest,
  job: PipelineJob,
  folder: string,
  signal: AbortSignal,
): Promise<PipelineOutcome<{ readonly sceneId: string }>> {
  const { targetId } = request;
  const result = { sceneId: targetId };
  const former = await deps.imagery.stored(targetId);
  const formerTiles = former?.raster.tiles ?? [];
  const lacking = request.kind === "tiles" ? tilesLacking(uniqueStoreTiles(request.tiles), formerTiles) : [];
  const divisor = request.kind === "tiles" ? request.divisor : 1;
  if (former?.raster.tiles !== undefined && (former.raster.tileDivisor ?? 1) !== divisor) {
    throw new ServiceError("CONFLICT", `scene ${targetId} is kept in tiles of another size, ask again`);
  }
  const isThere = former !== null && (former.raster.tiles === undefined || lacking.length === 0);
  if (isThere) return { result };

  const scene = await deps.imagery.catalogueScene(parentSceneId(targetId), signal);
  if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${parentSceneId(targetId)}`);
  const source = await pixelsOf(deps, scene);
  if (source === null) throw notDelivered(scene);
  const report = async (step: IngestStep): Promise<void> => {
    await job.report({ message: INGEST_STEPS[step - 1] ?? "Unknown", provider: scene.provider, step });
  };
  await report(1);
  const wanted = await wantedPart(deps.areas, request, { scene, lacking, divisor }, signal);
  const plan = planOf(request.kind === "tiles" ? { ...request, tiles: [...formerTiles, ...lacking] } : request);
  const parts = await usableParts(deps, targetId, plan, former);

  await report(2);
  // An order takes the provider's time, which is what everybody waits for until it is open.
  await report(3);
  await using opened = await source.open(scene, wanted === null ? null : { extent: wanted.window }, signal);
  await report(4);
  const fetched = await fetchRasters(deps, { request, plan, scene, wanted, former, parts }, opened, {
    job,
    folder,
    signal,
  });
  await report(5);
  const tiles = request.kind === "tiles" ? uniqueStoreTiles([...formerTiles, ...lacking]) : null;
  const stored = assemble(request, scene, opened, fetched, tiles);
  const storedArea = tiles === null ? null : await partInTiles(deps.areas, scene, tiles, divisor, signal);
  await report(6);
  return {
    result,
    commit: async (trx) => {
      const parentId = request.kind === "clipped" ? scene.sceneId : null;
      await deps.imagery.keepPixels(trx, { ...stored, parentId, storedArea }, storedArea === null);
      await store.deleteParts(trx, targetId);
      const kept = new Set(keysOf(stored));
      const gone = former === null ? [] : keysOf(former).filter((key) => !kept.has(key));
      if (gone.length > 0) await store.insertRetired(trx, gone, new Date(deps.clock.now().getTime() + RETIRE_MS));
    },
  };
}

export function notDelivered({ sceneId, provider, dataset }: Pick<Scene, "sceneId" | "provider" | "dataset">): Error {
  return new ServiceError(
    "DATA-NOT-AVAILABLE",
    `the pixels of scene ${sceneId} are not in the store, and ${provider} ${dataset} delivers none`,
  );
}

/** Null for the whole scene. */
async function wantedPart(
  areas: Pick<Areas, "inStoreTiles">,
  request: FetchRequest,
  {
    scene,
    lacking,
    divisor,
  }: { readonly scene: Scene; readonly lacking: readonly StoreTile[]; readonly divisor: number },
  signal: AbortSignal,
): Promise<Wanted | null> {
  if (request.kind === "whole") return null;
  if (request.kind === "clipped") return { area: request.footprint, window: request.footprint };
  const wanted = { tiles: lacking, crsEpsg: scene.crsEpsg, divisor };
  const { ground, part } = await areas.inStoreTiles(scene.footprint, wanted, signal);
  return { area: ground, window: part };
}

/** Finished rasters of the same plan; whatever else lies under the scene's prefix is removed. */
async function usableParts(
  { db, blobs }: FetchDeps,
  targetId: string,
  plan: string,
  former: StoredScene | null,
): Promise<ReadonlyMap<number, FetchedRaster>> {
  const parts = await store.readParts<FetchedRaster>(db, targetId);
  const usable = parts.filter((part) => part.plan === plan);
  const prefix = prefixOf(targetId);
  const needed = new Set([
    ...usable.flatMap(({ keys }) => keys),
    ...(former === null ? [] : keysOf(former)),
    ...(await store.findRetiredAmong(db, prefix)),
  ]);
  if (usable.length === 0) await store.deleteParts(db, targetId);
  const found = new Set<string>();
  for await (const { key } of blobs.list(prefix)) {
    if (needed.has(key)) found.add(key);
    else await blobs.delete(key);
  }
  return new Map(
    usable.filter(({ keys }) => keys.every((key) => found.has(key))).map(({ raster, part }) => [raster, part]),
  );
}

interface Fetching {
  readonly request: FetchRequest;
  readonly plan: string;
  readonly scene: Scene;
  readonly wanted: Wanted | null;
  readonly former: StoredScene | null;
  readonly parts: ReadonlyMap<number, FetchedRaster>;
}

/** One raster after the other: each takes all the memory there is, and is kept when it is finished. */
async function fetchRasters(
  deps: FetchDeps,
  { request, plan, scene, wanted, former, parts }: Fetching,
  opened: OpenedScene,
  { job, folder, signal }: { readonly job: PipelineJob; readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly FetchedRaster[]> {
  const { rasters, metadata } = opened;
  const fetched: FetchedRaster[] = [];
  for (const [index, named] of rasters.entries()) {
    const bands = metadata.bands.filter(({ raster }) => raster === index);
    if (bands.length === 0) continue;
    const finished = parts.get(index);
    if (finished !== undefined && finished.draft.bands.length === bands.length) {
      fetched.push(finished);
      continue;
    }
    // Bands of the former raster stand where the same metadata has put them.
    const places = bands.map((band) => metadata.bands.indexOf(band));
    const formerBands = former === null ? [] : places.flatMap((place) => former.raster.bands[place] ?? []);
    const one = await fetchRaster(
      { blobs: deps.blobs, folder, signal },
      {
        named,
        index,
        bands,
        wanted,
        former: formerBands.length === bands.length ? formerBands : null,
        prefix: `${prefixOf(request.targetId)}${job.pipelineId}-${job.attempt}-r${index}/`,
      },
    );
    if (request.kind === "tiles" && (one.draft.crs.epsg ?? 0) !== scene.crsEpsg) {
      throw new ServiceError(
        "UNSUPPORTED-IMAGERY",
        `the provider delivered scene ${scene.sceneId} in EPSG:${one.draft.crs.epsg ?? 0}, expected ${scene.crsEpsg}`,
      );
    }
    await store.insertPart(deps.db, request.targetId, plan, { raster: index, part: one, keys: keysOfPart(one) });
    fetched.push(one);
  }
  return fetched;
}

/** The scene as its catalogue has it, with the bands that were delivered. */
function assemble(
  request: FetchRequest,
  scene: Scene,
  { metadata }: OpenedScene,
  fetched: readonly FetchedRaster[],
  tiles: readonly StoreTile[] | null,
): StoredScene {
  const draft = assembleDraft(
    metadata,
    fetched.map((one) => one.draft),
  );
  const keyOf = new Map(
    fetched.flatMap((one) => one.draft.bands.map(({ metadata: band }, i) => [nameOf(band), one.keys[i]])),
  );
  const hash = createHash("sha256").update(request.targetId);
  for (const one of fetched) for (const bandHash of one.hashes) hash.update(bandHash);
  const contentHash = hash.digest("hex");
  const built = buildScene(
    draft,
    { sceneId: request.targetId, provider: scene.provider, dataset: scene.dataset, contentHash },
    draft.bands.flatMap(({ metadata: band }) => keyOf.get(nameOf(band)) ?? []),
  );
  return {
    scene: {
      ...built.scene,
      ...scene,
      sceneId: request.targetId,
      crsEpsg: built.scene.crsEpsg,
      // The footprint is what areas are sold by: it must not change when the pixels arrive.
      footprint: request.kind === "clipped" ? request.footprint : scene.footprint,
      bands: built.scene.bands,
    },
    raster: { ...built.raster, ...(tiles === null ? {} : { tiles }), ...divisorOf(request) },
    contentHash,
  };
}

function divisorOf(request: FetchRequest): { readonly tileDivisor?: number } {
  return request.kind === "tiles" && request.divisor !== 1 ? { tileDivisor: request.divisor } : {};
}

function nameOf({ raster, band }: { readonly raster: number; readonly band: number }): string {
  return `${raster} ${band}`;
}

function prefixOf(targetId: string): string {
  return `scenes/${targetId}/`;
}

function keysOf({ raster }: StoredScene): readonly string[] {
  return [...new Set(raster.bands.flatMap(({ key, maskKey }) => (maskKey === null ? [key] : [key, maskKey])))];
}

function keysOfPart({ keys }: FetchedRaster): readonly string[] {
  return [...new Set(keys.flatMap(({ key, maskKey }) => (maskKey === null ? [key] : [key, maskKey])))];
}

/** Forgets finished rasters of a scene, with their blobs. */
export async function discardParts({ db, blobs }: Pick<FetchDeps, "db" | "blobs">, targetId: string): Promise<void> {
  for (const { keys } of await store.readParts(db, targetId)) {
    for (const key of keys) await blobs.delete(key);
  }
  await store.deleteParts(db, targetId);
}
