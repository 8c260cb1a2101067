import { systemClock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { eventsContract } from "@swath/contract/features/events/contract";
import { createHttpServer } from "../../http/server.ts";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from "../../http/traffic/traffic-limits.ts";
import type { Caller, Db } from "../../platform/context.ts";
import { EVENT_CHANNELS, eventSignals } from "../../platform/events/event-signals.ts";
import { placeEvents } from "../../platform/events/place-events.ts";
import { recordEvents, type NewEvent } from "../../platform/events/record-event.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { openListening } from "../../platform/postgres/listening.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";
import { createAuditService } from "../audit/service.ts";
import { createUserService } from "../users/service.ts";
import { createEventFeed } from "./event-feed.ts";
import { eventsHandlers } from "./handlers.ts";
import { createEventService } from "./service.ts";
import { FollowedStream } from "./followed-stream-testing.ts";

export interface Account {
  readonly token: string;
  readonly caller: Caller;
}

/** The feature behind a real server and database. */
export interface EventBench extends AsyncDisposable {
  readonly db: Db;
  readonly url: string;
  /** Aborts like a service that stops. */
  readonly stopping: AbortController;
  addUser(email: string, permissions?: readonly string[]): Promise<Account>;
  /** Records events and gives them positions. */
  record(...events: readonly NewEvent[]): Promise<void>;
  list(token: string, request?: object): Promise<{ readonly status: number; readonly json: any }>; // oxlint-disable-line typescript/no-explicit-any -- answers of every shape
  follow(token: string, query?: string, headers?: Readonly<Record<string, string>>): Promise<FollowedStream>;
}

const PASSWORD = "correct horse battery";

export async function eventBench({
  heartbeatMs = 60_000,
  traffic = {},
}: { readonly heartbeatMs?: number; readonly traffic?: Partial<TrafficLimits> } = {}): Promise<EventBench> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  const { db } = database;
  const clock = systemClock;
  const stopping = new AbortController();
  const listening = stack.use(openListening(database.url, EVENT_CHANNELS, silentLog));
  await new Promise<void>((resolve) => void listening.onReconnected(resolve));
  const events = eventSignals(listening, stopping.signal);
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const feed = createEventFeed({ db, events, log: silentLog });
  const service = stack.use(createEventService({ db, identity, events, feed, heartbeatMs }));
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { events: eventsContract },
    handlers: { events: eventsHandlers(service) },
    db,
    identity,
    pipelines: {
      accept: () => Promise.reject(new Error("no pipelines here")),
      retrieve: () => Promise.reject(new Error("no pipelines here")),
    },
    config: {
      ...DEFAULT_HTTP_CONFIG,
      rateLimits: null,
      validateResponses: true,
      traffic: { ...DEFAULT_TRAFFIC_LIMITS, ...traffic },
    },
    clock,
    log: silentLog,
  });
  stack.defer(() => server.close());
  stack.defer(() => stopping.abort());
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    db,
    url: address,
    stopping,
    async addUser(email, permissions = ["events"]) {
      await db.transaction().execute(async (trx) => {
        const groupId = await users.createGroup(trx, { name: `group of ${email}`, permissions });
        return users.createUser(trx, { email, name: email, password: PASSWORD, groupIds: [groupId] });
      });
      const login = await identity.builtIn?.login({ username: email, password: PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return { token: login.token, caller: await identity.authenticateToken(login.token) };
    },
    async record(...given) {
      await db.transaction().execute((trx) => recordEvents(trx, given));
      await placeEvents(db, new AbortController().signal);
    },
    async list(token, request = {}) {
      const answer = await fetch(`${address}/events/list`, {
        method: "POST",
        body: JSON.stringify(request),
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      });
      return { status: answer.status, json: await answer.json() };
    },
    follow: (token, query = "", headers = {}) =>
      FollowedStream.open(`${address}/events/stream${query}`, { authorization: `Bearer ${token}`, ...headers }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
