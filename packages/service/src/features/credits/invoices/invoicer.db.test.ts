import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import { creditsToMicro } from "@swath/kernel/credits/micro";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../../platform/context.ts";
import { writeInvoiceInWorker } from "../../../platform/pdf/run-invoice-worker.ts";
import { usersBench } from "../../users/testing.ts";
import { testCaller } from "../testing.ts";
import { createInvoicer, type InvoiceAddress, type Invoicer } from "./invoicer.ts";

const signal = AbortSignal.timeout(300_000);

interface World {
  readonly db: Db;
  readonly admin: Caller;
  readonly invoicer: Invoicer;
  readonly setTime: (text: string) => void;
  readonly group: (name: string, organization?: string) => Promise<string>;
  readonly person: (name: string, groups: readonly string[], managerOf: readonly string[]) => Promise<string>;
}

interface Entry {
  readonly at: string;
  readonly micro: bigint;
  readonly m2?: bigint;
  readonly provider?: string | null;
  readonly dataset?: string | null;
  readonly mapType?: string | null;
}

async function world(body: (world: World) => Promise<void>): Promise<void> {
  await using bench = await usersBench();
  let now = new Date("2026-06-15T00:00:00Z");
  const invoicer = createInvoicer({
    db: bench.database.db,
    clock: { now: () => now },
    users: bench.users,
    signingKeys: () => [new Uint8Array(32).fill(7)],
    writeInvoice: writeInvoiceInWorker,
  });
  const { id } = await bench.person("admin", []);
  await body({
    admin: asUser(id, ["admin"]),
    db: bench.database.db,
    invoicer,
    setTime(text) {
      now = new Date(text);
    },
    group: (name, organization) => bench.group(name, [], organization ?? null),
    person: async (name, groups, managerOf) => (await bench.person(name, groups, { managerOf })).id,
  });
}

/** Writes entries of the log; the triggers of the ledger keep the balance beside them. */
async function log(db: Db, groupId: string, entries: readonly Entry[]): Promise<void> {
  await sql`insert into credit_groups (group_id) values (${groupId}) on conflict do nothing`.execute(db);
  await sql`insert into credit_users (group_id, user_id) values (${groupId}, 'user') on conflict do nothing`.execute(
    db,
  );
  await sql`
    insert into credit_grants (id, group_id, micro, note, created_at)
    values (gen_random_uuid()::text, ${groupId}, 9000000000000, 'n', now())`.execute(db);
  for (const { at, micro, m2 = 0n, provider = "ab", dataset = "spot", mapType = null } of entries) {
    await sql`
      insert into credit_transactions
        (id, kind, created_at, user_id, group_id, provider, dataset, map_type, area_m2, micro, order_reference_id)
      values (gen_random_uuid()::text, ${micro < 0n ? "credit.return" : "credit.preallocate"}, ${at}::timestamptz,
        'user', ${groupId}, ${provider}, ${dataset}, ${mapType}, ${String(micro < 0n ? -m2 : m2)}::bigint, ${String(micro)}::bigint,
        'order')`.execute(db);
  }
}

function addressOf(url: string): InvoiceAddress & { readonly signature: string } {
  const query = new URL(url).searchParams;
  const value = (name: string): string => query.get(name) ?? "";
  return {
    groupId: value("groupId"),
    userId: value("userId"),
    month: value("month"),
    expires: Number(value("expires")),
    signature: value("signature"),
  };
}

async function csvOf(invoicer: Invoicer, url: string): Promise<string[]> {
  const { status, body } = await invoicer.file("invoice.csv", addressOf(url), signal);
  assert.equal(status, 200);
  assert.ok(body instanceof Uint8Array);
  return Buffer.from(body).toString("utf8").split("\r\n").slice(0, -1);
}

/** The text of the PDF, or null where poppler is not installed. */
async function pdfText(t: TestContext, invoicer: Invoicer, url: string): Promise<string | null> {
  const { body, mediaType } = await invoicer.file("invoice.pdf", addressOf(url), signal);
  assert.equal(mediaType, "application/pdf");
  assert.ok(body instanceof Uint8Array);
  assert.equal(Buffer.from(body.subarray(0, 5)).toString(), "%PDF-");
  const folder = mkdtempSync(join(tmpdir(), "swath-invoice-"));
  try {
    writeFileSync(join(folder, "invoice.pdf"), body);
    return execFileSync("pdftotext", ["-layout", join(folder, "invoice.pdf"), "-"], { encoding: "utf8" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    t.diagnostic("pdftotext is not installed");
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refused(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

const asUser = (userId: string, permissions: readonly string[] = [], groupId = ""): Caller =>
  testCaller({ userId, groupId, permissions: new Set(permissions) });

test("an invoice sums the entries of one UTC month by provider, dataset and map type, as JSON, CSV and PDF", async (t) => {
  await world(async ({ db, admin, invoicer, group }) => {
    const groupId = await group("Čáslav growers");
    await log(db, groupId, [
      { at: "2026-02-28T23:59:59.999Z", micro: 7_000_000n },
      { at: "2026-03-01T00:00:00Z", micro: 1_000_001n, m2: 2_500_000n },
      { at: "2026-03-31T23:59:59.999999Z", micro: 2n, m2: 1n },
      // A local time: 1 April in Auckland is still March in UTC.
      { at: "2026-04-01T08:00:00+13:00", micro: 500_000n, dataset: "pleiades", mapType: "ships" },
      { at: "2026-03-20T00:00:00Z", micro: -250_000n, provider: null, dataset: null },
      { at: "2026-04-01T00:00:00Z", micro: 9_000_000n },
    ]);
    const invoice = await invoicer.invoice(admin, { groupId, month: "2026-03" }, "http://swath.test");
    assert.deepEqual(invoice.lines, [
      { provider: "ab", dataset: "pleiades", mapType: "ships", entries: 1, areaKm2: 0, credit: 0.5 },
      { provider: "ab", dataset: "spot", mapType: null, entries: 2, areaKm2: 2.500001, credit: 1.000003 },
      { provider: null, dataset: null, mapType: null, entries: 1, areaKm2: 0, credit: -0.25 },
    ]);
    assert.deepEqual(
      [invoice.credit, invoice.areaKm2, invoice.entries, invoice.timeZone, invoice.from, invoice.to, invoice.isFinal],
      [1.250003, 2.500001, 4, "UTC", "2026-03-01 00:00:00", "2026-04-01 00:00:00", true],
    );
    const number = `2026-03-${groupId}`;
    assert.equal(invoice.number, number);
    const prefix = `${number},2026-03,UTC,${groupId},Čáslav growers`;
    assert.deepEqual(await csvOf(invoicer, invoice.csvUrl), [
      "number,month,timeZone,groupId,groupName,provider,dataset,mapType,entries,areaKm2,credit",
      `${prefix},ab,pleiades,ships,1,0.00,0.50`,
      `${prefix},ab,spot,,2,2.500001,1.000003`,
      `${prefix},,,,1,0.00,-0.25`,
    ]);
    const text = await pdfText(t, invoicer, invoice.pdfUrl);
    if (text === null) return;
    for (const line of [
      /^ *Invoice 2026-03$/m,
      /Group +Čáslav growers/,
      /Period +2026-03-01 00:00:00 to 2026-04-01 00:00:00, time zone UTC/,
      /State +final/,
      /ab +pleiades +ships +1 +0\.00 +0\.50/,
      /ab +spot +2 +2\.500001 +1\.000003/,
      /Total +4 +2\.500001 +1\.250003/,
    ]) {
      assert.match(text, line);
    }
  });
});

test("the invoices of all months sum to the used credit of the ledger exactly, whatever was logged when", async (t) => {
  await world(async ({ db, admin, invoicer, group }) => {
    const start = Date.UTC(2025, 10, 28);
    const entry = fc.record({
      // Four months, and often the last and first milliseconds of one.
      at: fc
        .oneof(
          fc.integer({ min: start, max: Date.UTC(2026, 2, 3) }),
          fc
            .tuple(
              fc.constantFrom(Date.UTC(2025, 11), Date.UTC(2026, 0), Date.UTC(2026, 1)),
              fc.integer({ min: -2, max: 1 }),
            )
            .map(([first, offset]) => first + offset),
        )
        .map((ms) => new Date(ms).toISOString()),
      micro: fc.bigInt(-900_000_000n, 90_000_000_000n),
      m2: fc.bigInt(0n, 900_000_000n),
      provider: fc.constantFrom("ab", "pl", null),
      dataset: fc.constantFrom("spot", "=1+1", null),
      mapType: fc.constantFrom("ships", null),
    });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 30 }), async (drawn) => {
        // The ledger lets nobody be given back more than was spent.
        const first = { ...drawn[0]!, micro: 900_000_000n * 30n };
        const entries = [first, ...drawn.filter(({ micro }) => micro !== 0n)];
        runs += 1;
        const groupId = await group(`history ${runs}`);
        await log(db, groupId, entries);
        const used = await sql<{ micro: string }>`
          select used_micro::text as micro from credit_groups where group_id = ${groupId}`.execute(db);
        let total = 0n;
        for (const month of ["2025-11", "2025-12", "2026-01", "2026-02", "2026-03"]) {
          const invoice = await invoicer.invoice(admin, { groupId, month }, "http://swath.test");
          const lines = invoice.lines.map(({ credit }) => creditsToMicro(credit));
          assert.equal(
            lines.reduce((sum, one) => sum + one, 0n),
            creditsToMicro(invoice.credit),
          );
          const cells = (await csvOf(invoicer, invoice.csvUrl)).slice(1).map((line) => line.split(",").at(-1) ?? "");
          assert.deepEqual(
            cells.map((cell) => creditsToMicro(Number(cell))),
            lines,
          );
          const expected = entries.filter(({ at }) => at.startsWith(month));
          assert.equal(invoice.entries, expected.length);
          total += creditsToMicro(invoice.credit);
        }
        assert.equal(String(total), used.rows[0]?.micro);
      }),
      { numRuns: 25, endOnFailure: true },
    );
    t.diagnostic(`${runs} histories`);
  });
});

test("a month that runs is provisional until an hour after it, a month that has not begun is refused", async () => {
  await world(async ({ db, admin, invoicer, group, setTime }) => {
    const groupId = await group("g");
    await log(db, groupId, [{ at: "2026-03-05T00:00:00Z", micro: 1n }]);
    const isFinal = async (): Promise<boolean> =>
      (await invoicer.invoice(admin, { groupId, month: "2026-03" }, "http://h")).isFinal;
    setTime("2026-04-01T00:59:59Z");
    assert.equal(await isFinal(), false);
    setTime("2026-04-01T01:00:00Z");
    assert.equal(await isFinal(), true);
    setTime("2026-02-28T23:59:59Z");
    await assert.rejects(isFinal(), refused("VALIDATION-ERROR"));
  });
});

test("administrators, heads of the organisation and managers of the group get its invoice, others learn nothing", async () => {
  await world(async ({ db, admin, invoicer, group, person }) => {
    const [payer, home] = [await group("payer", "acme"), await group("home", "acme")];
    const elsewhere = await group("elsewhere", "umbrella");
    await log(db, payer, [{ at: "2026-03-05T00:00:00Z", micro: 3_000_000n }]);
    const manager = await person("manager", [payer], [payer]);
    const member = await person("member", [payer], []);
    const head = await person("head", [home], []);
    const stranger = await person("stranger", [elsewhere], [elsewhere]);
    const ask = (caller: Caller, groupId?: string) =>
      invoicer.invoice(caller, { month: "2026-03", ...(groupId === undefined ? {} : { groupId }) }, "http://h");
    for (const caller of [
      admin,
      asUser("nobody", ["admin.credits.invoice"]),
      asUser(manager),
      asUser(head, ["organization"]),
    ]) {
      assert.equal((await ask(caller, payer)).credit, 3);
    }
    // Without a group: the one that pays for the caller.
    assert.equal((await ask({ ...asUser(manager, [], home), accountingGroupId: payer })).credit, 3);
    await assert.rejects(ask(asUser(member), payer), refused("NOT-AUTHORIZED"));
    await assert.rejects(ask(asUser(manager), home), refused("NON-EXISTENT-GROUP"));
    await assert.rejects(ask(asUser(stranger), payer), refused("NON-EXISTENT-GROUP"));
    await assert.rejects(ask(asUser(stranger, ["organization"]), payer), refused("NON-EXISTENT-GROUP"));
    await assert.rejects(ask(admin, "no such group"), refused("NON-EXISTENT-GROUP"));
  });
});

test("an address cannot be changed, outlived, or used when blocked", async () => {
  await world(async ({ db, admin, invoicer, group, setTime }) => {
    const [groupId, other] = [await group("one"), await group("two")];
    await log(db, groupId, [{ at: "2026-03-05T00:00:00Z", micro: 1n }]);
    const { csvUrl } = await invoicer.invoice(admin, { groupId, month: "2026-03" }, "http://h");
    const address = addressOf(csvUrl);
    for (const forged of [
      { ...address, groupId: other },
      { ...address, userId: "somebody" },
      { ...address, month: "2026-04" },
      { ...address, expires: address.expires + 1 },
      { ...address, signature: "" },
    ]) {
      await assert.rejects(invoicer.file("invoice.csv", forged, signal), refused("NOT-AUTHORIZED"));
    }
    await sql`update users set blocked = true where id = ${admin.userId}`.execute(db);
    await assert.rejects(invoicer.file("invoice.csv", address, signal), refused("NOT-AUTHORIZED"));
    await sql`update users set blocked = false where id = ${admin.userId}`.execute(db);
    assert.equal((await csvOf(invoicer, csvUrl)).length, 2);
    setTime("2026-06-15T01:00:00Z");
    await assert.rejects(invoicer.file("invoice.csv", address, signal), refused("NOT-AUTHORIZED"));
  });
});
