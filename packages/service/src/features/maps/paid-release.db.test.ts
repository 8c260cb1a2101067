import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "@swath/base/clock";
import type { ReleaseRequest } from "@swath/contract/features/maps/release-contract";
import type { Caller, Db, PipelineJob } from "../../platform/context.ts";
import { recordedEvents } from "../../platform/events/testing.ts";
import { boxPolygon, setPrice, testScene } from "../credits/testing.ts";
import { verifyLedger } from "../credits/verify/verify-ledger.ts";
import { mapBench, type Answer, type MapBench } from "./testing.ts";

const RIGHTS = ["mapsvc", "credits", "imagery.images", "algorithms"];
const one = testScene("one").scene.sceneId;
const two = testScene("two").scene.sceneId;
const gray = testScene("gray", { roles: [null] }).scene.sceneId;
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);
const PRICE_MICRO = 1_000_000n;
const START = 1000;

interface World extends AsyncDisposable {
  readonly b: MapBench;
  readonly token: string;
  readonly caller: Caller;
}

/** A group with 1000 credits, scenes at 1 credit a square kilometre; at the end the log accounts for everything. */
async function world(lost: readonly string[] = [], permissions: readonly string[] = RIGHTS): Promise<World> {
  const scenes = [testScene("one"), testScene("two"), testScene("gray", { roles: [null] })];
  const b = await mapBench(scenes, systemClock, (sceneId) => !lost.includes(sceneId));
  await setPrice(b.db, "spot", PRICE_MICRO);
  const { token, caller } = await b.addUser("payer@example.com", permissions);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, caller.groupId, BigInt(START) * 1_000_000n, "start"));
  return {
    b,
    token,
    caller,
    async [Symbol.asyncDispose]() {
      const { differences } = await verifyLedger(b.db, AbortSignal.timeout(60_000));
      await b[Symbol.asyncDispose]();
      assert.deepEqual(differences, []);
    },
  };
}

function release({ b, token }: World, request: Partial<ReleaseRequest>): Promise<Answer> {
  return b.run(
    "/mapsvc/release",
    { mapTypes: ["imagery"], sceneIds: [one], extent, allocate: true, ...request },
    token,
  );
}

async function remaining({ b, token }: World): Promise<number> {
  return (await b.post("/credits/get-remaining-credit", {}, token)).json.remainingCredit;
}

async function costOf({ b, token }: World, sceneIds: readonly string[], geojson: object = extent): Promise<number> {
  const { cost } = (await b.post("/credits/area/check-geojson", { sceneIds, geojson }, token)).json;
  assert.ok(cost > 0);
  return cost;
}

/** Kinds and amounts of the log, oldest first. */
async function log(db: Db): Promise<readonly (readonly [string, number])[]> {
  const { rows } = await sql<{ kind: string; micro: string }>`
    select kind, micro::text as micro from credit_transactions order by created_at, kind desc`.execute(db);
  return rows.map(({ kind, micro }) => [kind, Number(micro) / 1e6]);
}

function assertClose(got: number, expected: number): void {
  assert.ok(Math.abs(got - expected) < 2e-6, `${got} credits, expected ${expected}`);
}

function refusal({ status, json }: Answer): readonly [number, string] {
  return [status, json?.error];
}

test("a release with allocate charges what an allocation would, says so by map, and charges the area once", async () => {
  await using w = await world();
  const cost = await costOf(w, [one, two]);
  const { json, text } = await release(w, { mapTypes: ["imagery", "ndvi"], sceneIds: [one, two] });
  assert.deepEqual(json.counts, { succeeded: 4, failed: 0 }, text);
  const [released, ...others] = await recordedEvents(w.b.db, "map.released");
  assert.ok(released !== undefined && others.length === 0);
  assert.deepEqual([released.userId, released.groupId], [w.caller.userId, w.caller.groupId]);
  const made = json.maps.map(({ mapId, mapType, sceneId }: Record<string, unknown>) => ({ mapId, mapType, sceneId }));
  assert.deepEqual(released.data["maps"], made);
  const { payment } = json;
  assertClose(payment.chargedCredits, cost);
  assertClose(payment.heldCredits, cost);
  assert.equal(payment.returnedCredits, 0);
  assert.equal(await remaining(w), payment.remainingCredit);
  assertClose(payment.remainingCredit, START - cost);
  assert.deepEqual(
    payment.scenes.map(({ sceneId, mapType }: Record<string, unknown>) => [sceneId, mapType]),
    [
      [one, null],
      [two, null],
    ],
  );
  const charged: number[] = json.maps.map(({ chargedCredits }: { chargedCredits: number }) => chargedCredits);
  assert.deepEqual(
    charged.map((credits) => credits > 0),
    [true, false, true, false],
  );
  assertClose(
    charged.reduce((sum, credits) => sum + credits, 0),
    cost,
  );
  assert.deepEqual(
    json.ndvi.map(({ chargedCredits }: { chargedCredits: number }) => chargedCredits),
    [0, 0],
  );

  const again = await release(w, { mapTypes: ["imagery", "ndvi"], sceneIds: [one, two] });
  assert.deepEqual([again.json.payment.chargedCredits, again.json.payment.scenes], [0, []]);
  assertClose(await remaining(w), START - cost);
});

test("dry run, allocation and release charge the price of the paying group, and no other group sees it", async () => {
  await using w = await world();
  const { b, token, caller } = w;
  const stranger = await b.addUser("stranger@example.com", RIGHTS);
  await b.db.transaction().execute((trx) => b.credits.grant(trx, stranger.caller.groupId, 1_000_000_000n, "start"));
  const listed = await costOf(w, [one]);
  await sql`
    insert into credit_price_rules (id, group_id, micro_per_km2)
    values ('agreed', ${caller.groupId}, 250000), ('strange', ${stranger.caller.groupId}, 9000000)`.execute(b.db);
  const dryRuns = [{ mapTypes: ["imagery"], scenes: [[one]] }];
  const dry = await b.run("/mapsvc/dry-run", { dryRuns, extent }, token);
  assertClose(dry.json.allocatedCredits, listed / 4);
  assertClose((await release(w, {})).json.payment.chargedCredits, listed / 4);
  const paid = await b.post("/credits/area/allocate-geojson", { sceneIds: [two], geojson: extent }, token);
  assertClose(paid.json.cost, listed / 4);
  const theirs = await b.run("/mapsvc/dry-run", { dryRuns, extent }, stranger.token);
  assert.ok(Math.abs(theirs.json.allocatedCredits - 9 * listed) < 1e-5);
});

test("overlapping releases pay for the area that they have in common once, also when they run at the same time", async () => {
  await using w = await world();
  const [west, east] = [boxPolygon([14.05, 50.05, 14.12, 50.1]), boxPolygon([14.1, 50.05, 14.15, 50.1])];
  const whole = await costOf(w, [one]);
  const answers = await Promise.all([west, east, extent].map((area) => release(w, { extent: area })));
  for (const { json, text } of answers) assert.deepEqual(json.counts, { succeeded: 1, failed: 0 }, text);
  // Three areas are rounded to square metres.
  assert.ok(Math.abs((await remaining(w)) - (START - whole)) < 5e-6);
  const sum = answers.reduce((total, { json }) => total + json.payment.chargedCredits, 0);
  assert.ok(Math.abs(sum - whole) < 5e-6);
});

test("what can be known to fail is refused before a credit is taken", async () => {
  await using w = await world();
  const { b } = w;
  const misspelt = await release(w, { mapTypes: ["imagery", "ndvy"] });
  assert.deepEqual(refusal(misspelt), [422, "VALIDATION-ERROR"]);
  assert.match(misspelt.text, /there is no map type ndvy/u);
  assert.deepEqual(refusal(await release(w, { mapTypes: ["ndvi", "ships"], sceneIds: [gray] })), [
    400,
    "UNSUPPORTED-IMAGERY",
  ]);
  assert.deepEqual(refusal(await release(w, { extent: boxPolygon([15, 51, 15.1, 51.1]) })), [
    400,
    "EXTENT-HAS-NO-INTERSECTION",
  ]);
  const unknown = await release(w, { mapTypes: ["imagery"], colour: "red" } as Partial<ReleaseRequest>);
  assert.deepEqual(refusal(unknown), [422, "VALIDATION-ERROR"]);
  await setPrice(b.db, "spot", 1_000_000_000n);
  assert.deepEqual(refusal(await release(w, {})), [401, "INSUFFICIENT-CREDIT"]);
  await setPrice(b.db, "spot", PRICE_MICRO);
  await b.db.transaction().execute((trx) => b.credits.createAccount(trx, w.caller.groupId, w.caller.userId));
  await sql`update credit_users set limit_micro = 1000000`.execute(b.db);
  assert.deepEqual(refusal(await release(w, {})), [401, "USER-CREDIT-LIMIT"]);
  assert.deepEqual(await log(b.db), []);
});

test("allocate needs the right to allocate", async () => {
  await using w = await world([], ["mapsvc", "imagery.images"]);
  const answer = await release(w, {});
  assert.deepEqual(refusal(answer), [401, "NOT-AUTHORIZED"]);
  assert.match(answer.text, /credits\.allocate-area/u);
});

test("maps that fail cost nothing: their share of the hold comes back with the result", async () => {
  await using w = await world([two]);
  const [own, both] = [await costOf(w, [one]), await costOf(w, [one, two])];
  const { json } = await release(w, { mapTypes: ["imagery"], sceneIds: [one, two] });
  assert.deepEqual(json.counts, { succeeded: 1, failed: 1 });
  assertClose(json.payment.heldCredits, both);
  assertClose(json.payment.chargedCredits, own);
  assertClose(json.payment.returnedCredits, both - own);
  assertClose(await remaining(w), START - own);
  assert.deepEqual(
    (await log(w.b.db)).map(([kind]) => kind),
    ["credit.preallocate", "credit.return", "credit.allocate"],
  );

  const none = await release(w, { mapTypes: ["imagery"], sceneIds: [two] });
  assert.deepEqual([none.json.counts, none.json.payment.chargedCredits], [{ succeeded: 0, failed: 1 }, 0]);
  assertClose(await remaining(w), START - own);
});

test("scenes without the bands of a map type are neither held nor charged for it", async () => {
  await using w = await world();
  await sql`
    insert into credit_price_rules (id, dataset, map_type, micro_per_km2) values ('ndvi', 'spot', 'ndvi', 500000)`.execute(
    w.b.db,
  );
  const own = await costOf(w, [one]);
  const { json } = await release(w, { mapTypes: ["ndvi"], sceneIds: [one, gray] });
  assert.deepEqual(json.counts, { succeeded: 1, failed: 1 });
  assert.ok(Math.abs(json.payment.heldCredits - own * 1.5) < 5e-6);
  assert.equal(json.maps[0].chargedCredits, json.payment.chargedCredits);
  assert.deepEqual(
    json.payment.scenes.map(({ sceneId, mapType }: Record<string, unknown>) => [sceneId, mapType]),
    [
      [one, null],
      [one, "ndvi"],
    ],
  );
});

test("a series pays for the scenes of its maps", async () => {
  await using w = await world([two]);
  const { json, text } = await release(w, { mapTypes: ["imagery", "change"], sceneIds: [one, two] });
  assert.deepEqual(json.counts?.succeeded, 1, text);
  assertClose(json.payment.chargedCredits, json.payment.heldCredits / 2);
});

test("the flat form of one map type pays too, and is charged nothing when it fails", async () => {
  await using w = await world([two]);
  const cost = await costOf(w, [one]);
  const flat = await w.b.run(
    "/mapsvc/release",
    { mapType: "imagery", sceneIds: [one], extent, allocate: true },
    w.token,
  );
  assert.equal(flat.json.mapId, flat.json.maps[0].mapId);
  assertClose(flat.json.payment.chargedCredits, cost);
  const failed = await w.b.run(
    "/mapsvc/release",
    { mapType: "imagery", sceneIds: [two], extent, allocate: true },
    w.token,
  );
  assert.equal(failed.status, 424);
  assert.equal(await w.b.credits.returnEndedReleases(AbortSignal.timeout(60_000)), 1);
  assertClose(await remaining(w), START - cost);
});

/** The steps of a release one by one, as a process takes them that may stop between any two. */
function steps({ b, caller }: World, pipelineId: string) {
  const request: ReleaseRequest = { mapTypes: ["imagery"], sceneIds: [one], extent, allocate: true };
  const { signal } = new AbortController();
  const base = { caller, signal, requestId: "r", baseUrl: "http://swath.test", pipelineId };
  const partial: unknown[] = [];
  const job: PipelineJob = {
    ...base,
    attempt: 1,
    failures: 0,
    report: async () => {},
    savePartial: async (result) => void partial.push(result),
  };
  return {
    partial,
    accept: async (): Promise<void> => {
      const context = { ...base, beginWait: () => null };
      const prepared = await b.maps.release.prepare?.(request, context);
      assert.ok(prepared !== undefined);
      await b.db.transaction().execute(async (trx) => b.maps.release.admit?.(request, context, trx, prepared));
    },
    run: () => b.maps.release.run(request, job),
  };
}

test("a process that dies between making and charging takes nothing; the run that follows charges once", async () => {
  await using w = await world();
  const { b } = w;
  const cost = await costOf(w, [one]);
  const { accept, partial, run } = steps(w, "pipeline-of-20-chars");
  await accept();
  assertClose(await remaining(w), START - cost);
  const first = await run();
  await assert.rejects(
    b.db.transaction().execute(async (trx) => {
      await first.commit?.(trx);
      throw new Error("the process dies before the transaction ends");
    }),
  );
  assert.deepEqual((await log(b.db)).length, 1);
  const second = await run();
  const result = await b.db.transaction().execute(async (trx) => second.commit?.(trx));
  assertClose(result?.payment?.chargedCredits ?? 0, cost);
  assertClose(await remaining(w), START - cost);
  assert.deepEqual(partial, [], "maps that are not paid are not shown");
  await assert.rejects(
    b.db.transaction().execute(async (trx) => first.commit?.(trx)),
    /0 are held/u,
    "the end of an earlier run charges nothing more",
  );
  assertClose(await remaining(w), START - cost);
});

test("a release that was cancelled or given up gets its hold back, once", async () => {
  await using w = await world();
  const { accept } = steps(w, "pipeline-of-20-chars");
  await accept();
  assert.ok((await remaining(w)) < START);
  assert.equal(await w.b.credits.returnEndedReleases(AbortSignal.timeout(60_000)), 1);
  assert.equal(await w.b.credits.returnEndedReleases(AbortSignal.timeout(60_000)), 0);
  assert.equal(await remaining(w), START);
});

test("the prices of the hold are charged, and area that was paid for meanwhile is not charged again", async () => {
  await using w = await world();
  const cost = await costOf(w, [one]);
  const dear = steps(w, "pipeline-of-20-chars");
  await dear.accept();
  await sql`update credit_price_rules set valid_until = now() where id = 'test spot'`.execute(w.b.db);
  await sql`
    insert into credit_price_rules (id, dataset, micro_per_km2, valid_from) values ('dear', 'spot', 5000000, now())`.execute(
    w.b.db,
  );
  const made = await dear.run();
  const half = boxPolygon([14.05, 50.05, 14.1, 50.1]);
  const paid = await w.b.post("/credits/area/allocate-geojson", { sceneIds: [one], geojson: half }, w.token);
  assert.ok(Math.abs(paid.json.cost - (5 * cost) / 2) < 1e-3);
  const result = await w.b.db.transaction().execute(async (trx) => made.commit?.(trx));
  assert.ok(Math.abs((result?.payment?.chargedCredits ?? 0) - cost / 2) < 1e-3);
  assert.ok(Math.abs((result?.payment?.returnedCredits ?? 0) - cost / 2) < 1e-3);
});

test("a licence that ends before the maps are made takes no credit and shows no map", async () => {
  await using w = await world();
  const { accept, run } = steps(w, "pipeline-of-20-chars");
  await accept();
  const made = await run();
  await sql`update groups set license_expires_at = now() - interval '1 minute' where id = ${w.caller.groupId}`.execute(
    w.b.db,
  );
  await assert.rejects(
    w.b.db.transaction().execute(async (trx) => made.commit?.(trx)),
    { code: "LICENSE-EXPIRED" },
  );
  assert.equal(await w.b.credits.returnEndedReleases(AbortSignal.timeout(60_000)), 1);
  assert.equal(await remaining(w), START);
});
