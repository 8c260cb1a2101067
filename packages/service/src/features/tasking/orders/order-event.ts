import type { Trx } from "../../../platform/context.ts";
import { recordEvent } from "../../../platform/events/record-event.ts";
import type { OrderRow } from "./order-store.ts";

/** Longest text of a provider in an event. */
const MAX_TEXT_LENGTH = 1_000;

/** Records the status of an order, for its owner, in the transaction that changes it. */
export async function recordOrderStatus(
  trx: Trx,
  { id, version, name, status, provider, dataset, owner_id: userId }: OrderRow,
  reason: { readonly code: string | null; readonly text: string | null },
): Promise<void> {
  await recordEvent(trx, {
    type: "order.status",
    subject: orderSubject(id),
    audience: { userId },
    data: {
      orderId: id,
      name: bounded(name),
      status,
      version,
      provider,
      dataset,
      reasonCode: bounded(reason.code),
      reasonText: bounded(reason.text),
    },
  });
}

/** Captures are events of their order: receivers hear of both in order. */
export function orderSubject(orderId: string): string {
  return `order:${orderId}`;
}

/** The database accepts no zero bytes. */
function bounded(text: string | null): string | null {
  return text === null ? null : text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll("\0", " ");
}
