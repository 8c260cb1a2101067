import assert from "node:assert/strict";
import { test } from "node:test";
import type { SetContractRequest } from "@swath/contract/features/tasking/contracts-contract";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { sql } from "kysely";
import type { Caller } from "../../../platform/context.ts";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { createCatalog } from "../../../providers/catalog.ts";
import { providers } from "../../../providers/registry.ts";
import { createAuditService, type AuditService } from "../../audit/service.ts";
import { createTaskingContracts, type TaskingContracts } from "./tasking-contracts.ts";
import { RADAR_CONTRACT } from "./testing.ts";

const caller = (groupId: string): Caller => ({
  kind: "user",
  userId: `user of ${groupId}`,
  groupId,
  email: `${groupId}@example.org`,
  permissions: new Set(),
});
const ann = caller("group-1");
const ben = caller("group-2");
const june = { atMs: Date.UTC(2026, 5, 6) };

function refused(code: ErrorCode, text = ""): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code && error.message.includes(text);
}

async function contractWorld(
  body: (world: { contracts: TaskingContracts; audit: AuditService }) => Promise<void>,
): Promise<void> {
  await using database = await testDatabase();
  const { db } = database;
  const clock = { now: () => new Date("2026-03-01T12:00:00Z") };
  await sql`
    insert into groups (id, name, created_at, updated_at)
    values ('group-1', 'one', now(), now()), ('group-2', 'two', now(), now())`.execute(db);
  const audit = createAuditService({ db, clock });
  const catalog = createCatalog(providers);
  await body({ audit, contracts: createTaskingContracts({ db, clock, catalog, audit }) });
}

test("a new installation has a contract with every provider that takes orders", async () => {
  await contractWorld(async ({ contracts }) => {
    const listed = await contracts.list(ann, {});
    assert.deepEqual(
      listed.map(({ id, isBuiltIn, isDefault, groupId }) => [id, isBuiltIn, isDefault, groupId]),
      ["ab", "optical-agile", "pl", "radar-gec", "radar-multi"].map((id) => [`built-in-${id}`, true, true, null]),
    );
    const [radar] = await contracts.list(ann, { provider: "radar-multi" });
    assert.deepEqual(radar?.imagingModes.allowed, ["sliding_spotlight", "spotlight", "stripmap"]);
    assert.deepEqual([radar?.start, radar?.hasPricingPlan], ["2020-01-01T00:00:00Z", false]);
    assert.deepEqual(await contracts.list(ann, { provider: "esa" }), []);
    const wanted = { provider: "radar-multi", contractId: undefined, ...june };
    assert.equal((await contracts.contractFor(ann, wanted)).id, "built-in-radar-multi");
    await assert.rejects(
      contracts.contractFor(ann, { ...wanted, provider: "esa" }),
      refused("VALIDATION-ERROR", "there is no contract with esa"),
    );
  });
});

test("a contract of a group replaces the built-in one for that group, and no other group sees it", async () => {
  await contractWorld(async ({ contracts }) => {
    const set = await contracts.set(ann, { ...RADAR_CONTRACT, groupId: "group-1" });
    assert.deepEqual(await contracts.list(ann, { provider: "radar-multi" }), [set]);
    assert.deepEqual([set.start, set.end, set.hasPricingPlan], ["2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z", true]);
    assert.deepEqual(
      (await contracts.list(ben, { provider: "radar-multi" })).map(({ id }) => id),
      ["built-in-radar-multi"],
    );
    const wanted = { provider: "radar-multi", contractId: "radar-2026", ...june };
    assert.equal((await contracts.contractFor(ann, wanted)).terms.eula.default, "standard");
    await assert.rejects(
      contracts.contractFor(ben, wanted),
      refused("VALIDATION-ERROR", "is radar-2026, expected one of built-in-radar-multi"),
    );
    await assert.rejects(
      contracts.contractFor(ann, { ...wanted, contractId: "built-in-radar-multi", path: "/params/1" }),
      refused(
        "VALIDATION-ERROR",
        "/params/1/orderOptions/contractId is built-in-radar-multi, expected one of radar-2026",
      ),
    );
    assert.deepEqual(
      (await contracts.list(ben, { allGroups: true })).map(({ id }) => id),
      ["radar-2026"],
    );
    await contracts.delete(ann, "radar-2026");
    assert.equal((await contracts.contractFor(ann, { ...wanted, contractId: undefined })).isBuiltIn, true);
    await assert.rejects(contracts.delete(ann, "radar-2026"), refused("NON-EXISTENT-CONTRACT"));
  });
});

test("an order without a contract has the default of its group, then of every group, that is valid then", async () => {
  await contractWorld(async ({ contracts }) => {
    const wanted = { provider: "radar-multi", contractId: undefined, ...june };
    const { isDefault: _default, ...optional } = RADAR_CONTRACT;
    await contracts.set(ann, { ...optional, id: "optional" });
    await assert.rejects(contracts.contractFor(ann, wanted), refused("VALIDATION-ERROR", "expected one of optional"));
    await contracts.set(ann, { ...RADAR_CONTRACT, id: "everybody" });
    assert.equal((await contracts.contractFor(ann, wanted)).id, "everybody");
    await contracts.set(ann, { ...RADAR_CONTRACT, id: "ours", groupId: "group-1", end: "2026-06-05" });
    assert.equal((await contracts.contractFor(ann, wanted)).id, "everybody");
    assert.equal((await contracts.contractFor(ann, { ...wanted, atMs: Date.UTC(2026, 5, 4) })).id, "ours");
    assert.equal((await contracts.contractFor(ben, { ...wanted, atMs: Date.UTC(2026, 5, 4) })).id, "everybody");
  });
});

test("changes are recorded with what was before, and two defaults are never valid at one time", async () => {
  await contractWorld(async ({ contracts, audit }) => {
    await contracts.set(ann, RADAR_CONTRACT);
    await contracts.set(ann, { ...RADAR_CONTRACT, name: "Radar, renamed" }, "request-2");
    const rivals = await Promise.allSettled(
      ["a", "b", "c"].map((id) =>
        contracts.set(ann, { ...RADAR_CONTRACT, id, start: "2027-01-01", end: "2028-01-01" }),
      ),
    );
    assert.equal(rivals.filter(({ status }) => status === "fulfilled").length, 1);
    for (const rival of rivals) if (rival.status === "rejected") assert.ok(refused("CONFLICT")(rival.reason));
    await contracts.delete(ann, "radar-2026");
    const entries = (await audit.list({ target: "radar-2026" })).results;
    assert.deepEqual(
      entries.map(({ action, before, after }) => [
        action,
        Object(before)["name"] ?? null,
        Object(after)["name"] ?? null,
      ]),
      [
        ["contract.delete", "Radar, renamed", null],
        ["contract.set", "Radar 2026", "Radar, renamed"],
        ["contract.set", null, "Radar 2026"],
      ],
    );
    assert.equal(entries[1]?.requestId, "request-2");
  });
});

test("a contract that could not be meant is refused", async () => {
  await contractWorld(async ({ contracts }) => {
    const faults: readonly (readonly [Partial<SetContractRequest>, string])[] = [
      [{ provider: "nobody" }, "/provider there is no provider nobody"],
      [{ id: "built-in-radar-multi" }, "/id is built-in-radar-multi"],
      [{ end: "2026-01-01" }, "/end is 2026-01-01, expected a moment after 2026-01-01T00:00:00Z"],
      [{ end: "2026-02-30" }, "/end is no moment"],
      [{ sla: { allowed: ["24h"], default: "8h" } }, "/sla/default is 8h"],
    ];
    for (const [change, text] of faults) {
      await assert.rejects(
        contracts.set(ann, { ...RADAR_CONTRACT, ...change }),
        refused("VALIDATION-ERROR", text),
        text,
      );
    }
    const foreign = contracts.set(ann, { ...RADAR_CONTRACT, groupId: "group-9" });
    await assert.rejects(foreign, refused("NON-EXISTENT-GROUP"));
  });
});
