import { setImmediate as turn } from "node:timers/promises";
import { systemClock, type Clock } from "@swath/base/clock";
import { silentLog } from "@swath/base/log/log";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { formatInstant } from "@swath/kernel/time/instant";
import type { Caller, Db } from "../../platform/context.ts";
import { placeEvents } from "../../platform/events/place-events.ts";
import { readEvents, type PlacedEvent } from "../../platform/events/read-events.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import { callersOfUsers } from "../../platform/identity/callers-of-users.ts";
import { createIdentity, type Identity } from "../../platform/identity/identity.ts";
import { RIGHTS_CHANNEL, watchRights } from "../../platform/identity/rights-changes.ts";
import { TEST_IDENTITY } from "../../platform/identity/testing.ts";
import { openListening } from "../../platform/postgres/listening.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { heldPermissions } from "../../providers/held-permissions.ts";
import { providers } from "../../providers/registry.ts";
import { storeOnly, type SourceBindings } from "../../sources/bindings.ts";
import { createAuditService } from "../audit/service.ts";
import type { SceneRecord } from "../imagery/scene-record.ts";
import { createImageryService, type ImageryService } from "../imagery/service.ts";
import { createUserService } from "../users/service.ts";
import { createStandingQueries, type StandingQueriesService } from "./service.ts";

export const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_HARMONIZED" } as const;
const RASTER: StoredRaster = { proj4: "+proj=longlat +datum=WGS84 +no_defs", controlGrid: null, bands: [] };

/** Standing queries with a real database, its users and its scenes. */
export interface StandingBench extends AsyncDisposable {
  readonly db: Db;
  readonly databaseUrl: string;
  /** Keeps rights in memory, as a service that runs. */
  readonly identity: Identity;
  readonly imagery: ImageryService;
  readonly standing: StandingQueriesService;
  /** A user in a separate group. */
  addUser(name: string, permissions?: readonly string[]): Promise<Caller>;
  /** The same user with the rights of now. */
  again(caller: Caller): Promise<Caller>;
  register(...records: readonly SceneRecord[]): Promise<void>;
  /** Matches what waits; the number of matches. */
  match(): Promise<number>;
  events(caller: Caller): Promise<readonly PlacedEvent[]>;
}

const RIGHTS = ["imagery", "store.ingested"];

/** @param sources the store alone unless given */
export async function standingBench(
  clock: Clock = systemClock,
  sources: SourceBindings = storeOnly,
): Promise<StandingBench> {
  const database = await testDatabase();
  const { db } = database;
  const catalog = createCatalog(providers);
  const areas = createAreas();
  const thumbnails = { render: () => Promise.resolve(new Uint8Array()) };
  const imagery = createImageryService({ areas, db, clock, catalog, sources, thumbnails });
  const listening = openListening(database.url, [RIGHTS_CHANNEL], silentLog);
  while (!listening.isCurrent()) await turn();
  const identity = createIdentity({
    db,
    clock,
    config: TEST_IDENTITY,
    changes: watchRights(listening, database.pool),
    heldFrom: (granted) => heldPermissions(catalog, granted),
  });
  const standing = createStandingQueries({ clock, db, identity, imagery });
  const users = createUserService({ db, clock, identity, audit: createAuditService({ db, clock }) });
  const callerOf = async (userId: string): Promise<Caller> => {
    const caller = (await callersOfUsers(db, [userId])).get(userId);
    if (caller === undefined) throw new Error(`${userId} is blocked or unknown`);
    return caller;
  };
  const never = new AbortController().signal;
  return {
    db,
    databaseUrl: database.url,
    identity,
    imagery,
    standing,
    async addUser(name, permissions = RIGHTS) {
      const userId = await db.transaction().execute(async (trx) => {
        const groupId = await users.createGroup(trx, { name: `group of ${name}`, permissions });
        const user = { email: `${name}@example.org`, name, password: "correct horse battery", groupIds: [groupId] };
        return await users.createUser(trx, user);
      });
      return await callerOf(userId);
    },
    again: ({ userId }) => callerOf(userId),
    async register(...records) {
      await db.transaction().execute(async (trx) => {
        for (const record of records) await imagery.register(trx, record);
      });
    },
    match: () => standing.matchArrivals(never),
    async events(reader) {
      await placeEvents(db, never);
      return await readEvents(db, { reader, after: 0, types: ["search.matched"], limit: 1_000 });
    },
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      await areas[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

export function box(west: number, south: number, east: number, north: number): GeoJson & MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boundsPolygon([west, south, east, north]).coordinates] };
}

/** A scene of Sentinel-2 over a box, with pixels unless said otherwise. */
export function sceneOver(
  local: string,
  footprint: MultiPolygon,
  more: Partial<Scene> & Partial<Pick<SceneRecord, "parentId" | "raster" | "rights">> & { readonly atMs?: number } = {},
): SceneRecord {
  const { atMs = Date.UTC(2026, 5, 1), parentId = null, raster = RASTER, rights, ...members } = more;
  return {
    scene: {
      sceneId: sceneId(DATASET.provider, DATASET.dataset, local),
      foreignId: local,
      ...DATASET,
      satellite: "test",
      datetime: formatInstant(atMs),
      crsEpsg: 4326,
      footprint,
      areaKm2: 0,
      bands: [],
      ...members,
    },
    raster,
    contentHash: raster === null ? null : local,
    parentId,
    ...(rights === undefined ? {} : { rights }),
  };
}
