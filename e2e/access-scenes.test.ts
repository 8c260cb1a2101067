import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId, sceneIdPrefix } from "@swath/kernel/scenes/scene-id";
import { registerScene } from "../packages/service/src/features/imagery/register-scenes.ts";
import { groupKey } from "../packages/service/src/features/imagery/visibility.ts";
import { silentLog } from "@swath/base/log/log";
import { contract } from "../packages/contract/src/contract.ts";
import type { Declaration } from "../packages/contract/src/kit/contract.ts";
import type { Caller } from "../packages/service/src/platform/context.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import type { TestDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { createPipelineService } from "../packages/service/src/platform/queue/pipeline-service.ts";
import { openPipelineSignals } from "../packages/service/src/platform/queue/pipeline-signals.ts";
import type { PipelineSignals } from "../packages/service/src/platform/queue/pipeline-signals.ts";
import { createActors } from "./access-actors.ts";
import type { Actor, Actors } from "./access-actors.ts";
import { contractRoutes } from "./access-routes.ts";
import type { Example, Route } from "./access-routes.ts";
import { exampleOf } from "./example-request.ts";
import type { ExampleOptions, Schema } from "./example-request.ts";
import { itemFiles } from "./items-journey.ts";
import { RawClient } from "./raw-client.ts";
import { ServiceProcess } from "./service-process.ts";
import { wholeText } from "./whole-text.ts";

/*
 * Every operation that names a scene, asked with scenes that only one group sees. An operation counts as tested when
 * the owning group gets another answer than strangers: a request that is refused before the scene is looked up says
 * nothing. The operations without such a difference are listed, so that one more of them is seen.
 */

/** In all that the answers could tell about the private scenes. */
const MARK = "canaryscene";

/** Members by which requests name scenes. */
const SCENE_MEMBERS: ReadonlySet<string> = new Set(["ids", "itemId", "sceneId", "sceneIds", "scene_id", "scenes"]);

const AREA = [
  [14.3, 50],
  [14.5, 50],
  [14.5, 50.2],
  [14.3, 50.2],
  [14.3, 50],
] as [number, number][];

/** Rights that operations ask for by their findings. */
const HELD = ["imagery", "algorithms", "mapsvc", "store"];

const NEVER = new AbortController().signal;
const WITHIN_MS = 60_000;

/** Lanes of the pipelines, by path. */
const LANES = new Map(
  Object.values(contract)
    .flatMap((declarations) => Object.values<Declaration>(declarations))
    .flatMap((one) => (one.kind === "pipeline" ? [[one.path, one.lane] as const] : [])),
);

/** Members of a request that come from its path. */
const MEMBERS_OF_PATHS = { mapType: "ndvi" };

/** Operations that name scenes and whose answer does not depend on the rights to a scene, with the reason. */
const SILENT: Readonly<Record<string, string>> = {
  "GET /assets/:token/:sceneId/:fileName": "the signature of the address comes first",
  "POST /credits/group/list-allocations": "a filter of what the group has paid",
  "POST /credits/group/list-transactions": "a filter of what the group has paid",
  "POST /credits/user/list-transactions": "a filter of what the user has paid",
  "POST /datacube/datapoints/append": "a label of figures, which no scene need have",
  "PUT /stac/collections/:collectionId/items/:itemId": "only registered items, in registered-items.test.ts",
  "PATCH /stac/collections/:collectionId/items/:itemId": "only registered items, in registered-items.test.ts",
};

describe("every operation that names a scene", () => {
  const stack = new AsyncDisposableStack();
  let database: TestDatabase;
  let service: ServiceProcess;
  let signals: PipelineSignals;
  let actors: Actors;
  let owner: Actor;
  let colleague: Actor;
  let stranger: Actor;
  const analyses = new Map<Actor, string>();
  const naming = contractRoutes().filter(({ schemas }) => schemas.some(namesScene));

  before(async () => {
    database = stack.use(await testDatabase());
    // With hosts of files: without one no item is changed.
    const { catalogue } = stack.use(await itemFiles());
    service = stack.use(await ServiceProcess.start({ DATABASE_URL: database.url, SWATH_CATALOG: catalogue }));
    signals = stack.use(openPipelineSignals(database.url, silentLog));
    actors = createActors(database, service.baseUrl);
    const home = await actors.group("owning group");
    owner = await actors.user("owner", home);
    colleague = await actors.user("colleague", home);
    stranger = await actors.user("stranger", await actors.group("group of strangers"));
    for (const actor of [colleague, stranger]) analyses.set(actor, await analysisOf(actor));
  });
  after(() => stack.disposeAsync());

  async function analysisOf(actor: Actor): Promise<string> {
    const client = new RawClient(service.baseUrl, await actors.token(actor, ["analytics"]));
    const polygon = { type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [AREA] } };
    const analysis = { description: "", path: "a", polygon, task: [], tags: [] };
    const { body } = await client.post("/analytics/analysis/create-or-update", { analysis });
    assert.equal(typeof body.analysisId, "string", JSON.stringify(body));
    return body.analysisId;
  }

  /** The answer; of a pipeline that was accepted, its end. */
  async function ask(actor: Actor, route: Route, example: Example): Promise<string> {
    const token = await actors.token(actor, [...example.required, ...HELD]);
    const response = await fetch(`${service.baseUrl}${example.url}`, {
      method: route.method,
      headers: {
        ...(example.body === undefined ? {} : { "Content-Type": "application/json" }),
        Authorization: `Bearer ${token}`,
      },
      ...(example.body === undefined ? {} : { body: JSON.stringify(example.body) }),
    });
    const text = await wholeText(response);
    if (!response.ok || !route.path.endsWith("/initiate")) return `${response.status} ${text}`;
    const { pipelineId } = JSON.parse(text) as { readonly pipelineId: string };
    return await endOf(pipelineId);
  }

  async function endOf(pipelineId: string): Promise<string> {
    const { db } = database;
    await createPipelineService({ db, signals, retentionDays: 30 }).waitFor(pipelineId, NEVER, WITHIN_MS);
    const { rows } = await sql`
      select status, error_code, error_message, result from pipelines where id = ${pipelineId}`.execute(db);
    return JSON.stringify(rows[0]);
  }

  /** Answers to strangers about private scenes and about scenes that do not exist, and to colleagues. */
  async function answers(
    route: Route,
    name: string,
    told: (actor: Actor, example: Example) => Promise<string>,
  ): Promise<readonly [string, string, string]> {
    const hidden = await privateScenes(database, owner, name);
    const absent = hidden.map((id) => `${id}0`);
    const tell = async (actor: Actor, ids: readonly string[]): Promise<string> => {
      const member = memberOf(ids, analyses.get(actor) ?? "");
      const example = route.example({ text: "plain", full: false, member });
      assert.ok(example.fits, `${route.path}: ${JSON.stringify(example.body)}`);
      const text = await told(actor, example);
      const shown = [...absent, ...hidden].reduce((rest, id) => rest.replaceAll(id, "SCENE"), text);
      return shown.replaceAll(/"(?:expires|pipelineId|timeStamp|url)":"[^"]*"/g, "");
    };
    const toStranger = [await tell(stranger, hidden), await tell(stranger, absent)] as const;
    return [...toStranger, await tell(colleague, hidden)];
  }

  test("answers strangers about a private scene as if it did not exist, and the owning group otherwise", async () => {
    const telling: string[] = [];
    const silent: string[] = [];
    for (const [index, route] of naming.entries()) {
      const where = `${route.method} ${route.path}`;
      // Other scenes for every operation: one of them deletes its scene.
      const [toStranger, ofAbsent, toColleague] = await answers(route, `asked${index}`, (actor, example) =>
        ask(actor, route, example),
      );
      if (toStranger !== ofAbsent || toStranger.includes(MARK)) telling.push(`${where}: ${toStranger}`);
      if (toColleague === toStranger) silent.push(where);
    }
    assert.deepEqual({ telling, silent }, { telling: [], silent: Object.keys(SILENT) });
  });

  test("looks again when its pipeline runs: a scene that became private meanwhile does not exist", async () => {
    const { db } = database;
    const queue = createPipelineService({ db, signals, retentionDays: 30 });
    const telling: string[] = [];
    const silent: string[] = [];
    for (const [index, route] of naming.entries()) {
      const path = route.path.replace(/\/initiate$/, "");
      const lane = LANES.get(path);
      if (lane === undefined) continue;
      // As if the scenes were public at the acceptance.
      const run = async ({ id: userId, email, groupId }: Actor, { body, required }: Example): Promise<string> => {
        const permissions = new Set([...required, ...HELD]);
        const caller: Caller = { kind: "user", userId, groupId, email, permissions };
        const input = { kind: path, lane, request: { ...MEMBERS_OF_PATHS, ...(body as object) }, caller, baseUrl: "" };
        const { pipelineId } = await db.transaction().execute((trx) => queue.enqueue(trx, input));
        return await endOf(pipelineId);
      };
      const [toStranger, ofAbsent, toColleague] = await answers(route, `run${index}`, run);
      if (toStranger !== ofAbsent || toStranger.includes(MARK)) telling.push(`${path}: ${toStranger}`);
      if (toColleague === toStranger) silent.push(path);
    }
    assert.deepEqual({ telling, silent }, { telling: [], silent: [] });
  });
});

/** Whether a request of the schema names scenes, at any depth. */
function namesScene(schema: Schema): boolean {
  const visit = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(visit);
    if (typeof value !== "object" || value === null) return false;
    const { properties } = value as Schema;
    const named = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
    return named.some((name) => SCENE_MEMBERS.has(name)) || Object.values(value).some(visit);
  };
  return visit(schema);
}

/** Members that name the scenes, and those without which a request is refused before a scene is looked up. */
function memberOf(ids: readonly string[], analysisId: string): ExampleOptions["member"] {
  return (name, schema) => {
    if (name === "mapType") return "ndvi";
    if (name === "mapTypes") return ["ndvi"];
    if (name === "analysisId") return analysisId;
    if (name === "collectionId") return sceneIdPrefix("local", "uploads").slice(0, -1);
    // With too many pixels: the scene is looked up before its pixels are counted.
    if (name === "areas") return { type: "Polygon", coordinates: [AREA] };
    if (name === "extent") return exampleOf(schema, { text: "plain", full: false, member: () => undefined });
    if (!SCENE_MEMBERS.has(name)) return undefined;
    if (name === "scenes") return ids.map((id) => [id]);
    if (schema["type"] === "array") return ids;
    return name === "ids" ? ids.join(",") : ids[0];
  };
}

/** Two scenes that only the group of the actor sees, in the place of the example requests. */
async function privateScenes({ db }: TestDatabase, { groupId }: Actor, name: string): Promise<readonly string[]> {
  const ids = ["one", "two"].map((local) => sceneId("local", "uploads", `${local}-${name}-${MARK}`));
  const rights = { owner: groupKey(groupId), audience: groupKey(groupId) };
  await db.transaction().execute(async (trx) => {
    for (const [index, id] of ids.entries()) {
      const scene: Scene = {
        sceneId: id,
        foreignId: id,
        provider: "local",
        dataset: "uploads",
        satellite: MARK,
        datetime: `2024-06-0${index + 1} 10:00:00`,
        crsEpsg: 32_633,
        footprint: { type: "MultiPolygon", coordinates: [[AREA]] },
        areaKm2: 1,
        bands: [],
      };
      const contentHash = `${index}${name}f`.padEnd(64, "0");
      await registerScene(trx, { scene, raster: null, contentHash, rights });
    }
  });
  return ids;
}
