import { isGranted } from "@swath/kernel/permissions/permission";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import { createBatches } from "@swath/base/concurrency/batches";
import type { Caller, Db, Trx } from "../../platform/context.ts";
import type { FileAnswer } from "../../platform/sent-file.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import type { Log } from "@swath/base/log/log";
import { createCatalog, type Catalog, type RegisteredDataset } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import type { RegisteredItems } from "../../sources/registered/registered-items.ts";
import type {
  DatasetListing,
  SceneInfoRequest,
  SearchRequest,
  SearchResult,
} from "@swath/contract/features/imagery/contract";
import type { Aggregation, AggregationRow } from "./browse/aggregations.ts";
import {
  aggregateScenes,
  browseExtents,
  browseScenes,
  type BrowseConditions,
  type BrowseDeps,
  type BrowsedDataset,
  type BrowsedExtent,
  type BrowsedPage,
  type BrowseQuery,
  selectScenes,
  type SelectedScenes,
} from "./browse/browse-scenes.ts";
import { groundOf } from "./browse/ground-of.ts";
import { refuseFilter } from "./browse/refuse-filter.ts";
import { imagesPermission, listDataset } from "./dataset-listing.ts";
import { findScene, findSceneInfo, knownScene, storedRevision, storedScene } from "./find-scene.ts";
import { forgetScenes } from "./forget-scenes.ts";
import * as itemStore from "./items/item-store.ts";
import { createItems, replaceItem } from "./items/write-items.ts";
import { deleteScene, restoreScene } from "./owned/delete-scene.ts";
import { editScene } from "./owned/edit-scene.ts";
import { listOwned } from "./owned/list-owned.ts";
import { writeDeletion } from "./owned/owned-store.ts";
import { purgeScenes } from "./owned/purge-scenes.ts";
import { insertScenes, keepPixels, registerScene } from "./register-scenes.ts";
import { ownsScene } from "./rights-store.ts";
import type { SceneRecord } from "./scene-record.ts";
import { sceneThumbnail, type SceneThumbnailDeps } from "./scene-thumbnail.ts";
import { planSearch, type SearchableDatasets, type SearchPlan } from "./search-plan.ts";
import { searchScenes } from "./search.ts";
import { shareScene, type SceneShare, type SharedScene } from "./share-scene.ts";
import { createSourceThumbnails } from "./source-thumbnail.ts";
import * as store from "./store.ts";
import type { ThumbnailRenderer } from "./thumbnail.ts";
import { unknownScenes } from "./unknown-scenes.ts";
import { maySee, ownerKey, type Viewer } from "./visibility.ts";

/** Scenes as a viewer sees them: a scene of another audience is as if it did not exist. */
export interface SceneView {
  /** @throws {ServiceError} NON-EXISTING-SCENE */
  sceneInfo(request: SceneInfoRequest, signal?: AbortSignal): Promise<Scene>;
  /**
   * The scene whether it is stored, known from an earlier search, or only known to the source of its dataset, which
   * makes it known. Null when there is none.
   *
   * @throws {ServiceError} of the source, when only that could tell
   */
  catalogueScene(sceneId: string, signal?: AbortSignal): Promise<Scene | null>;
  /** A picture of the pixels in the store, or else the source's own. @throws {ServiceError} NON-EXISTING-SCENE */
  thumbnail(
    sceneId: string,
    headers: Readonly<Record<string, string | undefined>>,
    signal?: AbortSignal,
  ): Promise<FileAnswer>;
  /** The scene when its pixels are in the store, else null. */
  stored(sceneId: string, on?: Db): Promise<StoredScene | null>;
  /** The scene when the service knows it, with or without pixels, else null; no source is asked. */
  known(sceneId: string, on?: Db): Promise<Scene | null>;
  /** The scenes that `known` answers null for, in the given order. */
  unknown(sceneIds: readonly string[], signal: AbortSignal): Promise<readonly string[]>;
}

/** The methods of `SceneView` are the view of the service itself, which sees every scene. */
export interface ImageryService extends SceneView {
  seenBy(viewer: Viewer): SceneView;
  /** Refuses a search that cannot be run, before it is queued. */
  admitSearch(request: SearchRequest, signal: AbortSignal, caller?: Caller): Promise<void>;
  /** Conditions of a search in normal form. See `planSearch` for its errors. */
  planSearch(request: SearchRequest, signal: AbortSignal): Promise<SearchPlan>;
  /** The key of a dataset, whether or not there are scenes of it. */
  datasetKey(on: Db, dataset: RegisteredDataset): Promise<number>;
  /**
   * One page of the store and all sources together, as the caller sees them; without a caller, as the service does. A
   * source that fails is named in `failedDatasets`, and the page has the scenes of the others. Scenes of sources become
   * known by it. The answer explains why nothing was found, which asks the sources again, unless that is unwanted.
   */
  search(
    request: SearchRequest,
    signal: AbortSignal,
    caller?: Caller,
    empty?: "explained" | "unexplained",
  ): Promise<SearchResult>;
  /** Removes scenes of sources that nobody has asked for in a while and nothing here needs; answers how many. */
  forget(signal?: AbortSignal): Promise<number>;
  listDatasets(caller: Caller): readonly DatasetListing[];
  /** A page of the scenes that the service knows, whatever a provider has beyond. See `browseScenes` for its errors. */
  browse(query: BrowseQuery, viewer: Viewer, signal: AbortSignal): Promise<BrowsedPage>;
  /** The scenes of a query to be read piece by piece. See `selectScenes` for its errors. */
  selectScenes(query: BrowseQuery, viewer: Viewer, signal: AbortSignal): Promise<SelectedScenes>;
  /** Numbers of all scenes that meet a query. See `aggregateScenes` for its errors. */
  aggregate(
    query: BrowseConditions,
    wanted: readonly Aggregation[],
    viewer: Viewer,
    signal: AbortSignal,
  ): Promise<readonly AggregationRow[]>;
  /** Period and box of the visible scenes of each dataset, by its name; datasets without scenes are left out. */
  browseExtents(
    datasets: readonly BrowsedDataset[],
    viewer: Viewer,
  ): Promise<ReadonlyMap<string, Omit<BrowsedExtent, "provider" | "dataset">>>;
  /**
   * Gives a scene its pixels, or other ones; a scene that is not known yet becomes so.
   *
   * @param complete false while only some store tiles of the scene are there, which `storedArea` covers
   */
  keepPixels(trx: Trx, scene: SceneRecord, complete: boolean): Promise<void>;
  /** The scene of the owner, or one without an owner, that was ingested from the same bytes, or null. */
  findByContentHash(db: Db | Trx, content: store.SceneContent): Promise<store.IngestedBytes | null>;
  /** Changes the audience of an uploaded scene. See `shareScene` for its errors. */
  share(trx: Trx, viewer: Viewer, share: SceneShare): Promise<SharedScene>;
  /** Whether the scene belongs to the group of the caller, or to a caller without a group. */
  owns(caller: Pick<Caller, "groupId" | "userId">, sceneId: string): Promise<boolean>;
  /** Uploaded scenes of an owner, deleted ones on demand. See `listOwned` for its errors. */
  listOwned: typeof listOwned;
  /** Corrects the metadata of an uploaded scene. See `editScene` for its errors. */
  edit: typeof editScene;
  /** Hides an uploaded scene. See `deleteScene` for its errors. */
  remove: typeof deleteScene;
  /** Takes a deletion back. See `restoreScene` for its errors. */
  restore: typeof restoreScene;
  /** Registers items whose files stay where they are. */
  createItems: typeof createItems;
  /** Gives a registered scene another item. See `replaceItem` for its errors. */
  replaceItem: typeof replaceItem;
  /** Identifiers of the items that are there without a difference. */
  unchangedItems: typeof itemStore.findUnchanged;
  /** The registered item of a scene; null for other scenes. */
  registeredItem(sceneId: string): ReturnType<typeof itemStore.readItem>;
  /** Takes the deletion of a scene back, whenever it was; for those who ingest it again. */
  revive(trx: Trx, sceneId: string): Promise<void>;
  /** Removes deleted scenes for good. */
  purge: typeof purgeScenes;
  /** A scene with pixels as it was at a revision, whoever may see it; null when there is none. */
  storedRevision(sceneId: string, revision: number): Promise<StoredScene | null>;
  /** Makes a scene known; one that is known by identifier or content already is left as it is. */
  register(trx: Trx, scene: SceneRecord): Promise<void>;
  /** Makes many scenes known, with or without pixels, in batches; answers how many were new. */
  insertScenes(scenes: Iterable<SceneRecord>): Promise<number>;
}

export interface ImageryServiceDeps {
  readonly areas: Pick<Areas, "inStoreTiles" | "longestSideM" | "read">;
  readonly db: Db;
  readonly clock: Clock;
  readonly thumbnails: ThumbnailRenderer;
  /** Default: everything built in. */
  readonly catalog?: Catalog;
  /** Default: every dataset is what the store holds of it. */
  readonly sources?: SourceBindings;
  /** Files of registered items; none unless given. */
  readonly items?: Pick<RegisteredItems, "sourceOf">;
  readonly log?: Log;
  /** How long a source may take for one page. */
  readonly sourceTimeoutMs?: number;
  /** Days that scenes of sources stay known without being asked for. */
  readonly catalogueDays?: number;
}

/** Scenes that are looked up by one statement, and statements at a time. */
const SCENES_TOGETHER = 64;
const SCENE_BATCHES = 2;
const DEFAULT_SOURCE_TIMEOUT_MS = 30_000;
const DEFAULT_CATALOGUE_DAYS = 30;

async function keysetOf(on: Db, plan: SearchPlan, viewer: Viewer): Promise<store.Keyset | null> {
  if (plan.cursor === null) return null;
  const keyset = await store.readKeyset(on, plan.cursor);
  if (keyset === null || !maySee(viewer, keyset.audience))
    throw new ServiceError("INVALID-CURSOR", `cursor ${plan.cursor} is not one of a search`);
  return keyset;
}

/** A search without a caller is the service's own. */
function granted(caller: Caller | undefined, permission: string): boolean {
  return caller === undefined || isGranted(caller.permissions, permission);
}

export function createImageryService(deps: ImageryServiceDeps): ImageryService {
  const { db, catalog = createCatalog(providers), sources = storeOnly } = deps;
  const searchable: SearchableDatasets = {
    areas: deps.areas,
    catalog,
    hasSource: ({ provider, dataset }) => sources.sourceOf(provider.id, dataset.dataset) !== null,
  };
  const context = {
    ...deps,
    catalog,
    sources,
    sourceThumbnails: createSourceThumbnails(sources, deps.items ?? null),
    keys: { db, seen: new Map() },
    // A look-up costs the server and the round trip more than the row.
    readInfo: createBatches<string, store.SceneInfoRow | null>({
      run: (sceneIds) => store.readSceneInfos(db, sceneIds),
      maxItems: SCENES_TOGETHER,
      maxRunning: SCENE_BATCHES,
    }),
    log: deps.log ?? null,
    sourceTimeoutMs: deps.sourceTimeoutMs ?? DEFAULT_SOURCE_TIMEOUT_MS,
    catalogueDays: deps.catalogueDays ?? DEFAULT_CATALOGUE_DAYS,
  };
  /** The process that accepts a quick search runs the same request: the area is read once. */
  const admitted = new WeakMap<SearchRequest, SearchPlan>();
  const seenBy = (viewer: Viewer): SceneView => sceneView({ ...context, viewer });
  return {
    ...seenBy("service"),
    seenBy,
    async admitSearch(request, signal, caller) {
      const plan = await planSearch(request, searchable, signal);
      await keysetOf(db, plan, caller ?? "service");
      admitted.set(request, plan);
    },
    planSearch: (request, signal) => planSearch(request, searchable, signal),
    datasetKey: (on, { provider, dataset }) => store.ensureDataset(on, provider.id, dataset.dataset),
    async search(request, signal, caller, empty = "explained") {
      const plan = admitted.get(request) ?? (await planSearch(request, searchable, signal));
      const viewer = caller ?? "service";
      const mayDownload = (one: RegisteredDataset): boolean => granted(caller, imagesPermission(one));
      const after = await keysetOf(db, plan, viewer);
      return await searchScenes(context, { plan, after, viewer, mayDownload, empty }, signal);
    },
    forget: (signal) => forgetScenes(context, signal),
    listDatasets: (caller) => listDatasets(searchable, caller),
    browse: (query, viewer, signal) =>
      browseScenes({ ...context, readArea: filterArea(deps.areas) }, query, viewer, signal),
    selectScenes: (query, viewer, signal) =>
      selectScenes({ ...context, readArea: filterArea(deps.areas) }, query, viewer, signal),
    aggregate: (query, wanted, viewer, signal) =>
      aggregateScenes({ ...context, readArea: filterArea(deps.areas) }, query, wanted, viewer, signal),
    browseExtents: (datasets, viewer) => browseExtents(context, datasets, viewer),
    keepPixels,
    findByContentHash: store.findSceneByContentHash,
    share: shareScene,
    owns: (caller, sceneId) => ownsScene(db, ownerKey(caller), sceneId),
    listOwned,
    edit: editScene,
    remove: deleteScene,
    restore: restoreScene,
    createItems,
    replaceItem,
    unchangedItems: itemStore.findUnchanged,
    registeredItem: (sceneId) => itemStore.readItem(db, sceneId),
    revive: (trx, sceneId) => writeDeletion(trx, sceneId, null),
    purge: purgeScenes,
    storedRevision: (sceneId, revision) => storedRevision(db, sceneId, revision),
    register: registerScene,
    insertScenes: (scenes) => insertScenes(db, scenes),
  };
}

function filterArea(areas: Pick<Areas, "read">): BrowseDeps["readArea"] {
  const rules = { path: "/filter", maxLatitudeDeg: 90, sceneCount: 1, maxPositions: 50_000 };
  return async ({ geometry }, signal) => {
    try {
      return await areas.read(groundOf(geometry), rules, signal);
    } catch (error) {
      if (error instanceof ServiceError && error.code === "VALIDATION-ERROR") throw refuseFilter(error.message);
      throw error;
    }
  };
}

function sceneView(deps: SceneThumbnailDeps): SceneView {
  const { db, viewer } = deps;
  return {
    sceneInfo: (request, signal = never()) => findSceneInfo(deps, request, signal),
    catalogueScene: (sceneId, signal = never()) => findScene(deps, sceneId, signal),
    thumbnail: (sceneId, headers, signal = never()) => sceneThumbnail(deps, sceneId, headers, signal),
    stored: (sceneId, on = db) => storedScene(on, sceneId, viewer),
    known: (sceneId, on = db) => knownScene(on, sceneId, viewer),
    unknown: (sceneIds, signal) => unknownScenes(db, sceneIds, viewer, signal),
  };
}

/** The signal of a call that nobody ends. */
function never(): AbortSignal {
  return new AbortController().signal;
}

/** @throws {ServiceError} NOT-AUTHORIZED for signed-in callers without the permission */
function listDatasets(
  { catalog, hasSource }: Pick<SearchableDatasets, "catalog" | "hasSource">,
  caller: Caller,
): readonly DatasetListing[] {
  if (caller.kind !== "anonymous" && !isGranted(caller.permissions, "imagery.availability")) {
    throw new ServiceError("NOT-AUTHORIZED", "permission imagery.availability is required");
  }
  return catalog.providers.flatMap((provider) =>
    provider.datasets.map((dataset) => listDataset({ provider, dataset }, caller, hasSource)),
  );
}
