import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { createHttpTransport } from "@swath/raster/remote/http-transport";
import type { Caller, Db } from "../../platform/context.ts";
import { placeEvents } from "../../platform/events/place-events.ts";
import { recordEvents, type NewEvent } from "../../platform/events/record-event.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createAuditService } from "../audit/service.ts";
import { fanOut } from "./fan-out.ts";
import { createReceiverRules } from "./receiver-rules.ts";
import { createSender, SENDER_LIMITS, type Sender, type SenderLimits } from "./sender.ts";
import type { WebhookDeps } from "./service.ts";
import { testReceiver, type Receiver } from "./receiver-testing.ts";

const NEVER = new AbortController().signal;

/** Webhooks on a real database, with a receiver. */
export interface WebhookBench extends AsyncDisposable {
  readonly db: Db;
  readonly url: string;
  readonly deps: WebhookDeps;
  readonly receiver: Receiver;
  readonly sender: Sender;
  addUser(userId: string, groupId?: string): Promise<Caller>;
  record(...events: readonly NewEvent[]): Promise<void>;
  /** Makes deliveries of recorded events, and delivers the due ones. */
  deliver(): Promise<void>;
  /** Lets the pauses of all deliveries pass. */
  passPauses(): Promise<void>;
}

export interface BenchOptions {
  readonly limits?: Partial<SenderLimits>;
  readonly timeoutMs?: number;
  /** Further hosts that the operator allows. */
  readonly hosts?: readonly string[];
}

export async function webhookBench({
  limits,
  timeoutMs = 10_000,
  hosts = [],
}: BenchOptions = {}): Promise<WebhookBench> {
  const stack = new AsyncDisposableStack();
  const { db, url } = stack.use(await testDatabase());
  const receiver = stack.use(await testReceiver());
  const rules = createReceiverRules([receiver.origin, ...hosts]);
  const transport = stack.use(createHttpTransport({ rules, maxRedirects: 0 }));
  const sealingKey = Buffer.alloc(32, 1);
  const clock = systemClock;
  const sender = stack.use(
    createSender({
      db,
      clock,
      log: silentLog,
      transport,
      timeoutMs,
      sealingKey,
      limits: { ...SENDER_LIMITS, ...limits },
      onIdle: () => {},
    }),
  );
  return {
    db,
    url,
    deps: { db, clock, audit: createAuditService({ db, clock }), rules, sealingKey },
    receiver,
    sender,
    async addUser(userId, groupId = `group of ${userId}`) {
      await sql`
        insert into groups (id, name, created_at, updated_at) values (${groupId}, ${groupId}, now(), now())
        on conflict do nothing`.execute(db);
      await sql`
        insert into users (id, email, name, type, created_at, updated_at)
        values (${userId}, ${userId}, ${userId}, 'user', now(), now())`.execute(db);
      await sql`
        insert into group_members (user_id, group_id, position) values (${userId}, ${groupId}, 0)`.execute(db);
      return { kind: "user", userId, groupId, email: userId, permissions: new Set() };
    },
    async record(...events) {
      await db.transaction().execute((trx) => recordEvents(trx, events));
    },
    async deliver() {
      await placeEvents(db, NEVER);
      await fanOut(db, NEVER);
      await sender.deliverDue();
    },
    async passPauses() {
      await sql`update webhook_deliveries set due_at = now() where status = 'pending'`.execute(db);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
