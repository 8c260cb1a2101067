import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import type { Trx } from "../../../platform/context.ts";
import { recordEvent } from "../../../platform/events/record-event.ts";
import { orderSubject } from "../orders/order-event.ts";

/** A capture after a change. */
export interface ChangedCapture {
  readonly id: string;
  readonly status: CaptureStatus;
  readonly cloud_cover: number | null;
  readonly captured_at: Date;
  /** JSON of `{id}`, once the capture is ingested. */
  readonly ingested_scenes: string;
}

/** Records the status of a capture, for the owner of its order, in the transaction that changes it. */
export async function recordCaptureStatus(
  trx: Trx,
  order: { readonly id: string; readonly owner_id: string },
  capture: ChangedCapture,
): Promise<void> {
  // Planned captures are not shown to owners.
  if (capture.status === "SCHEDULED") return;
  const scenes = JSON.parse(capture.ingested_scenes) as readonly { readonly id: string }[];
  await recordEvent(trx, {
    type: "capture.status",
    subject: orderSubject(order.id),
    audience: { userId: order.owner_id },
    data: {
      captureId: capture.id,
      orderId: order.id,
      status: capture.status,
      capturedAt: capture.captured_at.toISOString(),
      cloudCover: capture.cloud_cover,
      sceneIds: scenes.map(({ id }) => id),
    },
  });
}
