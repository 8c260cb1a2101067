import type { Order, OrderWithHistory } from "@swath/contract/features/tasking/order-contract";
import type { PlacedOrder } from "@swath/contract/features/tasking/order-parameters";
import { microToCredits, squareMetresToKm2 } from "@swath/kernel/credits/micro";
import type { CaptureStatus } from "@swath/kernel/tasking/order-status";
import { isCancellable } from "@swath/kernel/tasking/order-state";
import type { HistoryEntry } from "./order-history-store.ts";
import type { OrderRow } from "./order-store.ts";

/** The members of an answer that are not in the row. */
export interface OrderPresent {
  /** The present of the order, milliseconds since 1970, UTC. */
  readonly nowMs: number;
  readonly captureStatuses: readonly CaptureStatus[];
  /** As the request names the dataset, perhaps by an alias. */
  readonly dataset?: string | undefined;
}

/** Whether the owner may cancel the order now. */
export function mayCancel(row: OrderRow, { nowMs, captureStatuses }: OrderPresent): boolean {
  return isCancellable(
    {
      status: row.status,
      scheduledMs: row.scheduled_at?.getTime() ?? null,
      cancelCutoffHours: row.cancel_cutoff_hours,
      captureStatuses,
    },
    nowMs,
  );
}

export function orderAnswer(row: OrderRow, present: OrderPresent): Order {
  const { orderOptions }: Partial<PlacedOrder> = JSON.parse(row.parameters);
  return {
    id: row.id,
    name: row.name,
    provider: row.provider,
    dataset: present.dataset ?? row.dataset,
    geometry: JSON.parse(row.geometry),
    originalGeometry: JSON.parse(row.original_geometry),
    startTime: row.starts_at.toISOString(),
    endTime: row.ends_at.toISOString(),
    createdTime: row.created_at.toISOString(),
    updatedTime: row.updated_at.toISOString(),
    groupId: row.group_id,
    ownerId: row.owner_id,
    status: row.status,
    taskingType: row.tasking_type,
    isCancellable: row.cancel_requested_at === null && mayCancel(row, present),
    cancellation: {
      feeShare: row.cancel_fee_share,
      cutoffHours: row.cancel_cutoff_hours,
      requestedTime: row.cancel_requested_at?.toISOString() ?? null,
    },
    price: microToCredits(BigInt(row.price_micro)),
    areaKm2: squareMetresToKm2(row.area_m2),
    maxCloudCover: row.max_cloud_cover,
    priority: row.priority,
    windowId: row.window_id,
    scheduledTime: row.scheduled_at?.toISOString() ?? null,
    contractId: row.contract_id,
    ...(row.project_name === null ? {} : { projectName: row.project_name }),
    ...(row.analysis_id === null ? {} : { analysisId: row.analysis_id }),
    ...(orderOptions === undefined ? {} : { orderOptions }),
    ...(row.batch_id === null ? {} : { batchId: row.batch_id }),
    ...(row.recurrence === null ? {} : { recurrence: JSON.parse(row.recurrence) }),
  };
}

export function historyAnswer(history: readonly HistoryEntry[]): OrderWithHistory["history"] {
  return history.map(({ atMs, status, event, reasonCode, reasonText, transactionId }) => ({
    time: new Date(atMs).toISOString(),
    status,
    event,
    reasonCode,
    reasonText,
    transactionId,
  }));
}
