import { ServiceError } from "@swath/kernel/errors/service-error";
import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { Trx } from "../../../platform/context.ts";
import { parseItem, rowsOf, type ItemColumns, type ItemRow } from "../../../sources/registered/item-row.ts";
import { lockOwned } from "../owned/lock-owned.ts";
import type { LockedRow } from "../owned/owned-store.ts";
import { recordIngested } from "../scene-event.ts";
import { toScene } from "../scene-record.ts";
import { ensureDataset } from "../store.ts";
import type { SceneRights, Viewer } from "../visibility.ts";
import * as store from "./item-store.ts";
import { haveSameFiles } from "./same-files.ts";

/** The dataset of new items, and their rights. */
export interface ItemPlace {
  readonly provider: string;
  readonly dataset: string;
  readonly rights: SceneRights;
}

/** The fate of an item that was there. */
export interface ReplacedItem {
  readonly row: ItemRow;
  readonly before: Scene;
  readonly isUnchanged: boolean;
}

export interface WrittenItems {
  readonly created: readonly string[];
  /** Scenes that were there. */
  readonly others: readonly ItemRow[];
}

/** Registers the items that are not there yet, and records each as an event unless there are too many. */
export async function createItems(
  trx: Trx,
  columns: ItemColumns,
  { provider, dataset, rights }: ItemPlace,
  events: "recorded" | "unrecorded",
): Promise<WrittenItems> {
  const datasetKey = await ensureDataset(trx, provider, dataset);
  const created = new Set(await store.insertItems(trx, columns, { ...rights, datasetKey }));
  const isPlain = events === "unrecorded" && created.size === columns.count;
  const rows = isPlain ? [] : rowsOf(columns);
  if (events === "recorded") {
    for (const row of rows) if (created.has(row.sceneId)) await recordIngested(trx, sceneOf(row), rights);
  }
  return { created: [...created], others: rows.filter(({ sceneId }) => !created.has(sceneId)) };
}

/**
 * Gives a registered scene another item; a deleted one is restored.
 *
 * @param check looks at the revision that is replaced
 * @throws {ServiceError} as `lockOwned`; CONFLICT for scenes that were not registered, and for another place or other
 * files of a scene that is in use
 */
export async function replaceItem(
  trx: Trx,
  viewer: Viewer,
  row: ItemRow,
  check: (locked: LockedRow) => void = () => {},
): Promise<ReplacedItem> {
  const locked = await lockOwned(trx, viewer, row.sceneId);
  check(locked);
  if (!locked.registered || locked.item === null) {
    throw new ServiceError("CONFLICT", `scene ${row.sceneId} was uploaded; only registered items are replaced`);
  }
  const before = toScene(locked.document, decodeFootprint(locked.footprint));
  const isThere = Buffer.from(locked.footprint).toString("hex") === row.footprint;
  const hasSameItem = locked.item === row.item;
  if (isThere && hasSameItem && locked.deleted_at === null) return { row, before, isUnchanged: true };
  const keepsPixels = isThere && haveSameFiles(parseItem(locked.item), parseItem(row.item));
  if (!keepsPixels && (await store.isInUse(trx, row.sceneId))) {
    const reason = "it has pixels in the store, maps or paid area: its geometry and its files stay as they are";
    throw new ServiceError("CONFLICT", `scene ${row.sceneId} is in use; ${reason}`);
  }
  await store.replaceItem(trx, locked.scene_key, locked.raster === null ? row : withPixelsOf(before, row));
  return { row, before, isUnchanged: false };
}

/** Pixels in the store decide the bands and the CRS of their scene. */
function withPixelsOf({ bands, crsEpsg }: Scene, row: ItemRow): ItemRow {
  return { ...row, document: JSON.stringify({ ...parsed(row), bands, crsEpsg }) };
}

function sceneOf(row: ItemRow): Scene {
  return toScene(parsed(row), decodeFootprint(Buffer.from(row.footprint, "hex")));
}

function parsed({ document }: ItemRow): object {
  // Written by `itemRow`.
  return JSON.parse(document) as object;
}
