import assert from "node:assert/strict";
import { test } from "node:test";
import { formatInstant } from "@swath/kernel/time/instant";
import { createMapTypes } from "@swath/maps/registry";
import * as fc from "fast-check";
import { sql } from "kysely";
import { schemaCheck } from "../../platform/json/schema-check.ts";
import { createAreas } from "../../platform/geometry/areas.ts";
import type { Db } from "../../platform/context.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import {
  creditHistoryContract,
  TRANSACTION_KINDS,
  type ListGroupTransactionsRequest,
} from "@swath/contract/features/credits/history-contract";
import { createCreditsService } from "./service.ts";
import { imageryOf, testCaller } from "./testing.ts";

const mapTypes = createMapTypes([]);

const BASE_MS = Date.parse("2026-03-01T12:00:00Z");
const SCENES = ["s0", "s1", "s2", "s3"];
const DATASETS = ["d0", "d1"];
const ORDERS = ["o0", "o1", "o2"];
const ROWS = 150;

interface Row {
  readonly id: string;
  readonly kind: (typeof TRANSACTION_KINDS)[number];
  /** Since the base; many rows share one, others differ by a microsecond only. */
  readonly micros: number;
  readonly userId: string;
  readonly groupId: string;
  readonly order: string | null;
  readonly dataset: string;
  readonly scene: string;
}

/** A fixed, mixed history of two groups and two users. */
const history: readonly Row[] = Array.from({ length: ROWS }, (_, n): Row => {
  const kind = TRANSACTION_KINDS[(n * 7) % 4] ?? "credit.allocate";
  return {
    id: `t${(n * 37) % ROWS}`,
    kind,
    micros: ((n * 5) % 13) * 1_000_000 + ((n * 3) % 4),
    userId: `user-${1 + (n % 2)}`,
    groupId: n % 11 === 0 ? "group-2" : "group-1",
    order: kind === "credit.allocate" ? null : (ORDERS[n % 3] ?? null),
    dataset: DATASETS[n % 5 === 0 ? 1 : 0] ?? "",
    scene: SCENES[n % 4] ?? "",
  };
});

async function write(db: Db): Promise<void> {
  await sql`insert into credit_groups (group_id) values ('group-1'), ('group-2')`.execute(db);
  await sql`
    insert into credit_users (group_id, user_id)
    select g, u from unnest(array['group-1', 'group-2']) g, unnest(array['user-1', 'user-2']) u`.execute(db);
  const values = history.map(
    (row) => sql`(${row.id}, ${row.kind}, timestamptz '2026-03-01T12:00:00Z' + ${row.micros} * interval '1 microsecond',
      ${row.userId}, ${row.groupId}, ${row.order}, 'p', ${row.dataset}, ${row.scene}, 0, 0)`,
  );
  await sql`
    insert into credit_transactions
      (id, kind, created_at, user_id, group_id, order_reference_id, provider, dataset, scene_id, area_m2, micro)
    values ${sql.join(values)}`.execute(db);
}

const second = fc.integer({ min: -1, max: 14 });
const filters = fc.record(
  {
    kind: fc.constantFrom(...TRANSACTION_KINDS),
    dataset: fc.constantFrom(...DATASETS, "none"),
    provider: fc.constantFrom("p", "none"),
    orderId: fc.constantFrom(...ORDERS),
    sceneIds: fc.subarray([...SCENES, "none"]),
    from: second,
    to: second,
  },
  { requiredKeys: [] },
);

function expected(wanted: typeof filters extends fc.Arbitrary<infer F> ? F : never, isOwn: boolean): string[] {
  const { kind, dataset, provider, orderId, sceneIds, from, to } = wanted;
  return history
    .filter(
      (row) =>
        (isOwn ? row.userId === "user-1" : row.groupId === "group-1") &&
        (kind === undefined || row.kind === kind) &&
        (dataset === undefined || row.dataset === dataset) &&
        (provider === undefined || provider === "p") &&
        (orderId === undefined || row.order === orderId) &&
        (sceneIds === undefined || sceneIds.includes(row.scene)) &&
        (from === undefined || row.micros >= from * 1_000_000) &&
        (to === undefined || row.micros < to * 1_000_000),
    )
    .toSorted((a, b) => b.micros - a.micros || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

function moment(name: "startTime" | "endTime", seconds: number | undefined) {
  return seconds === undefined ? {} : { [name]: formatInstant(BASE_MS + seconds * 1000) };
}

const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `s${index}`);

test("pages of every combination of filters are those of an evaluation in memory", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await write(db);
  const credits = createCreditsService({
    areas: createAreas(),
    mapTypes,
    db,
    clock: { now: () => new Date(BASE_MS) },
    imagery: imageryOf(),
  });
  const caller = testCaller();
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), fc.boolean(), async (wanted, limit, isOwn) => {
      const { from, to, ...rest } = wanted;
      fc.pre(from === undefined || to === undefined || from <= to);
      const request: ListGroupTransactionsRequest = {
        ...rest,
        ...moment("startTime", from),
        ...moment("endTime", to),
        limit,
      };
      const ids: string[] = [];
      let cursor: string | null = null;
      do {
        const asked: ListGroupTransactionsRequest = cursor === null ? request : { ...request, cursor };
        const page = isOwn
          ? await credits.listUserTransactions(caller, asked)
          : await credits.listGroupTransactions(caller, asked);
        ids.push(...page.results.map(({ id }) => id));
        cursor = page.cursor;
      } while (cursor !== null && ids.length <= ROWS);
      assert.deepEqual(ids, expected(wanted, isOwn));
    }),
    { numRuns: 60 },
  );
});

test("requests that are too large or could not be looked up are refused by their schema", () => {
  const transactions = schemaCheck(creditHistoryContract.listGroupTransactions.request);
  const allocations = schemaCheck(creditHistoryContract.listAllocations.request);
  assert.ok(transactions.accepts({ sceneIds: many(1000), kind: "credit.return", limit: 1000 }));
  assert.ok(allocations.accepts({ provider: many(100), dataset: [], startDatetime: "2026-03-01" }));
  for (const bad of [
    { sceneIds: many(1001) },
    { sceneIds: ["a\u0000"] },
    { kind: "credit.gift" },
    { dataset: "" },
    { orderId: "x".repeat(129) },
    { limit: 0 },
    { limit: 1001 },
    { cursor: "x".repeat(513) },
    { startTime: "yesterday" },
    { groupId: "\u0000" },
  ]) {
    assert.equal(transactions.accepts(bad), false, JSON.stringify(bad));
  }
  for (const bad of [{ provider: "ab" }, { provider: many(101) }, { dataset: ["\n"] }, { endDatetime: 7 }]) {
    assert.equal(allocations.accepts(bad), false, JSON.stringify(bad));
  }
});
