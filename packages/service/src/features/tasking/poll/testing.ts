import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import { createMapTypes } from "@swath/maps/registry";
import { silentLog } from "@swath/base/log/log";
import { createAreas } from "../../../platform/geometry/areas.ts";
import type { TaskingSettings } from "../../../tasking-providers/bindings.ts";
import { setClock, testOrder, testSimulator, type SetClock } from "../../../tasking-providers/simulator/testing.ts";
import type { SubmittedOrder, TaskingProvider } from "../../../tasking-providers/tasking-provider.ts";
import { createCreditsService, type CreditsService } from "../../credits/service.ts";
import { ingestionBench, type IngestionBench } from "../../ingestion/testing.ts";
import { readOrder, type NewOrderRow, type OrderRow } from "../orders/order-store.ts";
import { owner, placedOrder } from "../orders/testing.ts";
import { createOrderPoller, POLLER_LIMITS, type OrderPoller, type PollerDeps } from "./poller.ts";

/** Test support: a simulated provider, a poller and a place for scenes. */
export interface PollBench extends AsyncDisposable {
  readonly ingestion: IngestionBench;
  readonly credits: CreditsService;
  readonly clock: SetClock;
  readonly provider: TaskingProvider;
  readonly poller: OrderPoller;
  /** Another poller of the same database, as in another process. */
  anotherPoller(members?: Partial<PollerDeps>): OrderPoller;
  /** Places an order of the first window; any clouds are good enough. @returns its ID */
  place(members?: Partial<SubmittedOrder>, row?: Partial<NewOrderRow>): Promise<string>;
  /** Polls at the times that the orders ask for, until all have ended. */
  pollToEnd(poller?: OrderPoller): Promise<void>;
  order(orderId: string): Promise<OrderRow>;
}

const PRICE = 100;
const MAX_ROUNDS = 1000;
const idle = new AbortController().signal;

export async function pollBench(
  settings: TaskingSettings = {},
  replaced: (provider: TaskingProvider) => TaskingProvider = (provider) => provider,
): Promise<PollBench> {
  const stack = new AsyncDisposableStack();
  const clock = setClock();
  const ingestion = stack.use(await ingestionBench({ clock, withoutWorker: true }));
  const { db, imagery } = ingestion;
  const credits = createCreditsService({ areas: createAreas(), mapTypes: createMapTypes([]), db, clock, imagery });
  await db
    .transaction()
    .execute((trx) => credits.grant(trx, owner.groupId, creditsToMicro(1_000_000), "start", randomUUID()));
  const provider = replaced(testSimulator(db, clock, { megapixels: 0.02, ...settings }));
  const deps: PollerDeps = {
    ...POLLER_LIMITS,
    db,
    clock,
    credits,
    log: silentLog,
    ingestion: ingestion.ingestion,
    taskingProviders: { providerOf: () => provider },
    random: () => 0.5,
    onIdle: () => {},
  };
  const poller = stack.use(createOrderPoller(deps));
  return {
    ingestion,
    credits,
    clock,
    provider,
    poller,
    anotherPoller: (members = {}) => stack.use(createOrderPoller({ ...deps, ...members })),
    async place(members = {}, row = {}) {
      const order = await testOrder(provider, members);
      return await placedOrder(db, credits, { ...rowOf(order), ...row });
    },
    async pollToEnd(by = poller) {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        await by.pollDue(idle);
        const next = await db
          .selectFrom("tasking_orders")
          .select("poll_due_at")
          .where("status", "in", ["RECEIVED", "PENDING", "IN_PROGRESS"])
          .orderBy("poll_due_at")
          .limit(1)
          .executeTakeFirst();
        if (next?.poll_due_at === undefined || next.poll_due_at === null) return;
        clock.set(Math.max(clock.now().getTime() + 1, next.poll_due_at.getTime()));
      }
      throw new Error(`orders did not end in ${MAX_ROUNDS} rounds`);
    },
    async order(orderId) {
      const row = await readOrder(db, orderId);
      if (row === null) throw new Error(`there is no order ${orderId}`);
      return row;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function rowOf(order: SubmittedOrder): Partial<NewOrderRow> {
  const createdAt = new Date(order.createdMs);
  return {
    id: order.orderId,
    provider: order.provider,
    dataset: order.dataset,
    geometry: JSON.stringify(order.geometry),
    original_geometry: JSON.stringify(order.geometry),
    starts_at: new Date(order.fromMs),
    ends_at: new Date(order.toMs),
    priority: order.priority,
    offer: JSON.stringify({ ...order.offer, window: order.window }),
    max_cloud_cover: order.maxCloudCover,
    price_micro: creditsToMicro(PRICE).toString(),
    poll_due_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
  };
}
