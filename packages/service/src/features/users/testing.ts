import { createHttpServer, type HttpServer } from "../../http/server.ts";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import type { Clock } from "@swath/base/clock";
import { systemClock } from "@swath/base/clock";
import type { Db } from "../../platform/context.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { openPool } from "../../platform/postgres/pool.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { auditContract } from "@swath/contract/features/audit/contract";
import { auditHandlers } from "../audit/handlers.ts";
import { createAuditService } from "../audit/service.ts";
import { usersContract } from "@swath/contract/features/users/contract";
import { usersHandlers } from "./handlers.ts";
import { createUserService, type UserService } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

export const PASSWORD = "correct horse battery";

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever JSON arrives
  readonly body: any;
}

/** One process of the service, as far as users are concerned. */
interface ServiceNode {
  readonly users: UserService;
  post(token: string | null, path: string, body?: object): Promise<Answer>;
  /** A new token, or the error of the token request. */
  login(email: string, password?: string): Promise<string>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

export interface UsersBench extends ServiceNode, AsyncDisposable {
  readonly database: TestDatabase;
  /** Another process on the same database, with connections of its own. */
  readonly other: ServiceNode;
  /** A group with these permissions, in the organisation of that name, which is made when missing; null for none. */
  group(name: string, permissions: readonly string[], organization?: string | null): Promise<string>;
  person(
    name: string,
    groupIds: readonly string[],
    more?: { readonly extraPermissions?: readonly string[]; readonly managerOf?: readonly string[] },
  ): Promise<Person>;
  /** Actions of the record of changes on that target, oldest first. */
  actionsOn(targetId: string): Promise<readonly string[]>;
}

export async function usersBench(clock: Clock = systemClock): Promise<UsersBench> {
  const database = await testDatabase();
  const { db } = database;
  const second = openPool({ url: database.url, maxConnections: 4, statementTimeoutMs: 60_000, log: silentLog });
  const [first, other] = await Promise.all([node(db, clock), node(second.db, clock)]);
  async function organizationOf(name: string): Promise<string> {
    const now = clock.now();
    await db
      .insertInto("organizations")
      .values({ id: name, name, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return name;
  }

  return {
    ...first,
    database,
    other,
    async group(name, permissions, organization = "acme") {
      const organizationId = organization === null ? null : await organizationOf(organization);
      return db.transaction().execute((trx) => first.users.createGroup(trx, { name, permissions, organizationId }));
    },
    async person(name, groupIds, more = {}) {
      const email = `${name}@example.org`;
      const id = await db
        .transaction()
        .execute((trx) => first.users.createUser(trx, { email, name, password: PASSWORD, groupIds, ...more }));
      return { id, email, token: await first.login(email) };
    },
    async actionsOn(targetId) {
      const rows = await db
        .selectFrom("audit_log")
        .select("action")
        .where("target_id", "=", targetId)
        .orderBy("id")
        .execute();
      return rows.map(({ action }) => action);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([first.server.close(), other.server.close()]);
      await second[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function node(db: Db, clock: Clock): Promise<ServiceNode & { readonly server: HttpServer }> {
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const audit = createAuditService({ db, clock });
  const users = createUserService({ db, clock, identity, audit });
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { audit: auditContract, users: usersContract },
    handlers: { audit: auditHandlers(audit), users: usersHandlers(users) },
    db,
    identity,
    pipelines: { accept: unused, retrieve: unused },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  return {
    server,
    users,
    async post(token, path, body = {}) {
      const answer = await server.app.inject({
        method: "POST",
        url: path,
        headers: {
          "content-type": "application/json",
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        payload: JSON.stringify(body),
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    async login(email, password = PASSWORD) {
      const outcome = await identity.builtIn?.login({ username: email, password, address: "::1" });
      return outcome?.kind === "granted" ? outcome.token : `${outcome?.kind}`;
    },
  };
}

async function unused(): Promise<never> {
  throw new Error("users have no pipelines");
}
