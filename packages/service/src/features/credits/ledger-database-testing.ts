import { randomUUID } from "node:crypto";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { Db, Trx } from "../../platform/context.ts";
import { inTransaction } from "../../platform/postgres/transaction.ts";
import { sql } from "kysely";
import {
  PRODUCTS,
  GROUPS,
  USERS,
  FREE_AREA,
  SCENE_BOUNDS,
  type Balances,
  type Ledger,
} from "./ledger-model-testing.ts";
import { createCreditsService, type CreditsService } from "./service.ts";
import { imageryOf, setPrice, testCaller, testScene } from "./testing.ts";

/** Test support: the ledger of the model, kept by the service in a database. */

const scenes = PRODUCTS.map(({ name }) => testScene(name, { dataset: name, bounds: SCENE_BOUNDS }));
const clock = { now: () => new Date("2026-03-01T12:00:00Z") };

export async function insertPrices(db: Db): Promise<void> {
  for (const { name, microPerKm2, minAreaM2 } of PRODUCTS) await setPrice(db, name, microPerKm2, minAreaM2);
  await sql`
    insert into credit_price_rules (id, dataset, micro_per_km2, area)
    values ('free area', 'partly-free', 0, ${JSON.stringify(FREE_AREA)}::text::jsonb)`.execute(db);
}

/** A service as one process composes it; several on one database stand for several processes. */
export function ledgerService(db: Db): CreditsService {
  return createCreditsService({ db, clock, imagery: imageryOf(...scenes) });
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
      await sql`
        insert into groups (id, name, license_expires_at, created_at, updated_at)
        values (${groupId(group)}, ${groupId(group)}, ${until}, now(), now())
        on conflict (id) do update set license_expires_at = excluded.license_expires_at`.execute(db);
    },
    async check({ group, user, product, drawn, costFree }) {
      const { cost } = await service().checkArea(caller(group, user), {
        sceneIds: [scenes[product]?.scene.sceneId ?? ""],
        geojson: drawn,
        costFreeAllocation: costFree,
      });
      return creditsToMicro(cost);
    },
    async allocate({ group, user, product, drawn, costFree }, key) {
      const { cost } = await service().allocateArea(caller(group, user), {
        sceneIds: [scenes[product]?.scene.sceneId ?? ""],
        geojson: drawn,
        costFreeAllocation: costFree,
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
