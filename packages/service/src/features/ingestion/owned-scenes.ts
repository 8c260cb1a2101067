import type {
  EditSceneRequest,
  ListOwnedScenes,
  OwnedSceneAnswer,
  OwnedScenePage,
} from "@swath/contract/features/ingestion/owned-scenes-contract";
import type { Clock } from "@swath/base/clock";
import { formatInstant } from "@swath/kernel/time/instant";
import { readSceneDocument } from "@swath/raster/scene-metadata/scene-document";
import type { DocumentBand } from "@swath/raster/scene-metadata/scene-metadata";
import type { Db, RequestContext, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import type { AuditService } from "../audit/service.ts";
import type { OwnedScene } from "../imagery/owned/owned-scene.ts";
import type { ImageryService } from "../imagery/service.ts";
import { shownRights } from "../imagery/share-scene.ts";
import { summariseScene } from "./describe-scene.ts";
import { insertRetired } from "./on-demand-store.ts";

/** The part of imagery that manages uploaded scenes. */
export type OwnedScenes = Pick<ImageryService, "edit" | "listOwned" | "purge" | "remove" | "restore" | "share">;

interface OwnedScenesDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly imagery: OwnedScenes;
  readonly audit: Pick<AuditService, "record">;
}

const DEFAULT_LIMIT = 100;
const PURGE_BATCH = 100;
/** Readers of removed pixels finish in that time. */
const RETIRE_MS = 60 * 60 * 1000;

export async function listScenes(
  { db, clock, imagery }: OwnedScenesDeps,
  { deleted = false, limit = DEFAULT_LIMIT, ...request }: ListOwnedScenes,
  { caller }: RequestContext,
): Promise<OwnedScenePage> {
  const page = await imagery.listOwned(db, caller, { ...request, deleted, limit }, clock.now());
  return { results: page.results.map(answerOf), cursor: page.cursor };
}

/** Corrects a scene, its audience in the same transaction, and records the change. */
export async function editScene(
  { db, imagery, audit }: OwnedScenesDeps,
  { visibility, bands, ...request }: EditSceneRequest,
  { caller, requestId }: RequestContext,
): Promise<OwnedSceneAnswer> {
  const { sceneId } = request;
  const edit = { ...request, ...(bands === undefined ? {} : { bands: bandsOf(bands) }) };
  return await inTransaction(db, async (trx) => {
    const { before, after } = await imagery.edit(trx, caller, edit);
    const shared = visibility === undefined ? null : await imagery.share(trx, caller, { sceneId, visibility });
    const rights = shared === null ? { before: {}, after: {} } : rightsOf(shared);
    await audit.record(trx, {
      actor: caller,
      requestId,
      action: "scene.edit",
      target: { kind: "scene", id: sceneId },
      before: { ...metadataOf(before), ...rights.before },
      after: { ...metadataOf(after), ...rights.after },
    });
    return answerOf({ ...after, visibility: visibility ?? after.visibility });
  });
}

export async function deleteScene(
  deps: OwnedScenesDeps,
  sceneId: string,
  context: RequestContext,
): Promise<OwnedSceneAnswer> {
  const now = deps.clock.now();
  return await changeDeletion(deps, "scene.delete", sceneId, context, (trx) =>
    deps.imagery.remove(trx, context.caller, sceneId, now),
  );
}

export async function restoreScene(
  deps: OwnedScenesDeps,
  sceneId: string,
  context: RequestContext,
): Promise<OwnedSceneAnswer> {
  const now = deps.clock.now();
  return await changeDeletion(deps, "scene.restore", sceneId, context, (trx) =>
    deps.imagery.restore(trx, context.caller, sceneId, now),
  );
}

/** Removes scenes whose deletion can no longer be taken back; how many. */
export async function sweepDeletedScenes(
  { db, clock, imagery }: Omit<OwnedScenesDeps, "audit">,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (;;) {
    signal.throwIfAborted();
    const now = clock.now();
    const purged = await inTransaction(db, async (trx) => {
      const scenes = await imagery.purge(trx, now, PURGE_BATCH);
      await insertRetired(trx, scenes.blobKeys, new Date(now.getTime() + RETIRE_MS));
      return scenes;
    });
    removed += purged.removed;
    if (purged.seen < PURGE_BATCH) return removed;
  }
}

async function changeDeletion(
  { db, audit }: OwnedScenesDeps,
  action: string,
  sceneId: string,
  { caller, requestId }: RequestContext,
  change: (trx: Trx) => Promise<OwnedScene>,
): Promise<OwnedSceneAnswer> {
  return await inTransaction(db, async (trx) => {
    const answer = answerOf(await change(trx));
    await audit.record(trx, {
      actor: caller,
      requestId,
      action,
      target: { kind: "scene", id: sceneId },
      after: { deletedAt: answer.deletedAt },
    });
    return answer;
  });
}

/** Bands as `scene.json` has them, read by the same rules. @throws {ServiceError} BAD-REQUEST */
function bandsOf(bands: NonNullable<EditSceneRequest["bands"]>): readonly DocumentBand[] {
  return (readSceneDocument({ bands }).bands ?? []).filter((band) => band !== null);
}

function answerOf(owned: OwnedScene): OwnedSceneAnswer {
  const { scene, raster } = owned;
  const { sceneId, provider, dataset } = scene;
  return {
    sceneId,
    provider,
    dataset,
    ...summariseScene(scene, raster),
    visibility: owned.visibility,
    ingestedAt: formatInstant(owned.ingestedAt.getTime()),
    revision: owned.revision,
    deletedAt: formatDate(owned.deletedAt),
    restorableUntil: formatDate(owned.restorableUntil),
  };
}

function formatDate(date: Date | null): string | null {
  return date === null ? null : formatInstant(date.getTime());
}

/** The members that an edit changes, for the record of changes. */
function metadataOf({ scene, raster }: OwnedScene) {
  return {
    datetime: scene.datetime,
    satellite: scene.satellite,
    sensor: scene.sensor ?? null,
    bands: scene.bands.map(({ names }, index) => [names[0] ?? "", raster?.bands[index]?.role ?? null]),
  };
}

function rightsOf({ before, after }: Awaited<ReturnType<ImageryService["share"]>>) {
  return { before: shownRights(before), after: shownRights(after) };
}
