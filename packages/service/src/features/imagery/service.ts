import { createHash } from "node:crypto";
import { simplifyFootprint } from "@swath/kernel/geometry/simplify";
import { isGranted } from "@swath/kernel/permissions/permission";
import type { Scene } from "@swath/kernel/scenes/scene";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "../../errors.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Caller, Db, FileAnswer, Trx } from "../../platform/context.ts";
import { findDataset, providers } from "../../providers/registry.ts";
import type { DatasetListing, FoundScene, SceneInfoRequest, SearchRequest, SearchResult } from "./contract.ts";
import { toRecord, toRow, toScene, type SceneRecord } from "./scene-record.ts";
import { planSearch, type SearchPlan } from "./search-plan.ts";
import { findPage } from "./search.ts";
import * as store from "./store.ts";
import { negotiateThumbnail, type ThumbnailRenderer } from "./thumbnail.ts";

export interface ImageryService {
  /** Refuses a search that cannot be run, before it is queued. */
  admitSearch(db: Db, request: SearchRequest): Promise<void>;
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResult>;
  sceneInfo(request: SceneInfoRequest): Promise<Scene>;
  listDatasets(caller: Caller): readonly DatasetListing[];
  thumbnail(sceneId: string, headers: Readonly<Record<string, string | undefined>>): Promise<FileAnswer>;
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
}

const INSERT_BATCH = 1000;

function nameOf(one: { readonly provider: string; readonly dataset: string }): string {
  return `${one.provider} ${one.dataset}`;
}

async function keysetOf(on: Db, plan: SearchPlan): Promise<store.Keyset | null> {
  if (plan.cursor === null) return null;
  const keyset = await store.readKeyset(on, plan.cursor);
  if (keyset === null) throw new ServiceError("INVALID-CURSOR", `cursor ${plan.cursor} is not one of a search`);
  return keyset;
}

export function createImageryService({ db, clock, thumbnails }: ImageryServiceDeps): ImageryService {
  /** Keys never change, so they are kept once seen. */
  const datasetKeys = new Map<string, number>();

  async function knownKeys(plan: SearchPlan): Promise<readonly number[]> {
    const names = plan.datasets.map(({ provider, dataset }) => ({ provider: provider.id, dataset: dataset.dataset }));
    const missing = names.filter((name) => !datasetKeys.has(nameOf(name)));
    if (missing.length > 0) {
      for (const row of await store.readDatasetKeys(db, missing)) datasetKeys.set(nameOf(row), row.dataset_key);
    }
    return names.flatMap((name) => datasetKeys.get(nameOf(name)) ?? []);
  }

  async function record(sceneId: string): Promise<SceneRecord> {
    const row = parseSceneId(sceneId) === null ? null : await store.readScene(db, sceneId);
    if (row === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
    return toRecord(row);
  }

  return {
    async admitSearch(on, request) {
      await keysetOf(on, planSearch(request));
    },

    async search(request, signal) {
      const plan = planSearch(request);
      const after = await keysetOf(db, plan);
      const page = await findPage(db, plan, await knownKeys(plan), after, clock.now().getTime(), signal);
      const documents = new Map<number, unknown>();
      for (const row of await store.readDocuments(
        db,
        page.hits.map(({ sceneKey }) => sceneKey),
      )) {
        documents.set(row.scene_key, row.document);
      }
      const results = page.hits.flatMap((hit): FoundScene[] => {
        const document = documents.get(hit.sceneKey);
        if (document === undefined) return [];
        const scene = toScene(document, plan.simplified ? simplifyFootprint(hit.footprint) : hit.footprint);
        const registered = findDataset(scene.provider, scene.dataset);
        return [
          {
            ...scene,
            downloadable: hit.ingested,
            minArea: registered?.dataset.minAreaKm2 ?? 0,
            clippedImagery: registered?.dataset.clip === "required",
          },
        ];
      });
      return { results, cursor: page.cursor };
    },

    async sceneInfo({ sceneId, tiles, forceOffline }) {
      const { scene, raster } = await record(sceneId);
      if (tiles !== undefined) {
        const message = `dataset ${scene.dataset} keeps scenes whole in the store, it has no store tiles`;
        throw new ServiceError("VALIDATION-ERROR", message, { details: [{ path: "/tiles", message }] });
      }
      if (forceOffline === true && raster === null) {
        throw new ServiceError("DATA-NOT-AVAILABLE", `nothing of scene ${sceneId} is in the store`);
      }
      return scene;
    },

    listDatasets(caller) {
      if (caller.kind !== "anonymous" && !isGranted(caller.permissions, "imagery.availability")) {
        throw new ServiceError("NOT-AUTHORIZED", "permission imagery.availability is required");
      }
      return providers.flatMap((provider) =>
        provider.datasets.map((dataset): DatasetListing => ({
          providerName: provider.name,
          datasetName: dataset.name,
          provider: provider.id,
          dataset: dataset.dataset,
          downloadable: isGranted(caller.permissions, `imagery.images.${provider.id}.${dataset.dataset}`),
          requiresSeparateSearch: dataset.requiresSeparateSearch,
          datasetType: dataset.type,
          thumbnail: dataset.thumbnail,
          exportable: dataset.exportable,
          maxMbrSide: dataset.maxMbrSideM,
          attribution: dataset.attribution,
          clip: dataset.clip,
          resolution: [...dataset.resolutionM],
          ...(dataset.visualizationBands === null ? {} : { visualizationBands: [...dataset.visualizationBands] }),
          canBeIngested: dataset.canBeIngested,
          changeGroup: dataset.changeGroup,
          externalProvider: dataset.externalProvider,
        })),
      );
    },

    async thumbnail(sceneId, headers) {
      const { scene, raster, contentHash } = await record(sceneId);
      if (raster === null) throw new ServiceError("DATA-NOT-AVAILABLE", `scene ${sceneId} has no thumbnail`);
      const mediaType = negotiateThumbnail(headers["accept"]);
      const hash = createHash("sha256")
        .update(`${sceneId}\n${contentHash ?? ""}\n${mediaType}`)
        .digest("base64url");
      const etag = `"${hash.slice(0, 27)}"`;
      const shared = { etag, vary: "accept", "cache-control": "private, max-age=86400" };
      const known = headers["if-none-match"]?.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
      if (known?.some((tag) => tag === etag || tag === "*") === true) {
        return { status: 304, body: null, headers: shared };
      }
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
