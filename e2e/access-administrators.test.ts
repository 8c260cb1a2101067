import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { contract } from "../packages/contract/src/contract.ts";
import type { Declaration } from "../packages/contract/src/kit/contract.ts";
import type { TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { createActors } from "./access-actors.ts";
import type { Actor, Actors } from "./access-actors.ts";
import { contractRoutes } from "./access-routes.ts";
import type { Route } from "./access-routes.ts";
import type { ExampleOptions } from "./example-request.ts";
import { ServiceProcess } from "./service-process.ts";
import { wholeText } from "./whole-text.ts";

/*
 * Every operation that names a user or a group, asked about an administrator. The caller is an operator with all
 * permissions except administration.
 */

/** The answers of the rule, of a change and of a new member of a group. */
const RULE = /^401 .*(?:Only administrators change administrators|The group gives the permission admin,)/;

/** Every permission but administration itself. */
const HELD = Object.values(contract)
  .flatMap((declarations) => Object.values<Declaration>(declarations))
  .flatMap((one) => [
    ...one.permissions,
    ...(one.conditionalPermissions ?? []),
    ...(one.kind === "pipeline" ? one.retrievePermissions : []),
  ])
  .filter((permission) => permission !== "admin" && !permission.includes("<"));

/** Members by which requests name users and groups, one or with an s several. */
const NAMING: readonly string[] = ["userId", "groupId", "email"];

const READS = "reads";
const MONEY = "changes credit or prices, for which there are rights";

/** Operations that name users or groups and do not meet the rule, with the reason. */
const FREE: Readonly<Record<string, string>> = {
  "POST /analytics/analysis/list": READS,
  "POST /user/api-key/list": READS,
  "POST /credits/grant": MONEY,
  "POST /credits/grants/list": READS,
  "POST /credits/price-rules/list": READS,
  "POST /credits/price-rules/create": MONEY,
  "POST /credits/group/list-allocations": READS,
  "POST /credits/group/list-transactions": READS,
  "POST /credits/user/list-transactions": READS,
  "POST /credits/usage/export": READS,
  "GET /credits/usage/files/:fileName": READS,
  "POST /credits/invoice": READS,
  "GET /credits/invoices/files/:fileName": READS,
  "POST /credits/area/check-geojson": READS,
  "POST /credits/user/info": READS,
  "POST /imagery/scene/list": READS,
  "POST /imagery/scene/set-visibility": "changes a scene",
  "POST /user/session/list": READS,
  "POST /scene-tasking/contracts/set": MONEY,
  "POST /group/info": READS,
  "POST /user/info": READS,
  "POST /user/managed-user/create": "makes another user, in the group of the caller",
  "POST /user/list": READS,
};

describe("an operator without administration against an administrator", () => {
  const stack = new AsyncDisposableStack();
  let database: TestDatabase;
  let service: ServiceProcess;
  let actors: Actors;
  let operator: Actor;
  let administrator: Actor;
  let keyId: string;
  let token: string;

  before(async () => {
    database = stack.use(await testDatabase());
    service = stack.use(await ServiceProcess.start({ DATABASE_URL: database.url, SWATH_ROLES: "api" }));
    actors = createActors(database, service.baseUrl);
    operator = await actors.user("operator", await actors.group("operators"));
    administrator = await actors.user("administrator", await actors.group("administrators"));
    await actors.token(administrator, ["admin"]);
    await actors.key(administrator, "key of the administrator", ["imagery"]);
    const { db } = database;
    await sql`update groups set permissions = ${["admin"]}::text[] where id = ${administrator.groupId}`.execute(db);
    const { rows } = await sql<{ id: string }>`
      select id from api_keys where user_id = ${administrator.id}`.execute(db);
    keyId = rows[0]?.id ?? "";
    // Of one organisation: the rights of the operator reach the group of the administrator.
    await sql`insert into organizations (id, name, created_at, updated_at) values ('one', 'one', now(), now())`.execute(
      db,
    );
    await sql`update groups set organization_id = 'one' where id in (${operator.groupId}, ${administrator.groupId})`.execute(
      db,
    );
    token = `Bearer ${await actors.token(operator, [...new Set(HELD)])}`;
  });
  after(() => stack.disposeAsync());

  /** Rows of the administrator and its group. */
  async function state(): Promise<unknown> {
    const { id, groupId } = administrator;
    const { rows } = await sql`
      select (select to_jsonb(u) from users u where id = ${id}) as user,
        (select to_jsonb(g) from groups g where id = ${groupId}) as group,
        (select jsonb_agg(to_jsonb(m)) from group_members m where user_id = ${id} or group_id = ${groupId}) as members,
        (select jsonb_agg(to_jsonb(k)) from api_keys k where user_id = ${id}) as keys,
        (select jsonb_agg(to_jsonb(f)) from second_factors f where user_id = ${id}) as factors`.execute(database.db);
    return rows[0];
  }

  async function ask(route: Route, named: readonly string[]): Promise<string> {
    const { id: userId, groupId, email } = administrator;
    const identities: Readonly<Record<string, string>> = { userId, groupId, email };
    const member: ExampleOptions["member"] = (name, schema) => {
      if (named.includes(name)) return identities[name];
      if (name === "id" && route.feature === "apiKeys") return keyId;
      const [plural = ""] = /^\w+(?=s$)/.exec(name) ?? [];
      return schema["type"] === "array" && named.includes(plural) ? [identities[plural]] : undefined;
    };
    const example = route.example({ text: "plain", full: false, member });
    const response = await fetch(`${service.baseUrl}${example.url}`, {
      method: route.method,
      headers: { ...(example.body === undefined ? {} : { "Content-Type": "application/json" }), Authorization: token },
      ...(example.body === undefined ? {} : { body: JSON.stringify(example.body) }),
    });
    return `${response.status} ${await wholeText(response)}`;
  }

  test("is refused every change, by the one rule for administrators", async () => {
    const free: string[] = [];
    const changing: string[] = [];
    for (const route of contractRoutes()) {
      const named = NAMING.filter((name) => name in route.members || `${name}s` in route.members);
      if (named.length === 0) continue;
      let isRefused = false;
      for (const names of [named, ...(named.length === 1 ? [] : named.map((name) => [name]))]) {
        const formerly = JSON.stringify(await state());
        const told = await ask(route, names);
        if (JSON.stringify(await state()) !== formerly) changing.push(`${route.method} ${route.path}: ${told}`);
        isRefused ||= RULE.test(told);
      }
      if (!isRefused) free.push(`${route.method} ${route.path}`);
    }
    assert.deepEqual({ changing, free }, { changing: [], free: Object.keys(FREE) });
  });
});
