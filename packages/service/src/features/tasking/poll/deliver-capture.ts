import { randomUUID } from "node:crypto";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { isTerminal } from "@swath/kernel/tasking/order-state";
import type { Clock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import { RasterError } from "@swath/raster/raster-error";
import { statusOf } from "../../../error-status.ts";
import type { Db } from "../../../platform/context.ts";
import { inTransaction } from "../../../platform/postgres/transaction.ts";
import type { Delivery, OrderProgress } from "../../../tasking-providers/tasking-provider.ts";
import type { IngestionService } from "../../ingestion/service.ts";
import { lockOrder, type OrderRow } from "../orders/order-store.ts";
import { bringUpToDate, type UpdateDeps } from "./bring-up-to-date.ts";
import { failCapture, writeIngested, type StoredCapture } from "./told-captures.ts";

export interface DeliverDeps extends UpdateDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly ingestion: Pick<IngestionService, "prepareDelivery">;
}

/** A capture whose file is to be ingested, with the answer that offers it. */
export interface OfferedCapture {
  readonly order: OrderRow;
  readonly capture: StoredCapture;
  readonly delivery: Delivery;
  readonly told: OrderProgress;
  /** The present of the order at its end. */
  readonly presentOf: () => number;
}

/**
 * Ingests the file of a capture: its scene, its allocation to the group, its charge and the end of the order are one
 * transaction. A run that is cut short leaves nothing that counts. A file that cannot be read fails its capture.
 */
export async function deliverCapture(deps: DeliverDeps, offered: OfferedCapture, signal: AbortSignal): Promise<void> {
  const { order, capture, delivery } = offered;
  const file = {
    deliveryKey: `${order.id} ${capture.provider_capture_id}`,
    provider: order.provider,
    dataset: order.dataset,
    orderedBy: { userId: order.owner_id, groupId: order.group_id },
    name: delivery.name,
    document: delivery.document,
    write: (folder: string, until: AbortSignal) => delivery.write(folder, until),
  };
  try {
    const prepared = await deps.ingestion.prepareDelivery(file, signal);
    const isKept = await keep(deps, offered, prepared);
    if (!isKept) await prepared.discard();
  } catch (error) {
    if (!isUnreadable(error) || signal.aborted) throw error;
    deps.log.warn({ err: error, orderId: order.id, captureId: capture.id }, "a delivery cannot be read");
    await failCapture(deps.db, order, capture.id, deps.clock.now());
  }
}

type Prepared = Awaited<ReturnType<IngestionService["prepareDelivery"]>>;

async function keep(
  deps: DeliverDeps,
  { order, capture, told, presentOf }: OfferedCapture,
  { sceneId, footprint, register }: Prepared,
): Promise<boolean> {
  const ingestionId = randomUUID();
  return await inTransaction(deps.db, async (trx) => {
    const current = await lockOrder(trx, order.id);
    // Another poller may have been faster, and an order may end meanwhile.
    if (current === null || isTerminal(current.status)) return false;
    const ingestionTime = deps.clock.now().toISOString();
    if (!(await writeIngested(trx, order, capture.id, { id: sceneId, ingestionId, ingestionTime }))) return false;
    await register(trx);
    await bringUpToDate(deps, trx, order.id, told, presentOf(), { sceneId, geometry: footprint });
    return true;
  });
}

function isUnreadable(error: unknown): boolean {
  if (error instanceof RasterError) return true;
  return error instanceof ServiceError && statusOf(error) < 500 && error.code !== "TOO-MANY-REQUESTS";
}
