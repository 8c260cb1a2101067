import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Readable } from "node:stream";
import type { Caller, RequestContext, Trx } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { columnsOf, parseItem, type ItemRow } from "../../../sources/registered/item-row.ts";
import { namedSceneId, type ItemTarget } from "../../../sources/registered/registered-id.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import type { AuditService } from "../../audit/service.ts";
import { haveSameFiles } from "../../imagery/items/same-files.ts";
import type { ImageryService } from "../../imagery/service.ts";
import { ownerKey } from "../../imagery/visibility.ts";
import type { SourceLookup } from "../fetch-scene.ts";
import { acceptedRows, checkedRows } from "./check-files.ts";
import { ImportPlaces } from "./import-places.ts";
import { importLines, type ImportDeps, type ImportedScenes, type ImportedItems } from "./import-lines.ts";
import { requireItemDataset, type DatasetOfItems } from "./item-dataset.ts";
import { itemEtag, requireMatch } from "./item-etag.ts";
import { mergePatch } from "./merge-patch.ts";

type Json = Readonly<Record<string, unknown>>;

/** Items of STAC that a group registers: scenes whose files stay where they are. */
export interface ItemService {
  /** Whether the operator allows hosts of files. */
  readonly isOpen: boolean;
  /** The scene that a request of a caller names by its identifier, or by the identifier of an own item. */
  sceneIdOf(dataset: DatasetOfItems, name: string, caller: Caller): string;
  /** The entity tag of a registered item; null for other scenes. */
  etag(sceneId: string): Promise<string | null>;
  /**
   * Registers new items, all or none; their scenes in the order of the items.
   *
   * @throws {ServiceError} BAD-REQUEST; CONFLICT for an item that is there; SCENE-UNREADABLE, UNSUPPORTED-IMAGERY and
   * SERVICE-UNAVAILABLE for files
   */
  create(dataset: DatasetOfItems, items: readonly Json[], context: RequestContext): Promise<readonly string[]>;
  /**
   * Replaces an item; its scene.
   *
   * @throws {ServiceError} as `create`; NON-EXISTING-SCENE; NOT-AUTHORIZED; PRECONDITION-FAILED
   */
  replace(dataset: DatasetOfItems, name: string, item: Json, context: RequestContext): Promise<string>;
  /** Changes members of an item by a JSON merge patch; its scene. See `replace` for its errors. */
  patch(dataset: DatasetOfItems, name: string, patch: Json, context: RequestContext): Promise<string>;
  /** Registers and replaces many items by lines of JSON, without a look at their files. See `importLines`. */
  importItems(dataset: DatasetOfItems, body: Readable, context: RequestContext): Promise<ImportedItems>;
}

/** Scenes as items need them. */
export type ItemScenes = ImportedScenes & Pick<ImageryService, "registeredItem" | "seenBy">;

export interface ItemServiceDeps extends ImportDeps {
  readonly audit: Pick<AuditService, "record">;
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider">;
  readonly imagery: ItemScenes;
  readonly sources: SourceLookup;
}

export function createItemService(deps: ItemServiceDeps): ItemService {
  const places = new ImportPlaces();
  return {
    isOpen: deps.items.isOpen,
    sceneIdOf: (dataset, name, caller) => namedSceneId(targetOf(dataset, caller), name),
    async etag(sceneId) {
      const found = await deps.imagery.registeredItem(sceneId);
      return found === null ? null : itemEtag(sceneId, found.revision);
    },
    create: (dataset, items, context) => createAll(deps, dataset, items, context),
    replace: (dataset, name, item, context) => replaceOne(deps, dataset, name, () => item, context),
    patch: (dataset, name, patch, context) =>
      replaceOne(deps, dataset, name, (before) => mergePatch(before, patch) as Json, context, "as read"),
    async importItems(named, body, { caller, requestId, signal }) {
      const { dataset, target, rights } = opened(deps, named, caller);
      const id = `${dataset.provider}.${dataset.dataset}`;
      const record = (trx: Trx, { created, replaced, unchanged, refused }: ImportedItems): Promise<void> =>
        deps.audit.record(trx, {
          actor: caller,
          requestId,
          action: "dataset.import",
          target: { kind: "dataset", id },
          after: { created, replaced, unchanged, refused },
        });
      const place = { ...dataset, rights };
      return await places.run(caller.userId, () => importLines(deps, { body, target, caller, place, record }, signal));
    },
  };
}

function targetOf({ provider, dataset }: DatasetOfItems, caller: Caller): ItemTarget {
  return { provider, dataset, owner: ownerKey(caller) };
}

/** @throws {ServiceError} BAD-REQUEST where no item can be registered */
function opened({ catalog, items, sources }: ItemServiceDeps, named: DatasetOfItems, caller: Caller) {
  const dataset = requireItemDataset(named, catalog, sources);
  if (!items.isOpen) {
    throw new ServiceError("BAD-REQUEST", "the operator of the service allows no hosts of files, see docs/stac-api.md");
  }
  const target = targetOf(dataset, caller);
  return { dataset, target, rights: { owner: target.owner, audience: target.owner } };
}

async function createAll(
  deps: ItemServiceDeps,
  named: DatasetOfItems,
  json: readonly Json[],
  context: RequestContext,
): Promise<readonly string[]> {
  const { caller, requestId, signal } = context;
  const { dataset, target, rights } = opened(deps, named, caller);
  const accepted = await acceptedRows(deps.items, json, target, signal);
  const rows = await checkedRows(deps.items, accepted, target, context);
  await inTransaction(deps.db, async (trx) => {
    const { others } = await deps.imagery.createItems(trx, columnsOf(rows), { ...dataset, rights }, "recorded");
    for (const row of others) {
      await deps.imagery.replaceItem(trx, caller, row, ({ deleted_at: deletedAt }) => {
        if (deletedAt === null)
          throw new ServiceError("CONFLICT", `the item ${row.itemId} is there: replace it by PUT`);
      });
    }
    for (const { sceneId } of rows) {
      await deps.audit.record(trx, {
        actor: caller,
        requestId,
        action: "scene.register",
        target: { kind: "scene", id: sceneId },
      });
    }
  });
  return rows.map(({ sceneId }) => sceneId);
}

/** @param rule "as read": the item must not have changed since it was read, whatever the headers say */
async function replaceOne(
  deps: ItemServiceDeps,
  named: DatasetOfItems,
  name: string,
  next: (before: Json) => Json,
  context: RequestContext,
  rule: "as read" | "by headers" = "by headers",
): Promise<string> {
  const { caller, headers, requestId } = context;
  const { target } = opened(deps, named, caller);
  const sceneId = namedSceneId(target, name);
  const found = await deps.imagery.registeredItem(sceneId);
  // A scene that the caller does not see looks like a missing one.
  if (found === null || (await deps.imagery.seenBy(caller).known(sceneId)) === null) {
    throw new ServiceError("NON-EXISTING-SCENE", `there is no registered item ${name.slice(0, 256)}`);
  }
  const before = parseItem(found.item);
  const row = await rowOf(deps, before, withId(next(before), before, sceneId), { ...target, sceneId }, context);
  await inTransaction(deps.db, async (trx) => {
    const { isUnchanged } = await deps.imagery.replaceItem(trx, caller, row, ({ revision, deleted_at: deletedAt }) => {
      if (deletedAt !== null) throw new ServiceError("NON-EXISTING-SCENE", `the item ${row.itemId} is deleted`);
      requireMatch(headers?.["if-match"], sceneId, revision);
      if (rule === "as read" && revision !== found.revision) {
        throw new ServiceError("CONFLICT", `the item ${row.itemId} was changed at the same time; read it again`);
      }
    });
    if (isUnchanged) return;
    const record = { actor: caller, requestId, action: "scene.replace", target: { kind: "scene", id: sceneId } };
    await deps.audit.record(trx, record);
  });
  return sceneId;
}

/** @throws {ServiceError} BAD-REQUEST when the item is another one */
function withId(item: Json, before: Json, sceneId: string): Json {
  const { id = before["id"] } = item;
  if (id === before["id"] || id === sceneId) return { ...item, id: before["id"] };
  throw new ServiceError(
    "BAD-REQUEST",
    `the id of the item is ${JSON.stringify(id)?.slice(0, 100)}, expected "${String(before["id"])}"`,
  );
}

/** The row of an item; headers are read again where the files are others. */
async function rowOf(
  { items }: ItemServiceDeps,
  before: Json,
  item: Json,
  target: ItemTarget,
  context: RequestContext,
): Promise<ItemRow> {
  const accepted = await acceptedRows(items, [item], target, context.signal);
  const [row] = accepted;
  if (row === undefined) throw new Error("an accepted item has no row");
  const read = parseItem(row.item);
  const [final] = haveSameFiles(before, read)
    ? await acceptedRows(items, [{ ...read, assets: before["assets"] }], target, context.signal)
    : await checkedRows(items, accepted, target, context);
  return final ?? row;
}
