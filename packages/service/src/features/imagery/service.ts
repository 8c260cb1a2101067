import { createHash } from "node:crypto";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Scene } from "@swath/kernel/scenes/scene";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { createBatches } from "@swath/base/concurrency/batches";
import type { Caller, Db, FileAnswer, Trx } from "../../platform/context.ts";
import { matchesEtag } from "../../platform/etag.ts";
import type { Log } from "@swath/base/log/log";
import { createCatalog, type Catalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import { rememberScenes } from "./catalogue-rows.ts";
import type {
  DatasetListing,
  SceneInfoRequest,
  SearchRequest,
  SearchResult,
} from "@swath/contract/features/imagery/contract";
import { imagesPermission, listDataset } from "./dataset-listing.ts";
import { sceneInfo } from "./scene-info.ts";
import { toRecord, toRow, toSceneInfo, type SceneRecord } from "./scene-record.ts";
import { planSearch, type SearchableDatasets, type SearchPlan } from "./search-plan.ts";
import { createSearch } from "./search.ts";
import { createSourceThumbnails } from "./source-thumbnail.ts";
import * as store from "./store.ts";
import { negotiateThumbnail, type ThumbnailRenderer } from "./thumbnail.ts";

export interface ImageryService {
  /** Refuses a search that cannot be run, before it is queued. */
  admitSearch(db: Db, request: SearchRequest): Promise<void>;
  /**
   * One page of the store and all sources together. A source that fails is named in `failedDatasets`, and the page
   * is what the others know. Scenes of sources become known by it.
   */
  search(request: SearchRequest, signal: AbortSignal, caller?: Caller): Promise<SearchResult>;
  sceneInfo(request: SceneInfoRequest, signal?: AbortSignal): Promise<Scene>;
  /**
   * The scene whether it is stored, known from an earlier search, or only known to the source of its dataset, which
   * makes it known. Null when there is none.
   *
   * @throws {ServiceError} of the source, when only that could tell
   */
  catalogueScene(sceneId: string, signal?: AbortSignal): Promise<Scene | null>;
  /** Removes scenes of sources that nobody has asked for in a while and nothing here needs; answers how many. */
  forget(signal?: AbortSignal): Promise<number>;
  listDatasets(caller: Caller): readonly DatasetListing[];
  /** A picture of the pixels in the store, or else the source's own. */
  thumbnail(
    sceneId: string,
    headers: Readonly<Record<string, string | undefined>>,
    signal?: AbortSignal,
  ): Promise<FileAnswer>;
  /** The scene when its pixels are in the store, else null. */
  stored(sceneId: string, on?: Db): Promise<StoredScene | null>;
  /** The scene when the service knows it, with or without pixels, else null; no source is asked. */
  known(sceneId: string, on?: Db): Promise<Scene | null>;
  /**
   * Gives a scene its pixels, or other ones; a scene that is not known yet becomes so.
   *
   * @param complete false while only some store tiles of the scene are there, which `storedArea` covers
   */
  keepPixels(trx: Trx, scene: SceneRecord, complete: boolean): Promise<void>;
  /** Identifier of the scene that was ingested from the same bytes, or null. */
  findByContentHash(db: Db | Trx, provider: string, dataset: string, contentHash: string): Promise<string | null>;
  /** Makes a scene known; one that is known by identifier or content already is left as it is. */
  register(trx: Trx, scene: SceneRecord): Promise<void>;
  /** Makes many scenes known, with or without pixels, in batches; answers how many were new. */
  insertScenes(scenes: Iterable<SceneRecord>): Promise<number>;
}

export interface ImageryServiceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly thumbnails: ThumbnailRenderer;
  /** Default: everything built in. */
  readonly catalog?: Catalog;
  /** Default: every dataset is what the store holds of it. */
  readonly sources?: SourceBindings;
  readonly log?: Log;
  /** How long a source may take for one page. */
  readonly sourceTimeoutMs?: number;
  /** Days that scenes of sources stay known without being asked for. */
  readonly catalogueDays?: number;
}

const INSERT_BATCH = 1000;
const FORGET_BATCH = 1000;
const DAY_MS = 86_400_000;
/** Scenes that are looked up by one statement, and statements at a time. */
const SCENES_TOGETHER = 64;
const SCENE_BATCHES = 2;
const DEFAULT_SOURCE_TIMEOUT_MS = 30_000;
const DEFAULT_CATALOGUE_DAYS = 30;

function nameOf(one: { readonly provider: string; readonly dataset: string }): string {
  return `${one.provider} ${one.dataset}`;
}

async function keysetOf(on: Db, plan: SearchPlan): Promise<store.Keyset | null> {
  if (plan.cursor === null) return null;
  const keyset = await store.readKeyset(on, plan.cursor);
  if (keyset === null) throw new ServiceError("INVALID-CURSOR", `cursor ${plan.cursor} is not one of a search`);
  return keyset;
}

/** A search without a caller is the service's own. */
function granted(caller: Caller | undefined, permission: string): boolean {
  return caller === undefined || isGranted(caller.permissions, permission);
}

export function createImageryService(deps: ImageryServiceDeps): ImageryService {
  const { db, clock, thumbnails, catalog = createCatalog(providers), sources = storeOnly } = deps;
  const catalogueDays = deps.catalogueDays ?? DEFAULT_CATALOGUE_DAYS;
  const searchable: SearchableDatasets = {
    catalog,
    hasSource: ({ provider, dataset }) => sources.sourceOf(provider.id, dataset.dataset) !== null,
  };
  const sourceThumbnails = createSourceThumbnails(sources);
  // A look-up costs the server and the round trip more than the row.
  const sceneInfoRow = createBatches<string, store.SceneInfoRow | null>({
    run: (sceneIds) => store.readSceneInfos(db, sceneIds),
    maxItems: SCENES_TOGETHER,
    maxRunning: SCENE_BATCHES,
  });
  /** Keys never change, so they are kept once seen. */
  const datasetKeys = new Map<string, number>();

  async function knownKeys(
    names: readonly { readonly provider: string; readonly dataset: string }[],
  ): Promise<readonly number[]> {
    const missing = names.filter((name) => !datasetKeys.has(nameOf(name)));
    if (missing.length > 0) {
      for (const row of await store.readDatasetKeys(db, missing)) datasetKeys.set(nameOf(row), row.dataset_key);
    }
    return names.flatMap((name) => datasetKeys.get(nameOf(name)) ?? []);
  }

  /** For rows that are written outside a transaction: a key must not be kept that is rolled back. */
  async function datasetKeyOf({ provider, dataset }: Scene): Promise<number> {
    const [known] = await knownKeys([{ provider, dataset }]);
    if (known !== undefined) return known;
    const key = await store.ensureDataset(db, provider, dataset);
    datasetKeys.set(nameOf({ provider, dataset }), key);
    return key;
  }

  /** The scene from the source of its dataset, which gives it a row; null when that has none. */
  async function fetchScene(sceneId: string, signal: AbortSignal): Promise<Scene | null> {
    const parts = parseSceneId(sceneId);
    const source = parts === null ? null : sources.sourceOf(parts.provider, parts.dataset);
    const scene = (await source?.scene(sceneId, signal)) ?? null;
    if (scene === null || scene.sceneId !== sceneId) return null;
    const now = clock.now();
    const remembered = await rememberScenes(db, [scene], {
      known: new Map(),
      now,
      staleBefore: new Date(now.getTime() - DAY_MS),
      datasetKeyOf,
    });
    return remembered.get(sceneId)?.scene ?? null;
  }

  const search = createSearch({
    db,
    clock,
    sources,
    log: deps.log ?? null,
    sourceTimeoutMs: deps.sourceTimeoutMs ?? DEFAULT_SOURCE_TIMEOUT_MS,
    knownKeys,
    datasetKeyOf,
  });

  async function record(sceneId: string, signal: AbortSignal): Promise<SceneRecord> {
    let row = parseSceneId(sceneId) === null ? null : await store.readScene(db, sceneId);
    if (row === null && (await fetchScene(sceneId, signal)) !== null) row = await store.readScene(db, sceneId);
    if (row === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
    return toRecord(row);
  }

  return {
    async admitSearch(on, request) {
      const plan = planSearch(request, searchable);
      await keysetOf(on, plan);
    },

    async search(request, signal, caller) {
      const plan = planSearch(request, searchable);
      return search(plan, await keysetOf(db, plan), signal, (one) => granted(caller, imagesPermission(one)));
    },

    async sceneInfo(request, signal = new AbortController().signal) {
      const { sceneId } = request;
      let row = parseSceneId(sceneId) === null ? null : await sceneInfoRow(sceneId);
      if (row === null && (await fetchScene(sceneId, signal)) !== null) row = await sceneInfoRow(sceneId);
      if (row === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      const known = toSceneInfo(row);
      const registered = catalog.findDataset(known.scene.provider, known.scene.dataset);
      const hasStoreTiles = registered?.dataset.hasStoreTiles === true;
      return sceneInfo({ record: known, ingested: row.ingested, hasStoreTiles }, request);
    },

    async catalogueScene(sceneId, signal = new AbortController().signal) {
      const row = parseSceneId(sceneId) === null ? null : await sceneInfoRow(sceneId);
      return row === null ? fetchScene(sceneId, signal) : toSceneInfo(row).scene;
    },

    async forget(signal) {
      const before = new Date(clock.now().getTime() - catalogueDays * DAY_MS);
      const orphaned = catalog.providers.flatMap((provider) =>
        provider.datasets
          .filter((dataset) => !searchable.hasSource({ provider, dataset }))
          .map(({ dataset }) => ({ provider: provider.id, dataset })),
      );
      const orphanedKeys = await knownKeys(orphaned);
      let forgotten = 0;
      for (;;) {
        signal?.throwIfAborted();
        // oxlint-disable-next-line no-await-in-loop -- short statements, one after the other
        const deleted = await store.deleteForgotten(db, { before, orphanedKeys, limit: FORGET_BATCH });
        forgotten += deleted;
        if (deleted < FORGET_BATCH) return forgotten;
      }
    },

    listDatasets(caller) {
      if (caller.kind !== "anonymous" && !isGranted(caller.permissions, "imagery.availability")) {
        throw new ServiceError("NOT-AUTHORIZED", "permission imagery.availability is required");
      }
      return catalog.providers.flatMap((provider) =>
        provider.datasets.map((dataset) => listDataset({ provider, dataset }, caller)),
      );
    },

    async thumbnail(sceneId, headers, signal = new AbortController().signal) {
      const { scene, raster, contentHash } = await record(sceneId, signal);
      const registered = catalog.findDataset(scene.provider, scene.dataset);
      if (registered?.dataset.thumbnail !== true) {
        throw new ServiceError("DATA-NOT-AVAILABLE", `dataset ${scene.dataset} has no thumbnails`);
      }
      // Of a scene that is in the store in parts, the source has the whole picture.
      if (raster === null || raster.tiles !== undefined) {
        const answer = await sourceThumbnails.answer(scene, headers["if-none-match"], signal);
        if (answer !== null) return answer;
      }
      if (raster === null) throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} has no thumbnail`);
      const mediaType = negotiateThumbnail(headers["accept"]);
      const hash = createHash("sha256")
        .update(`${sceneId}\n${contentHash ?? ""}\n${mediaType}`)
        .digest("base64url");
      const etag = `"${hash.slice(0, 27)}"`;
      const shared = { etag, vary: "accept", "cache-control": "private, max-age=86400" };
      if (matchesEtag(headers["if-none-match"], etag)) return { status: 304, body: null, headers: shared };
      const body = await thumbnails.render({ scene, raster, contentHash: contentHash ?? "" }, mediaType);
      return { status: 200, mediaType, body, contentLength: body.byteLength, headers: shared };
    },

    async stored(sceneId, on = db) {
      const row = parseSceneId(sceneId) === null ? null : await store.readScene(on, sceneId);
      if (row === null) return null;
      const { scene, raster, contentHash } = toRecord(row);
      return raster === null ? null : { scene, raster, contentHash: contentHash ?? "" };
    },

    async known(sceneId, on = db) {
      const row = parseSceneId(sceneId) === null ? null : await store.readScene(on, sceneId);
      return row === null ? null : toRecord(row).scene;
    },

    async keepPixels(trx, stored, complete) {
      const datasetKey = await store.ensureDataset(trx, stored.scene.provider, stored.scene.dataset);
      const row = toRow(stored, datasetKey);
      if (await store.updatePixels(trx, row, complete)) return;
      await store.insertScenes(trx, [row]);
      // Inserted rows count as complete, and a rival may have been faster.
      await store.updatePixels(trx, row, complete);
    },

    findByContentHash: (on, provider, dataset, contentHash) =>
      store.findSceneByContentHash(on, provider, dataset, contentHash),

    async register(trx, stored) {
      const datasetKey = await store.ensureDataset(trx, stored.scene.provider, stored.scene.dataset);
      await store.insertScenes(trx, [toRow(stored, datasetKey)]);
    },

    async insertScenes(scenes) {
      const keys = new Map<string, number>();
      let inserted = 0;
      let batch: store.NewSceneRow[] = [];
      for (const one of scenes) {
        const { provider, dataset } = one.scene;
        const name = nameOf(one.scene);
        const key = keys.get(name) ?? (await store.ensureDataset(db, provider, dataset));
        keys.set(name, key);
        batch.push(toRow(one, key));
        if (batch.length === INSERT_BATCH) {
          inserted += (await store.insertScenes(db, batch)).length;
          batch = [];
        }
      }
      return inserted + (await store.insertScenes(db, batch)).length;
    },
  };
}
