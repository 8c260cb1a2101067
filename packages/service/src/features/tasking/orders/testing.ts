import { randomUUID } from "node:crypto";
import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Polygon } from "@swath/kernel/geometry/geojson";
import { PLACED_STATUS } from "@swath/kernel/tasking/order-state";
import { createMapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Db } from "../../../platform/context.ts";
import { createAreas } from "../../../platform/geometry/areas.ts";
import { createCreditsService, type CreditsService } from "../../credits/service.ts";
import { imageryOf, testCaller } from "../../credits/testing.ts";
import type { Insertable } from "kysely";
import { createIdentity } from "../../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../../platform/identity/testing.ts";
import type { TaskingTables } from "../../../platform/postgres/tables/tasking.ts";
import { createCatalog } from "../../../providers/catalog.ts";
import { providers } from "../../../providers/registry.ts";
import { createAuditService } from "../../audit/service.ts";
import { createUserService } from "../../users/service.ts";
import type { StudiedOrder } from "../feasibility/window-store.ts";
import { createTaskingContracts } from "../contracts/tasking-contracts.ts";
import { createOrderService, type OrderService, type OrderServiceDeps } from "./order-service.ts";
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
function orderRow(members: Partial<NewOrderRow> = {}): NewOrderRow {
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
      areaKm2: order.area_m2 / 1e6,
      micro: BigInt(order.price_micro),
    });
    const entry = { orderId: order.id, version: 0, event: null, status: order.status, atMs: NOW_MS };
    await insertHistory(trx, { ...entry, reasonCode: null, reasonText: null, transactionId });
    return order.id;
  });
}

/** A place in Prague, ordered as a square of 25 km2. */
export const PLACE = { type: "Point", coordinates: [14.42, 50.09] } as const;
export const STUDY = {
  dataset: "spotlight",
  name: "study",
  geometry: { ...PLACE, coordinates: [PLACE.coordinates[0], PLACE.coordinates[1]] },
  startTime: new Date(START_MS).toISOString(),
  endTime: new Date(END_MS).toISOString(),
} satisfies OrderParameters;

export const STUDIED: StudiedOrder = {
  provider: "radar-multi",
  dataset: "spotlight",
  priority: "flexible",
  contractId: "built-in-radar-multi",
  payerGroupId: owner.groupId,
  originalGeometry: STUDY.geometry,
  interval: { fromMs: START_MS, toMs: END_MS },
  orderOptions: {},
};

/** A window of the study for 100 credits, as a study stores it. @returns its ID */
export async function storedWindow(
  db: Db,
  members: Partial<Insertable<TaskingTables["tasking_windows"]>> = {},
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto("tasking_windows")
    .values({
      window_id: id,
      user_id: owner.userId,
      group_id: owner.groupId,
      provider: "radar-multi",
      dataset: "spotlight",
      parameters: JSON.stringify(STUDIED),
      geometry: JSON.stringify(SQUARE),
      window_start: new Date(START_MS + 86_400_000),
      window_end: new Date(START_MS + 86_400_000 + 60_000),
      document: "{}",
      offer: JSON.stringify({ offerId: null, satellite: "S-1", mode: "spotlight", computedFrom: { elements: 1 } }),
      area_m2: "25000000",
      price_micro: creditsToMicro(100).toString(),
      created_at: new Date(NOW_MS),
      expires_at: new Date(NOW_MS + 72 * 3_600_000),
      ...members,
    })
    .execute();
  return id;
}

/** The service of orders on a database, with the datasets of the catalogue. */
export function ordersOf(db: Db, credits: CreditsService, more: Partial<OrderServiceDeps> = {}): OrderService {
  const clock = fixedClock;
  const catalog = createCatalog(providers);
  const audit = createAuditService({ db, clock });
  return createOrderService({
    db,
    clock,
    catalog,
    credits,
    contracts: createTaskingContracts({ db, clock, catalog, audit }),
    users: createUserService({ db, clock, audit, identity: createIdentity({ db, clock, config: TEST_IDENTITY }) }),
    presentOf: () => NOW_MS,
    refresh: async () => {},
    ...more,
  });
}
