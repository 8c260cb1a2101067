import type { Scene } from "@swath/kernel/scenes/scene";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { SceneInfoRequest } from "@swath/contract/features/imagery/contract";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import type { Catalog } from "../../providers/catalog.ts";
import type { SourceBindings } from "../../sources/bindings.ts";
import { rememberScenes } from "./catalogue-rows.ts";
import { datasetKeyOf, type DatasetKeys } from "./dataset-keys.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { sceneInfo } from "./scene-info.ts";
import { toRecord, toSceneInfo, type SceneRecord } from "./scene-record.ts";
import * as store from "./store.ts";
import { isVisible } from "./is-visible.ts";
import type { Viewer } from "./visibility.ts";

export interface FindSceneDeps {
  readonly areas: Pick<Areas, "inStoreTiles">;
  readonly viewer: Viewer;
  readonly db: Db;
  readonly clock: Clock;
  readonly catalog: Pick<Catalog, "findDataset">;
  readonly sources: Pick<SourceBindings, "sourceOf">;
  readonly keys: DatasetKeys;
  /** Reads a row, together with the rows of other requests. */
  readonly readInfo: (sceneId: string) => Promise<store.SceneInfoRow | null>;
}

const DAY_MS = 86_400_000;

/** A scene with its pixels and hash, from the table or from its source. @throws {ServiceError} NON-EXISTING-SCENE */
export async function sceneRecord(deps: FindSceneDeps, sceneId: string, signal: AbortSignal): Promise<SceneRecord> {
  return toRecord(await knownRow(deps, sceneId, (id) => store.readScene(deps.db, id), signal));
}

/** The answer to a question about a scene. @throws {ServiceError} NON-EXISTING-SCENE, and as `sceneInfo` */
export async function findSceneInfo(
  deps: FindSceneDeps,
  request: SceneInfoRequest,
  signal: AbortSignal,
): Promise<Scene> {
  const row = await knownRow(deps, request.sceneId, deps.readInfo, signal);
  const record = toSceneInfo(row);
  const registered = deps.catalog.findDataset(record.scene.provider, record.scene.dataset);
  const hasStoreTiles = registered?.dataset.hasStoreTiles === true;
  return await sceneInfo(deps.areas, { record, ingested: row.ingested, hasStoreTiles }, request, signal);
}

/** A scene of the table or else of its source; null when neither knows it. */
export async function findScene(deps: FindSceneDeps, sceneId: string, signal: AbortSignal): Promise<Scene | null> {
  const row = await rowOf(sceneId, deps.readInfo);
  if (row === null) return fetchScene(deps, sceneId, signal);
  return (await isVisible(deps.db, deps.viewer, sceneId, row)) ? toSceneInfo(row).scene : null;
}

/** A scene whose pixels are in the store, else null. */
export async function storedScene(db: Db, sceneId: string, viewer: Viewer): Promise<StoredScene | null> {
  const row = await rowOf(sceneId, (id) => store.readScene(db, id));
  return row === null || !(await isVisible(db, viewer, sceneId, row)) ? null : toStored(row);
}

/** A scene with pixels as it was at a revision, whoever may see it; null when there is none. */
export async function storedRevision(db: Db, sceneId: string, revision: number): Promise<StoredScene | null> {
  const row = await rowOf(sceneId, (id) => store.readScene(db, id));
  if (row === null || row.revision === revision) return row === null ? null : toStored(row);
  const former = await store.readRevision(db, row.scene_key, revision);
  return former === null ? null : toStored({ ...row, ...former, revision });
}

function toStored(row: store.SceneRow): StoredScene | null {
  const { scene, raster, contentHash, revision } = toRecord(row);
  return raster === null ? null : { scene, raster, contentHash: contentHash ?? "", ...revisionOf(revision) };
}

function revisionOf(revision: number | undefined): { readonly revision?: number } {
  return revision === undefined || revision === 0 ? {} : { revision };
}

/** A scene of the table, else null. */
export async function knownScene(db: Db, sceneId: string, viewer: Viewer): Promise<Scene | null> {
  const row = await rowOf(sceneId, (id) => store.readScene(db, id));
  return row === null || !(await isVisible(db, viewer, sceneId, row)) ? null : toRecord(row).scene;
}

async function rowOf<Row>(sceneId: string, read: (sceneId: string) => Promise<Row | null>): Promise<Row | null> {
  return parseSceneId(sceneId) === null ? null : await read(sceneId);
}

/** The row of a scene, which its source may add first. A scene that the viewer must not see looks like a missing one. */
async function knownRow<Row extends Pick<store.SceneRow, "audience" | "deleted_at">>(
  deps: FindSceneDeps,
  sceneId: string,
  read: (sceneId: string) => Promise<Row | null>,
  signal: AbortSignal,
): Promise<Row> {
  let row = await rowOf(sceneId, read);
  if (row === null && (await fetchScene(deps, sceneId, signal)) !== null) row = await read(sceneId);
  if (row === null || !(await isVisible(deps.db, deps.viewer, sceneId, row))) {
    throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
  }
  return row;
}

/** The scene from the source of its dataset, which gives it a row; null when the source has none. */
async function fetchScene(
  { db, clock, sources, keys }: FindSceneDeps,
  sceneId: string,
  signal: AbortSignal,
): Promise<Scene | null> {
  const parts = parseSceneId(sceneId);
  const source = parts === null ? null : sources.sourceOf(parts.provider, parts.dataset);
  const scene = (await source?.scene(sceneId, signal)) ?? null;
  if (scene === null || scene.sceneId !== sceneId) return null;
  const now = clock.now();
  const remembered = await rememberScenes(db, [scene], {
    known: new Map(),
    now,
    staleBefore: new Date(now.getTime() - DAY_MS),
    datasetKeyOf: (one) => datasetKeyOf(keys, one),
  });
  return remembered.get(sceneId)?.scene ?? null;
}
