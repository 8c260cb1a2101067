import type { OrderStatus } from "@swath/kernel/tasking/order-status";
import { parseSceneId, sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { itemHref } from "../stac/link.ts";
import type { HistoryEntry } from "../tasking/orders/order-history-store.ts";
import type { DescribedOrder } from "../tasking/orders/described-orders.ts";
import { GEOJSON_TYPE, type Link } from "./link.ts";

type StatusCode =
  | "accepted"
  | "cancelled"
  | "completed"
  | "expired"
  | "failed"
  | "received"
  | "rejected"
  | "reserved"
  | "tasked"
  | "user_cancelled";

/** A status of an order. */
export interface StapiStatus {
  readonly timestamp: string;
  readonly status_code: StatusCode;
  readonly reason_code?: string;
  readonly reason_text?: string;
  readonly links: readonly Link[];
}

const CODES: Readonly<Record<Exclude<OrderStatus, "CANCELLED">, StatusCode>> = {
  RECEIVED: "received",
  PENDING: "accepted",
  IN_PROGRESS: "tasked",
  FULFILLED: "completed",
  REJECTED: "rejected",
  EXPIRED: "expired",
  FAILED: "failed",
};

/** Statuses of an order, oldest first. The last one leads to the delivered scenes. */
export function statusesOf({ history, order, sceneIds }: DescribedOrder, baseUrl: string): readonly StapiStatus[] {
  const isAsked = order.cancellation.requestedTime !== null;
  const statuses = history.flatMap((entry) => statusesOfEntry(entry, isAsked));
  const links = sceneIds.flatMap((sceneId) => itemLinks(sceneId, baseUrl));
  return statuses.map((status, index) => (index === statuses.length - 1 ? { ...status, links } : status));
}

function statusesOfEntry(entry: HistoryEntry, isCancelAsked: boolean): readonly StapiStatus[] {
  const { atMs, reasonCode, reasonText, status, transactionId } = entry;
  const timestamp = new Date(atMs).toISOString();
  const code = status === "CANCELLED" ? (isCancelAsked ? "user_cancelled" : "cancelled") : CODES[status];
  const told: StapiStatus = {
    timestamp,
    status_code: code,
    ...(reasonCode === null ? {} : { reason_code: reasonCode }),
    ...(reasonText === null ? {} : { reason_text: reasonText }),
    links: [],
  };
  if (status !== "RECEIVED" || transactionId === null) return [told];
  // The credit is held from the placing on.
  return [told, { timestamp, status_code: "reserved", reason_text: "the price is held", links: [] }];
}

function itemLinks(sceneId: string, baseUrl: string): readonly Link[] {
  const parts = parseSceneId(sceneId);
  if (parts === null) return [];
  const collection = sceneIdPrefix(parts.provider, parts.dataset).slice(0, -1);
  return [{ rel: "item", href: itemHref(baseUrl, collection, sceneId), type: GEOJSON_TYPE, title: sceneId }];
}
