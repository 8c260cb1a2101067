import { isGranted, grants } from "@swath/kernel/permissions/permission";
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import type { TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { createActors } from "./access-actors.ts";
import type { Actor, Actors } from "./access-actors.ts";
import { contractRoutes } from "./access-routes.ts";
import type { Example, Route } from "./access-routes.ts";
import type { Schema } from "./example-request.ts";
import { ServiceProcess } from "./service-process.ts";
import { wholeText } from "./whole-text.ts";

/*
 * Every route of the contract asked by everybody there is. Nothing here names an operation: who may call, with
 * which permissions, and with what request, all follow from the declarations, so that a new operation is covered
 * on the day it is declared. The owner's data carry marks that nobody else may ever be shown.
 */

/** In everything that the owner makes. */
const MADE = "canarymade";
/** In the owner's own name and e-mail and the name of its group. */
const SELF = "canaryself";
/** In results that the owner's group may see. */
const SHARED = "canaryshared";
const MARKS = [MADE, SELF, SHARED] as const;
const DECOY = "somewhere.else";
/** Features whose data belong to whoever has the permission, not to the user who wrote them. */
const COMMON: ReadonlySet<string> = new Set(["featureStore"]);
/** Features whose data belong to the group of the user who wrote them. */
const OF_GROUPS: ReadonlySet<string> = new Set(["datacube"]);

interface Answer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly text: string;
}

const routes = contractRoutes();

describe("every operation and every caller", () => {
  const stack = new AsyncDisposableStack();
  let database: TestDatabase;
  let service: ServiceProcess;
  let actors: Actors;
  let owner: Actor;
  let colleague: Actor;
  let stranger: Actor;
  let blocked: Actor;
  /** Identifiers seen in answers to the owner, by name of the member, and by feature and name. */
  const harvest = new Map<string, string>();
  const asked = new Map<string, number>();

  before(async () => {
    database = stack.use(await testDatabase());
    // Without a worker nothing runs but what is asked for here.
    service = stack.use(await ServiceProcess.start({ DATABASE_URL: database.url, SWATH_ROLES: "api" }));
    actors = createActors(database, service.baseUrl);
    const home = await actors.group(`group ${SELF}`);
    const away = await actors.group("group of strangers");
    owner = await actors.user(`owner-${SELF}`, home);
    colleague = await actors.user("colleague", home);
    stranger = await actors.user("stranger", away);
    blocked = await actors.user("blocked", away);
    await actors.key(owner, `key ${MADE}`, [DECOY]);
  });
  after(() => stack.disposeAsync());

  async function ask(caller: string, route: Route, example: Example, token: string | null): Promise<Answer> {
    asked.set(caller, (asked.get(caller) ?? 0) + 1);
    const response = await fetch(`${service.baseUrl}${example.url}`, {
      method: route.method,
      headers: {
        ...(example.body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(example.body === undefined ? {} : { body: JSON.stringify(example.body) }),
    });
    const text = await wholeText(response);
    const body = jsonOf(text);
    const { status } = response;
    const answer = { status, code: textMember(body, "error"), message: textMember(body, "errorMessage"), text };
    assert.ok(status < 500 || status === 503, `${caller}: ${route.path} is ${status} ${text}`);
    return answer;
  }

  /** Requests for what belongs to the owner: every member that names something names something of the owner's. */
  async function aimed(route: Route): Promise<Example> {
    const pipelineId = await actors.pipeline(route.retrieves ?? "/imagery/search", owner, { shared: SHARED });
    const member = (name: string, schema: Schema): unknown =>
      name === "pipelineId" ? pipelineId : (identifierOf(route, name, schema) ?? mapTypeOnly(name));
    return route.example({ text: "plain", full: false, member });
  }

  function identifierOf(route: Route, name: string, schema: Schema): unknown {
    if (name === "userId") return owner.id;
    if (name === "groupId") return owner.groupId;
    if (name === "email") return owner.email;
    const known = (one: string): string | undefined => harvest.get(`${route.feature} ${one}`) ?? harvest.get(one);
    if (/(?:^id|Id)$/.test(name)) return known(name);
    const singular = /(?:^id|Id)s$/.test(name) && schema["type"] === "array" ? known(name.slice(0, -1)) : undefined;
    return singular === undefined ? undefined : [singular];
  }

  test("the owner is admitted to everything with exactly the permissions of the declaration", async () => {
    for (const route of routes) {
      for (const full of [false, true]) {
        const example = route.example({ text: MADE, full, member: mapTypeOnly });
        if (full && !example.fits) continue;
        const token = await actors.token(owner, example.required);
        const answer = await ask("right permission", route, example, token);
        assertAdmitted(answer, route, example, route.path);
        if (answer.status === 200) gather(route, jsonOf(answer.text));
      }
    }
    assert.ok(harvest.size > 10, `only ${harvest.size} identifiers were seen`);
  });

  test("without a token, and with a forged one, only what is declared open answers", async () => {
    for (const route of routes) {
      const example = await aimed(route);
      const answer = await ask("no token", route, example, null);
      if (route.access === "bearer" || route.access === "user") {
        assertRefused(answer, 401, "INVALID-AUTHORIZATION-HEADER", /Authorization: Bearer/, route.path);
      } else if (route.access === "optional" && example.required.length > 0) {
        assertRefused(answer, 401, "NOT-AUTHORIZED", /^This needs the permission /, route.path);
      } else {
        assertAdmitted(answer, route, example, route.path);
        assertNothingShown(answer, example, MARKS, route.path);
      }
      const token = forged(await actors.token(owner, example.required));
      const withForged = await ask("forged token", route, example, token);
      if (route.access === "public") assert.equal(withForged.status, answer.status, route.path);
      else assertRefused(withForged, 401, "INVALID-JWT", /./, route.path);
    }
  });

  test("each permission of the declaration is needed, and the first that is missing is named", async () => {
    const everything = [...new Set(routes.flatMap(({ permissions }) => permissions))];
    for (const route of routes) {
      for (const example of examples(route)) {
        const { required } = example;
        for (const missing of required) {
          const decoys = [
            ...everything,
            ...required,
            `${missing}.x`,
            missing.slice(0, -1),
            missing.toUpperCase(),
            DECOY,
          ];
          const held = decoys.filter((one) => one !== "" && !grants(one, missing));
          const first = required.find((one) => !isGranted(new Set(held), one)) ?? missing;
          const answer = await ask("wrong permission", route, example, await actors.token(stranger, held));
          const naming = new RegExp(`^This needs the permission ${first.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
          if (route.access !== "public") assertRefused(answer, 401, "NOT-AUTHORIZED", naming, route.path);
        }
        if (required.length > 0) continue;
        const answer = await ask("wrong permission", route, example, await actors.token(stranger, [DECOY]));
        assertAdmitted(answer, route, example, route.path);
        assertNothingShown(answer, example, MARKS, route.path);
      }
    }
  });

  for (const { who, actorOf, marks } of [
    { who: "other user", actorOf: () => colleague, marks: [MADE] },
    { who: "other group", actorOf: () => stranger, marks: MARKS },
  ]) {
    test(`with the rights for its own, the ${who} is shown nothing of the owner's and removes nothing`, async () => {
      const owned = await actors.belongings(owner);
      assert.ok((owned.get("api_keys") ?? 0) > 0);
      for (const route of routes.filter((one) => !isAdministrative(one))) await attack(route, false);
      for (const [table, rows] of await actors.belongings(owner)) {
        const formerly = owned.get(table) ?? 0;
        assert.ok(rows >= formerly, `${table}: ${rows} rows of the owner's, ${formerly} before`);
      }
      // Administrators see and change what is others'; that they need the right for it is seen here too.
      for (const route of routes.filter(isAdministrative)) await attack(route, true);

      async function attack(route: Route, administrative: boolean): Promise<void> {
        const held = plain(route).required;
        const example = await aimed(route);
        await actors.token(owner, held);
        const answer = await ask(who, route, example, await actors.token(actorOf(), held));
        const missing = example.required.find((one) => !isGranted(new Set(held), one));
        if (missing !== undefined) {
          assertRefused(answer, 401, "NOT-AUTHORIZED", /^This needs the permission /, route.path);
        } else if (route.retrieves !== null && who === "other group") {
          assertRefused(answer, 404, "NON-EXISTENT-PIPELINE", /./, route.path);
        } else if (who === "other user" && OF_GROUPS.has(route.feature)) {
          return;
        } else if (!administrative && !COMMON.has(route.feature)) {
          assertNothingShown(answer, example, marks, route.path);
        }
      }
    });
  }

  test("an API key does what key and owner both may, and is 403 where a user's token is needed", async () => {
    for (const route of routes) {
      for (const example of examples(route)) {
        await actors.token(owner, example.required);
        const key = await actors.key(owner, "all of it", [...example.required, DECOY]);
        const answer = await ask("API key", route, example, key);
        if (route.access === "user") {
          assertRefused(answer, 403, "API-KEY-AUTHORIZATION-NOT-PERMITTED", /user's token/, route.path);
          continue;
        }
        assertAdmitted(answer, route, example, route.path);
        if (route.access === "public" || example.required.length === 0) continue;
        const narrow = await actors.key(owner, "too narrow", [DECOY]);
        const refusals = [await ask("API key", route, example, narrow)];
        await actors.token(owner, [DECOY]);
        refusals.push(await ask("API key", route, example, key));
        for (const refusal of refusals) {
          assertRefused(refusal, 401, "NOT-AUTHORIZED", /^This needs the permission /, route.path);
        }
      }
    }
  });

  test("a blocked user's token and key are worth less than none", async () => {
    for (const route of routes) {
      const example = await aimed(route);
      const token = await actors.token(blocked, example.required, { blocked: true });
      const key = await actors.key(blocked, "of a blocked user", [...example.required, DECOY]);
      for (const credential of [token, key]) {
        const answer = await ask("blocked user", route, example, credential);
        if (route.access === "public") assertNothingShown(answer, example, MARKS, route.path);
        else assertRefused(answer, 401, "NOT-AUTHORIZED", /blocked/, route.path);
      }
    }
  });

  test("the table is whole", (t) => {
    const callers = [...asked].map(([caller, requests]) => `${caller} ${requests}`).join(", ");
    const fitting = routes.filter((route) => plain(route).fits).length;
    const requests = [...asked.values()].reduce((sum, one) => sum + one, 0);
    t.diagnostic(`${routes.length} operations x ${asked.size} callers, ${requests} requests: ${callers}`);
    t.diagnostic(
      `${fitting} of ${routes.length} requests fit their schema; of the others only static rights are known`,
    );
    assert.equal(asked.size, 8);
    assert.ok(fitting >= 0.9 * routes.length, `${fitting} of ${routes.length} example requests fit their schema`);
  });

  /** Remembers identifiers in an answer: what is called `id` or `…Id`, an `id` also by the words of the path. */
  function gather({ feature, path }: Route, value: unknown): void {
    const remember = (name: string, id: string): void => {
      harvest.set(`${feature} ${name}`, id);
      harvest.set(name, id);
    };
    const visit = (part: unknown, top: boolean): void => {
      if (Array.isArray(part)) for (const item of part.slice(0, 20)) visit(item, top);
      else if (typeof part === "object" && part !== null) {
        for (const [name, member] of Object.entries(part)) {
          if (typeof member !== "string" || !/(?:^id|Id)$/.test(name)) visit(member, false);
          else {
            remember(name, member);
            if (top && name === "id") for (const word of path.split("/")) remember(`${word}Id`, member);
          }
        }
      }
    };
    visit(value, true);
  }
});

/** An error answer of these and no other kind, which shows nothing of the owner. */
function assertRefused(answer: Answer, status: number, code: string, message: RegExp, where: string): void {
  assert.deepEqual([answer.status, answer.code], [status, code], `${where}: ${answer.text.slice(0, 300)}`);
  assert.match(answer.message, message, where);
  assertNothingShown(answer, {}, MARKS, where);
}

function isAdministrative(route: Route): boolean {
  return plain(route).required.some((one) => grants("admin", one));
}

function plain(route: Route, full = false): Example {
  return route.example({ text: "plain", full, member: mapTypeOnly });
}

/** The smallest request, and the one with everything where that needs more permissions. */
function examples(route: Route): Example[] {
  const least = plain(route);
  const most = plain(route, true);
  return most.fits && most.required.length > least.required.length ? [least, most] : [least];
}

/** A map type that exists: an unknown one is no fault of the caller's rights. */
function mapTypeOnly(name: string): unknown {
  return name === "mapType" ? "ndvi" : undefined;
}

/** Not turned away for who asks: what the operation itself says of such a request is another matter. */
function assertAdmitted(answer: Answer, route: Route, { required }: Example, where: string): void {
  const told = `${where}: ${answer.status} ${answer.text.slice(0, 300)}`;
  assert.notEqual(answer.status, 403, told);
  if (answer.status !== 401 || route.errors.includes(answer.code)) return;
  assert.equal(answer.code, "NOT-AUTHORIZED", told);
  // The operation may ask for more, by what it finds; never for what is declared and held.
  const named = /^This needs the permission (.+)$/.exec(answer.message)?.[1];
  assert.doesNotMatch(answer.message, /Authorization: Bearer|blocked|not known here/, told);
  assert.ok(named === undefined || !isGranted(new Set(required), named), told);
}

/** No mark of the owner's in the answer, but for what the request itself has said. */
function assertNothingShown(
  answer: Answer,
  request: { readonly body?: unknown; readonly url?: string },
  marks: readonly string[],
  where: string,
): void {
  let text = answer.text;
  for (const sent of textsIn([request.body, decodeURIComponent(request.url ?? "")])) {
    if (sent !== "") text = text.replaceAll(sent, "");
  }
  for (const mark of marks) assert.ok(!text.includes(mark), `${where} shows ${mark}: ${text.slice(0, 500)}`);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** The token with another subject and the signature it had. */
function forged(token: string): string {
  const [head = "", body = "", signature = ""] = token.split(".");
  const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
  const other = typeof claims === "object" ? { ...claims, email: "forged@example.org" } : {};
  return [head, Buffer.from(JSON.stringify(other)).toString("base64url"), signature].join(".");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function textMember(body: unknown, name: string): string {
  if (typeof body !== "object" || body === null) return "";
  const value: unknown = Reflect.get(body, name);
  return typeof value === "string" ? value : "";
}
