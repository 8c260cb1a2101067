import assert from "node:assert/strict";
import { sql } from "kysely";
import { testDatabase, type TestDatabase } from "../../packages/service/src/platform/postgres/testing.ts";
import { createActors, type Actor, type Actors } from "../access-actors.ts";
import { contractRoutes } from "../access-routes.ts";
import { COAST_AREA, upload } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import { RawClient } from "../raw-client.ts";
import { ADMIN, ServiceProcess } from "../service-process.ts";
import type { ActorName } from "./fuzz-request.ts";
import { KnownValues } from "./known-values.ts";

/** A running service with callers of every kind, and with things that requests can name. */
export interface FuzzWorld extends AsyncDisposable {
  readonly service: ServiceProcess;
  readonly database: TestDatabase;
  readonly known: KnownValues;
  token(actor: ActorName): string | null;
  /** Gives the callers back what requests have taken from them: rights, groups, being unblocked. */
  restore(): Promise<void>;
}

/** Credit that no run spends. */
const CREDIT = 100_000_000;
const OPERATOR_PERMISSIONS = ["admin.users", "admin.groups", "admin.organizations.list", "organization"];

function everydayPermissions(): readonly string[] {
  const first = contractRoutes().flatMap(({ permissions }) => permissions.map((one) => one.split(".")[0] ?? ""));
  const ordinary = first.filter((name) => name !== "admin" && name !== "organization");
  return [...new Set([...ordinary, "algorithms", "geojsondb", "imagery", "store"])];
}

interface Cast {
  readonly actor: Actor;
  readonly permissions: readonly string[];
}

type Role = Exclude<ActorName, "anonymous">;

export async function createFuzzWorld(): Promise<FuzzWorld> {
  const stack = new AsyncDisposableStack();
  try {
    const database = stack.use(await testDatabase());
    const service = stack.use(
      await ServiceProcess.start({
        DATABASE_URL: database.url,
        SWATH_VALIDATE_RESPONSES: "on",
        SWATH_QUEUED_PER_CALLER: "100000",
      }),
    );
    const actors = createActors(database, service.baseUrl);
    const cast = await createCast(actors);
    const tokens = new Map<Role, string>();
    const restore = async (): Promise<void> => {
      for (const [role, { actor, permissions }] of cast) {
        await restoreMembership(database, actor);
        tokens.set(role, await actors.token(actor, permissions));
      }
    };
    await restore();
    const known = new KnownValues();
    for (const [role, { actor }] of cast) {
      if (role === "uploader") continue;
      known.add("userId", actor.id);
      known.add("groupId", actor.groupId);
    }
    await grantCredit(service, cast);
    const clients = new Map([...tokens].map(([role, token]) => [role, new RawClient(service.baseUrl, token)]));
    for (const [role, client] of clients) if (role !== "uploader") await furnish(client, known);
    known.adopt();
    return {
      service,
      database,
      known,
      restore,
      token: (actor) => (actor === "anonymous" ? null : (tokens.get(actor) ?? null)),
      [Symbol.asyncDispose]: async () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function createCast(actors: Actors): Promise<ReadonlyMap<Role, Cast>> {
  const everyday = everydayPermissions();
  const group = await actors.group("fuzzers");
  const uploaders = await actors.group("uploaders");
  const cast = async (name: Role, permissions: readonly string[], groupId = group): Promise<readonly [Role, Cast]> => [
    name,
    { actor: await actors.user(`fuzz-${name}`, groupId), permissions },
  ];
  return new Map([
    await cast("user", everyday),
    await cast("operator", [...everyday, ...OPERATOR_PERMISSIONS]),
    await cast("administrator", [...everyday, "admin", "organization"]),
    await cast("uploader", everyday, uploaders),
  ]);
}

async function restoreMembership({ db }: TestDatabase, { id, groupId }: Actor): Promise<void> {
  await sql`delete from group_members where user_id = ${id}`.execute(db);
  await sql`insert into group_members (user_id, group_id, position) values (${id}, ${groupId}, 0)`.execute(db);
  await sql`
    update groups set license_starts_at = null, license_expires_at = null where id = ${groupId}`.execute(db);
}

async function grantCredit(service: ServiceProcess, cast: ReadonlyMap<Role, Cast>): Promise<void> {
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  for (const groupId of new Set([...cast.values()].map(({ actor }) => actor.groupId))) {
    await admin.post("/credits/grant", { groupId, credit: CREDIT, note: "for the run" });
  }
}

/** Makes things as the caller, and remembers their identifiers. */
async function furnish(client: RawClient, known: KnownValues): Promise<void> {
  const filepath = await upload(client, coastGeotiff());
  known.add("filepath", filepath);
  const { body: ingested } = await client.post("/imagery/ingest-scene", { provider: "local", filepath });
  const sceneIds: readonly string[] = ingested.ingestedScenes.map((one: { readonly sceneId: string }) => one.sceneId);
  for (const sceneId of sceneIds) {
    known.add("sceneId", sceneId);
    known.add("sceneGroup", [sceneId]);
  }
  await client.post("/credits/area/allocate-geojson", { sceneIds, geojson: COAST_AREA });
  const released = await client.run("/mapsvc/release", { mapTypes: ["imagery", "ndvi"], sceneIds, extent: COAST_AREA });
  assert.equal(released.body.maps?.length, 2, JSON.stringify(released.body));
  known.see(released.body);
  const steps: readonly (readonly [path: string, body: object])[] = [
    ["/geojson/feature/save", { type: "Feature", geometry: COAST_AREA, properties: {} }],
    ["/geojson/geometry/save", COAST_AREA],
    ["/api/features/create", FEATURES],
    ["/api/features/search", { query: {}, _limit: 1 }],
    ["/user/api-key/create", { name: "key", permissions: ["imagery"] }],
    ["/imagery/ingest-scene/upload", { uploadSuffix: ".zip", size: 20, filename: "later" }],
    ["/credits/group/list-transactions", { limit: 1 }],
    ["/credits/price-rules/create", { provider: "local", creditsPerKm2: 0.001 }],
    ["/organization/create", { name: `organization ${client.token?.slice(-8)}` }],
    ["/credits/price-rules/list", { limit: 1 }],
    ["/audit/list", { limit: 1 }],
    ["/user/list", { limit: 1 }],
  ];
  for (const [path, body] of steps) {
    const answer = await client.post(path, body);
    if (answer.status === 200) known.see(answer.body);
    else assert.ok(answer.status === 401, `${path}: ${JSON.stringify(answer.body)}`);
  }
  const { body: datasets } = await client.post("/imagery/datasets/list", {});
  for (const { provider, dataset } of datasets) {
    known.add("provider", provider);
    known.add("dataset", dataset);
    if (provider === "local") for (let i = 0; i < 8; i += 1) known.add("datasetPair", { provider, dataset });
    known.add("datasetPair", { provider, dataset });
  }
}

const FEATURES = {
  type: "FeatureCollection",
  features: Array.from({ length: 20 }, (_, length) => ({
    type: "Feature",
    geometry: length % 3 === 0 ? null : { type: "Point", coordinates: [15 + length / 1000, 0.89] },
    properties: { collection: "fuzz", length, a: { b: `x${length}` }, tags: ["x", length] },
  })),
};
