import type { Static } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Delivery, webhooksContract } from "@swath/contract/features/webhooks/contract";
import type { Caller, Db } from "../../platform/context.ts";
import { numberCursor } from "../../platform/number-cursor.ts";
import { pageOf } from "../../platform/page-of.ts";
import { replayDeliveries, selectDeliveries, type DeliveryRow } from "./delivery-store.ts";
import { findWebhook } from "./service.ts";

type Contract = typeof webhooksContract;

const DEFAULT_LIMIT = 50;
const MAX_REPLAYED = 1_000;
const cursors = numberCursor("webhook deliveries ");

/** Newest first. @throws {ServiceError} NON-EXISTENT-WEBHOOK; INVALID-CURSOR */
export async function listDeliveries(
  db: Db,
  caller: Caller,
  { id, status, limit = DEFAULT_LIMIT, cursor }: Static<Contract["deliveries"]["request"]>,
): Promise<{ results: Delivery[]; cursor: string | null }> {
  await findWebhook(db, caller, id);
  const before = cursor === undefined ? null : cursors.decode(cursor);
  const rows = await selectDeliveries(db, { webhookId: id, status: status ?? null, before, limit: limit + 1 });
  return pageOf(rows, limit, shown, ({ position }) => cursors.encode(position));
}

/** @throws {ServiceError} NON-EXISTENT-WEBHOOK; VALIDATION-ERROR for no choice of events */
export async function replay(
  db: Db,
  caller: Caller,
  { id, eventId, from, to, status }: Static<Contract["replay"]["request"]>,
): Promise<{ replayed: number }> {
  await findWebhook(db, caller, id);
  if (eventId === undefined && from === undefined) {
    throw new ServiceError("VALIDATION-ERROR", "expected eventId, or from with or without to");
  }
  const replayed = await replayDeliveries(db, {
    webhookId: id,
    eventId: eventId ?? null,
    from: instant(from, "/from"),
    to: instant(to, "/to"),
    status: status ?? null,
    limit: MAX_REPLAYED,
  });
  return { replayed };
}

function instant(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  const year = at.getUTCFullYear();
  if (year >= 1 && year <= 9999) return at;
  const message = `is no time, got "${text}", expected such as 2026-03-01T12:00:00Z`;
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}

function shown(row: DeliveryRow): Delivery {
  return {
    eventId: row.eventId,
    position: row.position,
    type: row.type as Delivery["type"],
    subject: row.subject,
    status: row.status as Delivery["status"],
    attempts: row.attempts,
    nextAttemptAt: row.status === "pending" ? row.dueAt.toISOString() : null,
    log: [...row.log],
    createdAt: row.createdAt.toISOString(),
  };
}
