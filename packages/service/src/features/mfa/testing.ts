import { randomBytes } from "node:crypto";
import { TOTP } from "otpauth";
import { DEFAULT_HTTP_CONFIG, type HttpConfig } from "../../http/http-config.ts";
import { nothingSeen, sampleContract, sampleHandlers } from "../../http/sample-contract.ts";
import { createHttpServer, type HttpServer } from "../../http/server.ts";
import type { Clock } from "@swath/base/clock";
import { createIdentity, type Identity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { createLoginThrottle } from "../../platform/identity/login-throttle.ts";
import { createSecondFactor, type SecondFactor } from "../../platform/identity/second-factor.ts";
import { silentLog } from "@swath/base/log/log";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { apiKeysContract } from "@swath/contract/features/api-keys/contract";
import { apiKeysHandlers } from "../api-keys/handlers.ts";
import { createApiKeyService } from "../api-keys/service.ts";
import { createAuditService } from "../audit/service.ts";
import { sessionsHandlers } from "../sessions/handlers.ts";
import { createSessionService } from "../sessions/service.ts";
import { createUserService } from "../users/service.ts";
import { sessionsContract } from "@swath/contract/features/sessions/contract";
import { mfaContract } from "@swath/contract/features/mfa/contract";
import { mfaHandlers } from "./handlers.ts";
import { createMfaService } from "./service.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";

export const PASSWORD = "correct horse battery";
const STEP_MS = 30_000;

/** A clock that stands still until it is moved. */
class MovableClock implements Clock {
  nowMs = Date.parse("2026-05-01T00:00:10Z");
  now(): Date {
    return new Date(this.nowMs);
  }
}

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever JSON was answered
  readonly body: any;
  readonly retryAfter: string | undefined;
  readonly headers: Readonly<Record<string, number | string | string[] | undefined>>;
}

/** The operations of credentials and the sample contract over HTTP, with a clock of its own. */
export interface CredentialWorld extends AsyncDisposable {
  readonly database: TestDatabase;
  readonly clock: MovableClock;
  readonly identity: Identity;
  readonly secondFactor: SecondFactor;
  readonly server: HttpServer;
  addUser(name: string, permissions: readonly string[]): Promise<string>;
  /** @param body JSON, or a form as `URLSearchParams` */
  post(url: string, body: object, bearer?: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** First leg with the password of all users. */
  login(name: string, leg?: string): Promise<Reply>;
  /** A token of a user without a second factor. */
  token(name: string): Promise<string>;
  /** Enrols and returns what makes codes. */
  enrol(token: string): Promise<{ readonly code: (offsetSteps?: number) => string; readonly recoveryCodes: string[] }>;
  /** Actions of the audit log, oldest first. */
  actions(): Promise<string[]>;
}

/** Makes codes of a secret by a clock. */
export function codesOf(secret: string, clock: Clock): (offsetSteps?: number) => string {
  const totp = new TOTP({ secret });
  return (offsetSteps = 0) => totp.generate({ timestamp: clock.now().getTime() + offsetSteps * STEP_MS });
}

export async function credentialWorld(config: Partial<HttpConfig> = {}): Promise<CredentialWorld> {
  const database = await testDatabase();
  const { db } = database;
  const clock = new MovableClock();
  const audit = createAuditService({ db, clock });
  const secondFactor = createSecondFactor({
    db,
    clock,
    key: randomBytes(32),
    throttle: createLoginThrottle({ db, clock }),
    record: (trx, { action, userId, actor }) =>
      audit.record(trx, { actor, action, target: { kind: "user", id: userId } }),
  });
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY, secondFactor });
  const users = createUserService({ db, clock, identity, audit });
  const server = await createHttpServer({
    storage: ampleStorage(),
    contract: { ...sampleContract, apiKeys: apiKeysContract, mfa: mfaContract, sessions: sessionsContract },
    handlers: {
      ...sampleHandlers(nothingSeen()),
      apiKeys: apiKeysHandlers(createApiKeyService({ db, clock, audit, users })),
      mfa: mfaHandlers(createMfaService({ db, secondFactor, builtIn: true, users })),
      sessions: sessionsHandlers(createSessionService({ db, clock, audit, users })),
    },
    db,
    identity,
    pipelines: {
      accept: async () => ({ pipelineId: "0".repeat(20), nextTry: 1 }),
      retrieve: async () => ({ sum: 0 }),
    },
    config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true, ...config },
    clock,
    log: silentLog,
  });

  const post: CredentialWorld["post"] = async (url, body, bearer, headers = {}) => {
    const answer = await server.app.inject({
      method: "POST",
      url,
      payload: body instanceof URLSearchParams ? body.toString() : body,
      headers: {
        ...headers,
        ...(body instanceof URLSearchParams ? { "content-type": "application/x-www-form-urlencoded" } : {}),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
    });
    const retryAfter = answer.headers["retry-after"];
    return {
      status: answer.statusCode,
      body: answer.body === "" ? null : answer.json(),
      headers: answer.headers,
      retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
    };
  };
  const login: CredentialWorld["login"] = (name, leg = "/oauth2/token") =>
    post(leg, { username: `${name}@example.org`, password: PASSWORD, grant_type: "password" });

  return {
    database,
    clock,
    identity,
    secondFactor,
    server,
    post,
    login,
    addUser: (name, permissions) =>
      db.transaction().execute(async (trx) => {
        const groupId = await users.createGroup(trx, { name: `group of ${name}`, permissions });
        const email = `${name}@example.org`;
        return users.createUser(trx, { email, name, password: PASSWORD, groupIds: [groupId] });
      }),
    async token(name) {
      const { status, body } = await login(name);
      if (status !== 200) throw new Error(`${name} cannot log in: ${JSON.stringify(body)}`);
      return body.access_token;
    },
    async enrol(token) {
      const { body } = await post("/user/mfa/enroll", {}, token);
      const code = codesOf(body.secret, clock);
      const confirmed = await post("/user/mfa/confirm", { code: code() }, token);
      if (confirmed.status !== 200) throw new Error(`not enrolled: ${JSON.stringify(confirmed.body)}`);
      clock.nowMs += STEP_MS;
      return { code, recoveryCodes: body.recoveryCodes };
    },
    async actions() {
      const rows = await db.selectFrom("audit_log").select("action").orderBy("id").execute();
      return rows.map(({ action }) => action);
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await database[Symbol.asyncDispose]();
    },
  };
}
