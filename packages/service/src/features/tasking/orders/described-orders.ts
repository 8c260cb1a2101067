import type { Order } from "@swath/contract/features/tasking/order-contract";
import type { Db } from "../../../platform/context.ts";
import { ingestedScenesOf } from "./capture-store.ts";
import { readHistories, type HistoryEntry } from "./order-history-store.ts";
import type { OrderRow } from "./order-store.ts";

/** The chosen offer of an order. */
interface OrderedPass {
  readonly satellite: string;
  readonly mode: string;
  /** Milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly endMs: number;
}

/** An order with everything that a dialect tells of it. */
export interface DescribedOrder {
  readonly order: Order;
  /** Oldest first; the first entry is the placing. */
  readonly history: readonly HistoryEntry[];
  /** The request as the dialect sent it; null of other orders. */
  readonly foreignRequest: Readonly<Record<string, unknown>> | null;
  readonly pass: OrderedPass;
  /** Identifiers of the delivered scenes. */
  readonly sceneIds: readonly string[];
}

/** Adds history, request and scenes to orders. */
export async function describeOrders(
  db: Db,
  rows: readonly OrderRow[],
  orders: readonly Order[],
): Promise<readonly DescribedOrder[]> {
  const ids = rows.map(({ id }) => id);
  const [histories, scenes] = await Promise.all([readHistories(db, ids), ingestedScenesOf(db, ids)]);
  const byId = new Map(orders.map((order) => [order.id, order]));
  return rows.flatMap((row) => {
    const order = byId.get(row.id);
    if (order === undefined) return [];
    return [
      {
        order,
        history: histories.get(row.id) ?? [],
        foreignRequest: row.foreign_request === null ? null : JSON.parse(row.foreign_request),
        pass: passOf(row),
        sceneIds: scenes.get(row.id) ?? [],
      },
    ];
  });
}

function passOf({ offer, starts_at: startsAt, ends_at: endsAt }: OrderRow): OrderedPass {
  const { satellite = "", mode = "", window }: StoredPass = JSON.parse(offer);
  return { satellite, mode, startMs: startsAt.getTime(), endMs: endsAt.getTime(), ...window };
}

interface StoredPass {
  readonly satellite?: string;
  readonly mode?: string;
  readonly window?: { readonly startMs: number; readonly endMs: number };
}
