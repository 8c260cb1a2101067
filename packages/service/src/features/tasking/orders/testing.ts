import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { PLACED_STATUS } from "@swath/kernel/tasking/order-state";
import { createMapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import { createAreas } from "../../../platform/geometry/areas.ts";
import { createCreditsService, type CreditsService } from "../../credits/service.ts";
import { imageryOf, testCaller } from "../../credits/testing.ts";
import { insertHistory } from "./order-history-store.ts";
import { insertOrder, type NewOrderRow } from "./order-store.ts";

/** Test support: credits and orders as rows. */

export const NOW_MS = Date.UTC(2026, 2, 1, 12);
export const START_MS = Date.UTC(2026, 2, 3);
export const END_MS = Date.UTC(2026, 2, 10);
export const fixedClock: Clock = { now: () => new Date(NOW_MS) };
export const owner = testCaller();

const SQUARE: Polygon = {
  type: "Polygon",
  coordinates: [
    [
      [14, 50],
      [14.1, 50],
      [14.1, 50.05],
      [14, 50.05],
      [14, 50],
    ],
  ],
};

export function creditsOf(db: Db, clock: Clock = fixedClock): CreditsService {
  return createCreditsService({ areas: createAreas(), mapTypes: createMapTypes([]), db, clock, imagery: imageryOf() });
}

export async function grantCredits(db: Db, credits: CreditsService, amount: number): Promise<void> {
  await db
    .transaction()
    .execute((trx) => credits.grant(trx, owner.groupId, creditsToMicro(amount), "start", randomUUID()));
}

/** An order of 100 credits for 40 km2, just placed; its fee is 25 %. */
export function orderRow(members: Partial<NewOrderRow> = {}): NewOrderRow {
  return {
    id: randomUUID(),
    name: "field",
    provider: "simulator",
    dataset: "spotlight",
    owner_id: owner.userId,
    group_id: owner.groupId,
    paying_group_id: owner.groupId,
    geometry: JSON.stringify(SQUARE),
    original_geometry: JSON.stringify(SQUARE),
    starts_at: new Date(START_MS),
    ends_at: new Date(END_MS),
    status: PLACED_STATUS,
    tasking_type: "flexible",
    parameters: "{}",
    offer: "{}",
    max_cloud_cover: 0.2,
    area_m2: "40000000",
    price_micro: creditsToMicro(100).toString(),
    cancel_cutoff_hours: 24,
    cancel_fee_share: 0.25,
    request_key: randomUUID(),
    created_at: new Date(NOW_MS),
    updated_at: new Date(NOW_MS),
    ...members,
  };
}

/** Stores an order and holds its price. @returns its ID */
export async function placedOrder(
  db: Db,
  credits: Pick<CreditsService, "preallocate">,
  members: Partial<NewOrderRow> = {},
): Promise<string> {
  return await db.transaction().execute(async (trx) => {
    const order = await insertOrder(trx, orderRow(members));
    if (order === null) throw new Error("the request key of a test order is taken");
    const { transactionId } = await credits.preallocate(trx, {
      caller: owner,
      orderReferenceId: order.id,
      provider: order.provider,
      dataset: order.dataset,
      areaKm2: Number(order.area_m2) / 1e6,
      micro: BigInt(order.price_micro),
    });
    const entry = { orderId: order.id, version: 0, event: null, status: order.status, atMs: NOW_MS };
    await insertHistory(trx, { ...entry, reasonCode: null, reasonText: null, transactionId });
    return order.id;
  });
}
