import type { Clock } from "@swath/base/clock";
import { systemClock } from "@swath/base/clock";
import { createIdentity } from "../platform/identity/identity.ts";
import type { Identity } from "../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../platform/identity/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { ampleStorage } from "../platform/storage/testing.ts";
import { testDatabase } from "../platform/postgres/testing.ts";
import type { TestDatabase } from "../platform/postgres/testing.ts";
import { createAuditService } from "../features/audit/service.ts";
import { createUserService } from "../features/users/service.ts";
import type { UserService } from "../features/users/service.ts";
import { DEFAULT_HTTP_CONFIG } from "./http-config.ts";
import type { HttpConfig } from "./http-config.ts";
import type { PipelineGate } from "./pipeline-gate.ts";
import { nothingSeen, sampleContract, sampleHandlers } from "./sample-contract.ts";
import type { SampleSeen } from "./sample-contract.ts";
import { DEFAULT_TRAFFIC_LIMITS, type TrafficLimits } from "./traffic/traffic-limits.ts";
import { createHttpServer } from "./server.ts";
import type { HttpServer } from "./server.ts";

/** The sample contract served with real identity and database. */
export interface TestServer extends AsyncDisposable {
  readonly server: HttpServer;
  readonly database: TestDatabase;
  readonly identity: Identity;
  readonly users: UserService;
  readonly seen: SampleSeen;
  /** Makes a user with these permissions. */
  addUser(email: string, permissions: readonly string[]): Promise<{ readonly userId: string; readonly token: string }>;
}

/** Headers for browsers that every answer has. */
export const EXPECTED_HEADERS = {
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

export const TEST_PASSWORD = "correct horse battery";

export async function testServer(
  options: {
    readonly config?: Partial<HttpConfig>;
    readonly traffic?: Partial<TrafficLimits>;
    readonly clock?: Clock;
    readonly pipelines?: PipelineGate;
  } = {},
): Promise<TestServer> {
  const clock = options.clock ?? systemClock;
  const database = await testDatabase();
  const { db } = database;
  const identity = createIdentity({
    db,
    clock,
    config: TEST_IDENTITY,
  });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const traffic = { ...DEFAULT_TRAFFIC_LIMITS, ...options.traffic };
  const seen = nothingSeen();
  const server = await createHttpServer({
    contract: sampleContract,
    handlers: sampleHandlers(seen),
    db,
    identity,
    pipelines: options.pipelines ?? noPipelines,
    storage: ampleStorage(),
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true, traffic, ...options.config },
    clock,
    log: silentLog,
  });
  return {
    server,
    database,
    identity,
    users,
    seen,
    async addUser(email, permissions) {
      const userId = await db.transaction().execute(async (trx) => {
        const groupId = await users.createGroup(trx, { name: `group of ${email}`, permissions });
        return users.createUser(trx, { email, name: email, password: TEST_PASSWORD, groupIds: [groupId] });
      });
      const login = await identity.builtIn?.login({ username: email, password: TEST_PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return { userId, token: login.token };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

const noPipelines: PipelineGate = {
  accept: async () => ({ pipelineId: "0".repeat(20), nextTry: 1 }),
  retrieve: async () => ({ sum: 0 }),
};
