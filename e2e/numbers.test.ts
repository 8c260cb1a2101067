import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { contract } from "../packages/contract/src/contract.ts";
import type { Declaration } from "../packages/contract/src/kit/contract.ts";
import { declaredPermissions } from "../packages/contract/src/kit/declared-permissions.ts";
import { RetrieveRequest } from "../packages/contract/src/kit/pipeline-routes.ts";
import { testDatabase, type TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { createActors, type Actor } from "./access-actors.ts";
import type { ExampleOptions, Schema } from "./example-request.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { numberSites, type NumberSite } from "./number-sites.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { wholeText } from "./whole-text.ts";

/*
 * Every number of every request schema, with values that no client means: fractions, signs, magnitudes and the
 * neighbours of each bound. The service may take or refuse them, but it must never fail.
 */

/** Stands for the number until the request is text: -0 and 2^53 + 1 are no values of JavaScript. */
const MARK = "@number@";
/** JSON texts of numbers that any schema meets. */
const ANYWHERE =
  "0 -0 -1 0.5 -0.5 0.0005 1.0 1e-320 2147483648 4294967296 9007199254740991 9007199254740993 9223372036854775808 -9223372036854775809 1e308 -1e308 1e400".split(
    " ",
  );
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;
const AT_ONCE = 8;
/** A request that waits has passed all checks by then. */
const HELD_MS = 500;

interface Case {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly about: string;
  readonly site: NumberSite;
}

/** Values around the bounds of the number, and those that any schema meets. */
function textsFor({ schema }: NumberSite): readonly string[] {
  const bounds = BOUNDS.map((name) => schema[name]).filter((bound) => typeof bound === "number");
  const around = bounds.flatMap((bound) => [bound - 1, bound - 0.5, bound, bound + 0.5, bound + 1].map(String));
  return [...new Set([...ANYWHERE, ...around])];
}

function casesOf(declaration: Declaration, options: ExampleOptions): readonly Case[] {
  const { kind, path } = declaration;
  if (kind === "file") {
    return casesOfRoute(declaration.method, path, merged(declaration.params, declaration.query), options);
  }
  if (kind === "operation") return casesOfRoute(declaration.method, path, declaration.request, options);
  return [
    ...casesOfRoute("POST", `${path}/initiate`, declaration.request, options),
    ...casesOfRoute("POST", `${path}/retrieve`, { ...RetrieveRequest }, options),
  ];
}

function merged(...schemas: readonly Schema[]): Schema {
  return {
    type: "object",
    properties: Object.assign({}, ...schemas.map((schema) => schema["properties"])),
    required: schemas.flatMap((schema) => schema["required"] ?? []),
  };
}

function casesOfRoute(method: string, path: string, schema: Schema, options: ExampleOptions): readonly Case[] {
  return numberSites(schema, options, COAST_AREA).flatMap((site) =>
    textsFor(site).map((text) => caseOf(method, path, site, text)),
  );
}

function caseOf(method: string, path: string, site: NumberSite, text: string): Case {
  const request = Object.entries(site.request(MARK) as object);
  const about = `${method} ${path} with ${text} at ${site.pointer}`;
  const inPath = new Set(Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name));
  const given = new Map<string, unknown>(request);
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => urlText(given.get(name), text));
  const others = request.filter(([name]) => !inPath.has(name));
  if (method === "POST") {
    const body = JSON.stringify(Object.fromEntries(others)).replaceAll(`"${MARK}"`, text);
    return { method, url: filled, body, about, site };
  }
  const query = others.map(([name, value]) => `${name}=${urlText(value, text)}`).join("&");
  return { method, url: query === "" ? filled : `${filled}?${query}`, body: null, about, site };
}

function urlText(value: unknown, text: string): string {
  return encodeURIComponent(value === MARK ? text : String(value));
}

/** The demonstration user, whose group has credit. */
async function demoActor({ db }: TestDatabase): Promise<Actor> {
  const { rows } = await sql<Actor>`
    select u.id, u.email, m.group_id as "groupId" from users u join group_members m on m.user_id = u.id
    where u.email = ${DEMO.email}`.execute(db);
  const [actor] = rows;
  assert.ok(actor !== undefined);
  return actor;
}

/** A pipeline that never ends: another process seems to run it. */
async function runningPipeline({ db }: TestDatabase, { groupId, id }: Actor): Promise<{ readonly pipelineId: string }> {
  const pipelineId = "0123456789abcdefghij";
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url, worker, claimable_at)
    values (${pipelineId}, '/imagery/search', 'PROCESSING', '{}', '{}', ${id}, ${groupId}, '', 'elsewhere',
      now() + interval '1 day')`.execute(db);
  return { pipelineId };
}

describe("numbers of requests", () => {
  const stack = new AsyncDisposableStack();
  let database: TestDatabase;
  let service: ServiceProcess;
  let client: RawClient;
  /** Values of members that exist, by name: the request is refused for its number or not at all. */
  let known: Readonly<Record<string, unknown>>;

  before(async () => {
    database = stack.use(await testDatabase());
    service = stack.use(await ServiceProcess.start({ DATABASE_URL: database.url, SWATH_PIPELINES: "1" }));
    stack.defer(async () => service.kill());
    const actors = createActors(database, service.baseUrl);
    const caller = await demoActor(database);
    client = new RawClient(service.baseUrl, await actors.token(caller, declaredPermissions(contract)));
    const sceneId = await ingestCoast(client);
    const release = { mapTypes: ["ndvi"], sceneIds: [sceneId], extent: COAST_AREA };
    await client.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    const { body } = await client.run("/mapsvc/release", release);
    assert.ok(Array.isArray(body.maps), JSON.stringify(body));
    const [{ mapId, tiles }] = body.maps;
    const [[z, x, y]] = tiles;
    const { pipelineId } = await runningPipeline(database, caller);
    known = {
      ...release,
      sceneId,
      mapType: "ndvi",
      mapId,
      map_id: mapId,
      geometry_id: "-",
      file_name: "ndvi.png",
      z,
      x,
      y,
      datasets: [{ provider: "local", dataset: "uploads" }],
      groupId: caller.groupId,
      userId: caller.id,
      pipelineId,
      endDatetime: "2024-06-01T00:00:00Z",
      dryRuns: [{ mapTypes: ["ndvi"], scenes: [[sceneId]] }],
      permissions: ["imagery.availability"],
      geojson: COAST_AREA,
    };
  });
  after(() => stack.disposeAsync());

  function cases(): readonly Case[] {
    const options: ExampleOptions = { text: "abc", full: false, member: (name) => known[name] };
    return Object.values(contract).flatMap((feature) =>
      Object.values<Declaration>(feature).flatMap((declaration) => casesOf(declaration, options)),
    );
  }

  /** The failure; null for any answer, and for none while the request waits for its pipeline. */
  async function ask(one: Case): Promise<string | null> {
    if (!one.about.includes("/waitSeconds")) return await failureOf(one);
    const held = new AbortController();
    const failure = await Promise.race([failureOf(one, held.signal).catch(() => null), sleep(HELD_MS)]);
    held.abort();
    return failure ?? null;
  }

  async function failureOf({ about, body, method, url }: Case, signal?: AbortSignal): Promise<string | null> {
    const response = await fetch(`${service.baseUrl}${url}`, {
      method,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        Authorization: `Bearer ${client.token}`,
        ...(body === null ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === null ? {} : { body }),
    });
    const answer = await wholeText(response);
    return response.status >= 500 ? `${about}: ${response.status} ${answer.slice(0, 200)}` : null;
  }

  test("every number of every request has a least and a greatest value", () => {
    const unbounded = cases().flatMap(({ about, site: { schema } }) => {
      const isNumber = ["number", "integer"].some((type) => [schema["type"]].flat().includes(type));
      const isBounded = BOUNDS.filter((name) => Number.isFinite(schema[name])).length === 2;
      return isNumber && !isBounded ? [about] : [];
    });
    assert.deepEqual(unbounded, []);
  });

  test("no value of any number of any schema makes the service fail", async () => {
    const asked = cases();
    assert.ok(asked.length > 1_000, `${asked.length} cases`);
    const failures: string[] = [];
    const queue = asked.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const one of queue) failures.push(...[await ask(one)].filter((failure) => failure !== null));
      }),
    );
    assert.deepEqual(failures, []);
    const { rows } = await sql<{ kind: string; errorMessage: string }>`
      select kind, error_message as "errorMessage" from pipelines where error_code = 'PROCESSING-ERROR' or failures > 0
    `.execute(database.db);
    assert.deepEqual(rows, [], "pipelines that a number has broken");
  });
});
