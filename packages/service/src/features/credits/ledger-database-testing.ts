import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { sql } from "kysely";
import { clippedSceneId } from "@swath/kernel/scenes/scene-id";
import { createMapTypes } from "@swath/maps/registry";
import {
  CHILD_BOUNDS,
  FREE_AREA,
  GROUPS,
  MAP_TYPE,
  OFFERS,
  PARENT,
  PRODUCTS,
  SCENE_BOUNDS,
  TILED,
  USERS,
  type Allocate,
} from "./ledger-histories-testing.ts";
import type { Balances, Ledger } from "./ledger-model-testing.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

const mapTypes = createMapTypes([]);

/** Test support: the ledger of the model, kept by the service in a database. */

/** Providers of the datasets that are sold in a way of their own. */
const PROVIDERS: ReadonlyMap<number, string> = new Map([
  [TILED, "pl"],
  [PARENT, "optical-archive"],
]);
const scenes = PRODUCTS.map(({ name, mapTypeOf }, index) =>
  mapTypeOf === null
    ? testScene(name, { provider: PROVIDERS.get(index) ?? "ab", dataset: name, bounds: SCENE_BOUNDS })
    : null,
);
const child = childOf(scenes[PARENT]?.scene.sceneId ?? "");
const clock = { now: () => new Date("2026-03-01T12:00:00Z") };

function childOf(parentId: string): StoredScene {
  const made = testScene("child", { provider: "optical-archive", dataset: "ard_clipped", bounds: CHILD_BOUNDS });
  return { ...made, scene: { ...made.scene, sceneId: clippedSceneId(parentId, "0123456789abcdef01234567") } };
}

function requestOf({ offer, drawn, costFree }: Allocate) {
  const named = OFFERS[offer];
  if (named === undefined) throw new Error(`no offer ${offer}`);
  const parent = named.scene === null ? null : scenes[named.scene];
  return {
    sceneIds: [parent, named.child ? child : null].flatMap((one) => (one == null ? [] : [one.scene.sceneId])),
    geojson: drawn,
    costFreeAllocation: costFree,
    ...(named.mapType ? { mapTypes: [MAP_TYPE] } : {}),
  };
}

export async function insertPrices(db: Db): Promise<void> {
  for (const { name, microPerKm2, minAreaM2, mapTypeOf } of PRODUCTS) {
    if (mapTypeOf === null) await setPrice(db, name, microPerKm2, minAreaM2);
    else {
      await sql`
        insert into credit_price_rules (id, dataset, map_type, micro_per_km2, min_area_m2)
        values (${name}, ${PRODUCTS[mapTypeOf]?.name}, ${MAP_TYPE}, ${microPerKm2}::bigint, ${minAreaM2}::bigint)`.execute(
        db,
      );
    }
  }
  await sql`
    insert into credit_price_rules (id, dataset, micro_per_km2, area)
    values ('free area', 'partly-free', 0, ${JSON.stringify(FREE_AREA)}::text::jsonb)`.execute(db);
}

/** A service as one process composes it; several on one database stand for several processes. */
export function ledgerService(db: Db): CreditsService {
  return createCreditsService({
    areas: createAreas(),
    mapTypes,
    db,
    clock,
    imagery: imageryOf(child, ...scenes.filter((one) => one !== null)),
  });
}

/** New groups of their own for a history; `services` take turns, as processes behind a balancer do. */
export function databaseLedger(db: Db, services: readonly CreditsService[]): Ledger {
  const prefix = randomUUID();
  let turn = 0;
  const groupId = (group: number): string => `${prefix} group ${group}`;
  const caller = (group: number, user: number) => testCaller({ groupId: groupId(group), userId: `user ${user}` });
  const service = (): CreditsService => {
    const one = services[turn % services.length];
    turn += 1;
    if (one === undefined) throw new Error("no service");
    return one;
  };
  const inOne = <Result>(work: (trx: Trx) => Promise<Result>): Promise<Result> => inTransaction(db, work);
  return {
    async grant(group, micro) {
      await inOne((trx) => service().grant(trx, groupId(group), micro, "a history"));
    },
    async setLimit(group, user, micro) {
      await inOne(async (trx) => {
        await service().createAccount(trx, groupId(group), `user ${user}`);
        await sql`update credit_users set limit_micro = ${micro}::bigint
          where group_id = ${groupId(group)} and user_id = ${`user ${user}`}`.execute(trx);
      });
    },
    async setLicence(group, isValid) {
      const until = isValid ? null : clock.now();
      // Clients who make a group at once may meet in its name instead of its id: any conflict will do.
      await sql`
        insert into groups (id, name, license_expires_at, created_at, updated_at)
        values (${groupId(group)}, ${groupId(group)}, ${until}, now(), now())
        on conflict do nothing`.execute(db);
      await sql`update groups set license_expires_at = ${until} where id = ${groupId(group)}`.execute(db);
    },
    async check(request) {
      const { cost } = await service().checkArea(caller(request.group, request.user), requestOf(request));
      return creditsToMicro(cost);
    },
    async allocate(request, key) {
      const { cost } = await service().allocateArea(caller(request.group, request.user), {
        ...requestOf(request),
        idempotencyKey: `${prefix} ${key}`.slice(0, 128),
      });
      return creditsToMicro(cost);
    },
    async order({ group, user, micro, settledPercent, returned }, id) {
      const orderReferenceId = `${prefix} ${id}`;
      return await inOne(async (trx) => {
        const order = { orderReferenceId, provider: "ab", dataset: "plain", areaKm2: 10, micro };
        let cost = (await service().preallocate(trx, { ...order, caller: caller(group, user) })).micro;
        if (settledPercent !== null) {
          const settled = (micro * settledPercent) / 100n;
          const update = { orderReferenceId, areaKm2: 9, micro: settled, isFinal: returned === null };
          cost += (await service().updateHold(trx, update)).micro;
        }
        if (returned !== null)
          cost += (await service().returnHold(trx, { orderReferenceId, fraction: returned })).micro;
        return cost;
      });
    },
    async balances(group): Promise<Balances> {
      const { rows } = await sql<{ remaining: string; used: string; users: readonly string[] }>`
        select coalesce(sum(remaining_micro), 0)::text as remaining, coalesce(sum(used_micro), 0)::text as used,
          array(select coalesce(u.used_micro, 0)::text from generate_series(0, ${USERS - 1}::int) n
            left join credit_users u on u.group_id = ${groupId(group)} and u.user_id = 'user ' || n order by n) as users
        from credit_groups where group_id = ${groupId(group)}`.execute(db);
      const row = rows[0];
      if (row === undefined || group >= GROUPS) throw new Error(`no group ${group}`);
      return { remaining: BigInt(row.remaining), used: BigInt(row.used), users: row.users.map(BigInt) };
    },
  };
}
