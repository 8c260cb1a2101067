import assert from "node:assert/strict";
import type { CreateOrderRequest, Order } from "@swath/contract/features/tasking/order-contract";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../../platform/context.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import type { CreditsService } from "../../credits/service.ts";
import { verifyLedger } from "../../credits/verify/verify-ledger.ts";
import type { OrderService } from "./order-service.ts";
import { creditsOf, grantCredits, ordersOf, owner, STUDY } from "./testing.ts";

/** Test support: orders of one group on a separate database; the ledger is proved at the end. */
export interface World {
  readonly db: Db;
  readonly credits: CreditsService;
  readonly orders: OrderService;
  readonly create: (windowId: string, more?: Partial<CreateOrderRequest>, caller?: Caller) => Promise<Order>;
  readonly remaining: () => Promise<number>;
  readonly count: () => Promise<number>;
}

export async function world(credit: number, body: (world: World) => Promise<void>): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const credits = creditsOf(db);
  if (credit > 0) await grantCredits(db, credits, credit);
  const orders = ordersOf(db, credits);
  await body({
    db,
    credits,
    orders,
    create: (windowId, more = {}, caller = owner) =>
      orders.create(caller, { ...STUDY, name: "harbour", windowId, ...more }),
    remaining: async () => (await credits.remainingCredit(owner)).remainingCredit,
    count: async () => (await db.selectFrom("tasking_orders").select("id").execute()).length,
  });
  assert.deepEqual((await verifyLedger(db, AbortSignal.timeout(60_000))).differences, []);
}

export function refused(code: ErrorCode, text: RegExp): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code && text.test(error.message);
}
