import type { FeasibilityWindow } from "@swath/contract/features/tasking/feasibility-contract";
import type { OrderOptions } from "@swath/contract/features/tasking/order-parameters";
import type { MicroCredits } from "@swath/kernel/credits/micro";
import type { Point, Polygon } from "@swath/kernel/geometry/geojson";
import { sql } from "kysely";
import type { Caller, Db } from "../../../platform/context.ts";
import type { OfferedWindow } from "../../../tasking-providers/tasking-provider.ts";
import type { TimeInterval } from "../parameters/requested-interval.ts";

/** The study that a window answers, as far as its price and its offer follow from it. */
export interface StudiedOrder {
  readonly provider: string;
  readonly dataset: string;
  readonly priority: string;
  readonly contractId: string;
  /** Group that pays. */
  readonly payerGroupId: string;
  readonly originalGeometry: Point | Polygon;
  readonly interval: TimeInterval;
  readonly orderOptions: OrderOptions;
}

/** The part of an offer that the provider needs for an order. */
export type StoredOffer = Pick<OfferedWindow, "offerId" | "satellite" | "mode" | "computedFrom">;

/** A window as it is kept until it expires. */
export interface StoredWindow {
  readonly windowId: string;
  readonly userId: string;
  readonly groupId: string;
  readonly study: StudiedOrder;
  /** Ordered area. */
  readonly geometry: Polygon;
  /** Milliseconds since 1970, UTC. */
  readonly startMs: number;
  readonly endMs: number;
  readonly document: FeasibilityWindow;
  readonly offer: StoredOffer;
  /** Charged area, whole square metres. */
  readonly areaM2: number;
  readonly micro: MicroCredits;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Windows of one user; a repeated study drops the oldest ones. */
export const MAX_WINDOWS_OF_USER = 4_000;

/** Keeps windows of one user, and drops the oldest ones of the user beyond the bound. */
export async function insertWindows(db: Db, windows: readonly StoredWindow[]): Promise<void> {
  const [first] = windows;
  if (first === undefined) return;
  const rows = windows.map((window) => ({
    window_id: window.windowId,
    user_id: window.userId,
    group_id: window.groupId,
    provider: window.study.provider,
    dataset: window.study.dataset,
    parameters: JSON.stringify(window.study),
    geometry: JSON.stringify(window.geometry),
    window_start: new Date(window.startMs),
    window_end: new Date(window.endMs),
    document: JSON.stringify(window.document),
    offer: JSON.stringify(window.offer),
    area_m2: String(window.areaM2),
    price_micro: String(window.micro),
    created_at: new Date(window.createdMs),
    expires_at: new Date(window.expiresMs),
  }));
  await db.insertInto("tasking_windows").values(rows).execute();
  await sql`
    delete from tasking_windows where window_id in (
      select window_id from tasking_windows where user_id = ${first.userId}
      order by created_at desc offset ${MAX_WINDOWS_OF_USER} for update skip locked)`.execute(db);
}

/** A window of a user or its group, expired or not; null when there is none. */
export async function readWindow(
  db: Db,
  windowId: string,
  { userId, groupId }: Pick<Caller, "userId" | "groupId">,
): Promise<StoredWindow | null> {
  const row = await db
    .selectFrom("tasking_windows")
    .selectAll()
    .where("window_id", "=", windowId)
    .where((where) =>
      where.or([
        where("user_id", "=", userId),
        where.and([where("group_id", "=", groupId), where("group_id", "<>", "")]),
      ]),
    )
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    windowId: row.window_id,
    userId: row.user_id,
    groupId: row.group_id,
    study: JSON.parse(row.parameters) as StudiedOrder,
    geometry: JSON.parse(row.geometry) as Polygon,
    startMs: row.window_start.getTime(),
    endMs: row.window_end.getTime(),
    document: JSON.parse(row.document) as FeasibilityWindow,
    offer: JSON.parse(row.offer) as StoredOffer,
    areaM2: row.area_m2,
    micro: BigInt(row.price_micro),
    createdMs: row.created_at.getTime(),
    expiresMs: row.expires_at.getTime(),
  };
}

/** Removes some of the windows that expired before a moment; answers how many. */
export async function deleteExpiredWindows(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from tasking_windows where window_id in (
      select window_id from tasking_windows where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db);
  return Number(numAffectedRows);
}
