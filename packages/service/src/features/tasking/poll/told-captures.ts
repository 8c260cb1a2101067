import { randomUUID } from "node:crypto";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import { sql, type Selectable } from "kysely";
import type { Db, Trx } from "../../../platform/context.ts";
import type { TaskingTables } from "../../../platform/postgres/tables/tasking.ts";
import type { ToldCapture } from "../../../tasking-providers/tasking-provider.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import { lockOrder, type OrderRow } from "../orders/order-store.ts";
import { recordCaptureStatus, type ChangedCapture } from "./capture-event.ts";

/** A capture as stored. */
export interface StoredCapture extends Selectable<TaskingTables["tasking_captures"]> {
  readonly status: CaptureStatus;
}

/** Captures of one order that are stored; a provider that tells of more is not believed. */
const MAX_CAPTURES = 1000;
const MAX_TEXT = 200;
/** Share of the ordered area that a capture must image to fulfil the order. */
const MIN_COVERAGE = 0.9;
const RANKS: Readonly<Record<CaptureStatus, number>> = {
  SCHEDULED: 0,
  QUEUED: 1,
  PROCESSING: 2,
  PUBLISHED: 3,
  FAILED: 3,
  CANCELLED: 3,
};

/** Tellings without repetitions: of each capture the one that is furthest. */
export function distinctCaptures(captures: readonly ToldCapture[]): readonly ToldCapture[] {
  const byId = new Map<string, ToldCapture>();
  for (const capture of captures) {
    const known = byId.get(capture.captureId);
    if (known === undefined || RANKS[capture.status] > RANKS[known.status]) byId.set(capture.captureId, capture);
  }
  return [...byId.values()].slice(0, MAX_CAPTURES);
}

export async function readCaptures(db: Db, orderId: string): Promise<readonly StoredCapture[]> {
  const query = db.selectFrom("tasking_captures").selectAll().where("order_id", "=", orderId).orderBy("serial");
  return (await query.limit(MAX_CAPTURES).execute()) as StoredCapture[];
}

/** Stores tellings of a locked order. A status only advances: an old telling after a newer one changes nothing. */
export async function storeCaptures(
  trx: Trx,
  order: OrderRow,
  told: readonly ToldCapture[],
  now: Date,
  isCompleted: boolean,
): Promise<void> {
  const known = new Map((await readCaptures(trx, order.id)).map((row) => [row.provider_capture_id, row]));
  for (const capture of told) {
    const before = known.get(capture.captureId.slice(0, MAX_TEXT));
    if (before === undefined) await insertCapture(trx, order, capture, now, isCompleted);
    else if (RANKS[capture.status] > RANKS[before.status])
      await advanceCapture(trx, order, before, capture, now, isCompleted);
    else if (isCompleted && before.fulfils === false && meetsOrder(order, capture, true) === true) {
      await trx.updateTable("tasking_captures").set({ fulfils: true }).where("id", "=", before.id).execute();
    }
  }
}

async function insertCapture(trx: Trx, order: OrderRow, capture: ToldCapture, now: Date, isCompleted: boolean) {
  const row = await trx
    .insertInto("tasking_captures")
    .values({
      id: randomUUID(),
      order_id: order.id,
      provider_capture_id: capture.captureId.slice(0, MAX_TEXT),
      strip_id: capture.stripId.slice(0, MAX_TEXT),
      ingested_scenes: "[]",
      created_at: now,
      ...toldColumns(order, capture, now, isCompleted),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await recordCaptureStatus(trx, order, row as StoredCapture);
}

async function advanceCapture(
  trx: Trx,
  order: OrderRow,
  { id }: StoredCapture,
  capture: ToldCapture,
  now: Date,
  isCompleted: boolean,
) {
  const columns = toldColumns(order, capture, now, isCompleted);
  const query = trx.updateTable("tasking_captures").set(columns).where("id", "=", id).returningAll();
  await recordCaptureStatus(trx, order, (await query.executeTakeFirstOrThrow()) as StoredCapture);
}

function toldColumns(order: OrderRow, capture: ToldCapture, now: Date, isCompleted: boolean) {
  const { cloudCover, coverageRatio, footprint, foreignSceneTypes, offNadirDeg, status } = capture;
  return {
    status,
    foreign_scene_types: foreignSceneTypes.map((type) => type.slice(0, MAX_TEXT)).slice(0, 20),
    cloud_cover: cloudCover,
    coverage_ratio: coverageRatio,
    off_nadir_deg: offNadirDeg,
    footprint: footprint === null ? null : JSON.stringify(footprint),
    area_m2: footprint === null ? null : String(Math.round(areaKm2(footprint) * 1e6)),
    fulfils: meetsOrder(order, capture, isCompleted),
    captured_at: new Date(capture.atMs),
    updated_at: now,
  };
}

/**
 * Whether a published capture fulfils an order: its clouds and its coverage meet the limits, where they are known. A
 * provider that has completed an order decides itself which of its deliveries do. Null before the publication.
 */
function meetsOrder(order: OrderRow, capture: ToldCapture, isCompleted: boolean): boolean | null {
  if (capture.status !== "PUBLISHED") return null;
  if (isCompleted && capture.delivery !== null) return true;
  const isClear = (capture.cloudCover ?? 0) <= order.max_cloud_cover;
  return isClear && (capture.coverageRatio ?? 1) >= MIN_COVERAGE && capture.delivery !== null;
}

/** Whether a capture is under way at its provider. */
export function isUnderWay({ status }: Pick<StoredCapture, "status">): boolean {
  return status === "QUEUED" || status === "PROCESSING";
}

/** Notes the scene of a capture of a locked order. @returns false when the capture has one already */
export async function writeIngested(
  trx: Trx,
  order: Pick<OrderRow, "id" | "owner_id">,
  captureId: string,
  scene: { readonly id: string; readonly ingestionId: string; readonly ingestionTime: string },
): Promise<boolean> {
  const row = await trx
    .updateTable("tasking_captures")
    .set({ ingested_scenes: JSON.stringify([scene]), updated_at: new Date(scene.ingestionTime) })
    .where("id", "=", captureId)
    .where("ingested_scenes", "=", "[]")
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await recordCaptureStatus(trx, order, row as StoredCapture);
  return row !== undefined;
}

/** Gives a capture up whose file cannot be read. */
export async function failCapture(
  db: Db,
  order: Pick<OrderRow, "id" | "owner_id">,
  captureId: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    // Events of an order are recorded by one transaction after the other.
    if ((await lockOrder(trx, order.id)) === null) return;
    const { rows } = await sql<Omit<ChangedCapture, "status"> & { readonly status: string }>`
      update tasking_captures set status = 'FAILED', fulfils = false, updated_at = ${now}
      where id = ${captureId} and ingested_scenes = '[]'
      returning id, status, cloud_cover, captured_at, ingested_scenes`.execute(trx);
    const [row] = rows;
    if (row !== undefined) await recordCaptureStatus(trx, order, { ...row, status: "FAILED" });
  });
}
