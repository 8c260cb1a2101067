import { createHttpServer } from "../../http/server.ts";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { systemClock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createAuditService } from "../audit/service.ts";
import { createUserService } from "../users/service.ts";
import { geojsonContract } from "@swath/contract/features/geojson/contract";
import { geojsonHandlers } from "./handlers.ts";
import { createGeojsonService, type GeojsonService } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

export interface Account {
  readonly token: string;
  readonly caller: Caller;
}

/** The feature behind a real server and database. */
export interface GeojsonBench extends AsyncDisposable {
  readonly db: Db;
  readonly service: GeojsonService;
  addUser(email: string, permissions?: readonly string[]): Promise<Account>;
  /** A text is sent as it is. */
  post(path: string, body: unknown, token?: string): Promise<Answer>;
}

const PASSWORD = "correct horse battery";

export async function geojsonBench(): Promise<GeojsonBench> {
  const database = await testDatabase();
  const { db } = database;
  const clock = systemClock;
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const service = createGeojsonService({ db, clock });
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { geojson: geojsonContract },
    handlers: { geojson: geojsonHandlers(service) },
    db,
    identity,
    pipelines: {
      accept: () => Promise.reject(new Error("no pipelines here")),
      retrieve: () => Promise.reject(new Error("no pipelines here")),
    },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
    clock,
    log: silentLog,
  });
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  return {
    db,
    service,
    async addUser(email, permissions = ["geojson"]) {
      await db.transaction().execute(async (trx) => {
        const groupId = await users.createGroup(trx, { name: `group of ${email}`, permissions });
        return users.createUser(trx, { email, name: email, password: PASSWORD, groupIds: [groupId] });
      });
      const login = await identity.builtIn?.login({ username: email, password: PASSWORD, address: "::1" });
      if (login?.kind !== "granted") throw new Error(`${email} cannot log in`);
      return { token: login.token, caller: await identity.authenticateToken(login.token) };
    },
    async post(path, body, token) {
      const answer = await fetch(address + path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: {
          "content-type": "application/json",
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
      });
      const text = await answer.text();
      return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
