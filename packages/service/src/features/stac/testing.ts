import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobStore } from "@swath/base/blobs/blob-store";
import { openFsBlobStore } from "@swath/base/blobs/fs-blob-store";
import { systemClock, type Clock } from "@swath/base/clock";
import type { KyselyPlugin } from "kysely";
import { silentLog } from "@swath/base/log/log";
import { assetsContract } from "@swath/contract/features/assets/contract";
import { stacContract } from "@swath/contract/features/stac/contract";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import { DEFAULT_HTTP_CONFIG } from "../../http/http-config.ts";
import { createHttpServer } from "../../http/server.ts";
import type { Db } from "../../platform/context.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { createIdentity } from "../../platform/identity/identity.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { ampleStorage } from "../../platform/storage/testing.ts";
import { createMapTypes } from "@swath/maps/registry";
import { findDataset } from "../../providers/registry.ts";
import { assetsHandlers } from "../assets/handlers.ts";
import { createAssetsService } from "../assets/service.ts";
import { createAuditService } from "../audit/service.ts";
import { createCreditsService, type CreditsService } from "../credits/service.ts";
import type { SceneRecord } from "../imagery/scene-record.ts";
import { createImageryService, type ImageryService } from "../imagery/service.ts";
import { createUserService, type UserService } from "../users/service.ts";
import { stacHandlers } from "./handlers.ts";
import { createStacService } from "./service.ts";

export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

export interface BenchUser {
  readonly id: string;
  readonly groupId: string;
  readonly token: string;
  /** Of the group of the user. */
  readonly audience: string;
}

/** The dialect, and files of scenes, behind a real server and database. */
export interface StacBench extends AsyncDisposable {
  /** Origin, such as `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly blobs: BlobStore;
  readonly credits: CreditsService;
  readonly db: Db;
  readonly imagery: ImageryService;
  /** Statements so far, of requests and of the bench. */
  statements(): number;
  readonly users: UserService;
  /** Token of a user with these permissions, and the audience of the group of the user. */
  addUser(name: string, permissions: readonly string[]): Promise<BenchUser>;
  /** Below `/stac`. */
  get(path: string, token?: string): Promise<Answer>;
  post(body: unknown, token: string): Promise<Answer>;
}

const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" } as const;
export const COLLECTION = "ee.COPERNICUS-_S2_HARMONIZED";
const PASSWORD = "correct horse battery";

/** A scene over a box, of DATASET unless given otherwise. */
export function sceneOver(local: string, bounds: Bounds, members: Partial<Scene> = {}): SceneRecord {
  const { provider, dataset } = { ...DATASET, ...members };
  const scene: Scene = {
    sceneId: sceneId(provider, dataset, local),
    foreignId: `granule ${local}`,
    provider,
    dataset,
    satellite: "Sentinel-2A",
    datetime: "2024-06-30 10:15:00",
    crsEpsg: 32632,
    footprint: { type: "MultiPolygon", coordinates: [boundsPolygon(bounds).coordinates] },
    areaKm2: 1,
    bands: [],
    ...members,
  };
  return { scene, raster: null, contentHash: null };
}

function refuse(): Promise<never> {
  return Promise.reject(new Error("no pipelines here"));
}

export async function stacBench({ clock = systemClock }: { readonly clock?: Clock } = {}): Promise<StacBench> {
  const stack = new AsyncDisposableStack();
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = stack.use(await testDatabase()).db.withPlugin(counting);
  const folder = await mkdtemp(join(tmpdir(), "swath-stac-"));
  stack.defer(async () => rm(folder, { recursive: true, force: true }));
  const blobs = stack.use(await openFsBlobStore(folder, clock));
  const areas = stack.use(createAreas());
  const identity = createIdentity({ db, clock, config: TEST_IDENTITY });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const thumbnails = { render: () => Promise.resolve(new Uint8Array()) };
  const imagery = createImageryService({ areas, db, clock, thumbnails });
  const credits = createCreditsService({ areas, mapTypes: createMapTypes([]), db, clock, imagery });
  const assets = createAssetsService({
    blobs,
    catalog: { findDataset },
    clock,
    credits,
    identity,
    imagery,
    signingKeys: () => [new Uint8Array(32).fill(7)],
  });
  const server = stack.use(
    await createHttpServer({
      storage: ampleStorage(),
      contract: { assets: assetsContract, stac: stacContract },
      handlers: {
        assets: assetsHandlers(assets),
        stac: stacHandlers(createStacService({ areas, assets, clock, credits, imagery })),
      },
      db,
      identity,
      pipelines: { accept: refuse, retrieve: refuse },
      config: { ...DEFAULT_HTTP_CONFIG, rateLimits: null, validateResponses: true },
      clock,
      log: silentLog,
    }),
  );
  const address = await server.listen({ host: "127.0.0.1", port: 0 });
  const ask = async (path: string, token: string | undefined, request: RequestInit = {}): Promise<Answer> => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const headers = { "content-type": "application/json", ...authorization };
    const answer = await fetch(path.startsWith("http") ? path : `${address}/stac${path}`, { ...request, headers });
    const mediaType = answer.headers.get("content-type") ?? "";
    return { status: answer.status, mediaType, json: await answer.json() };
  };
  return {
    address,
    blobs,
    credits,
    db,
    imagery,
    statements: () => statements,
    users,
    async addUser(name, permissions) {
      const { groupId, id } = await db.transaction().execute(async (trx) => {
        const group = await users.createGroup(trx, { name: `group of ${name}`, permissions });
        const email = `${name}@example.org`;
        const user = await users.createUser(trx, { email, name, password: PASSWORD, groupIds: [group] });
        return { groupId: group, id: user };
      });
      const login = await identity.builtIn?.login({
        username: `${name}@example.org`,
        password: PASSWORD,
        address: "::1",
      });
      if (login?.kind !== "granted") throw new Error(`${name} cannot log in`);
      return { id, groupId, token: login.token, audience: `group:${groupId}` };
    },
    get: (path, token) => ask(path, token),
    post: (body, token) => ask("/search", token, { method: "POST", body: JSON.stringify(body) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
