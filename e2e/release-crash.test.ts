import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { seededRandom } from "../bench/statistics.ts";
import { boundsPolygon } from "../packages/kernel/src/geometry/bounds-polygon.ts";
import { verifyLedger } from "./chaos/verify-ledger.ts";
import { ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const ROUNDS = 3;
const RELEASES = 6;
const SEED = 20_261_122;
/** Holds of cancelled releases go back within seconds; a busy machine takes longer. */
const RETURN_DEADLINE_MS = 60_000;

interface Accepted {
  readonly pipelineId: string;
  readonly extent: object;
}

interface Transaction {
  readonly kind: string;
  readonly credit: number;
  readonly orderReferenceId?: string;
}

/** A box over the coast that overlaps others. */
function anyExtent(random: () => number): object {
  const [west, south] = [15.0005 + random() * 0.015, 0.8823 + random() * 0.015];
  return boundsPolygon([west, south, west + 0.006, south + 0.006]);
}

async function transactions(client: RawClient): Promise<readonly Transaction[]> {
  const all: Transaction[] = [];
  for (let cursor: string | null = null; ;) {
    const { status, body } = await client.post("/credits/user/list-transactions", { cursor, limit: 1000 });
    assert.equal(status, 200, JSON.stringify(body));
    all.push(...body.results);
    cursor = body.cursor;
    if (cursor === null) return all;
  }
}

function sumOf(all: readonly Transaction[], ...kinds: readonly string[]): number {
  return all.filter(({ kind }) => kinds.includes(kind)).reduce((sum, { credit }) => sum + credit, 0);
}

test("releases that pay are charged once, and hold nothing, when the service is killed among them", async () => {
  const random = seededRandom(SEED);
  await using service = await ServiceProcess.start();
  let demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const accepted: Accepted[] = [];
  const cancelled: string[] = [];

  for (let round = 0; round < ROUNDS; round += 1) {
    const client = demo;
    const known = accepted.length;
    const initiates = Array.from({ length: RELEASES }, async (_, index) => {
      const extent = anyExtent(random);
      const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [sceneId], extent, allocate: true };
      // The answer may be lost with the process: its release runs all the same, or was never accepted.
      const answer = await client.post("/mapsvc/release/initiate", request).catch(() => null);
      if (answer === null) return;
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      const { pipelineId } = answer.body;
      if (index === 0) {
        const end = await client.post("/tasking/cancel", { pipelineId }).catch(() => null);
        if (end?.status === 200) cancelled.push(pipelineId);
        if (end === null || end.status === 200) return;
      }
      accepted.push({ pipelineId, extent });
    });
    // Seeded: after this many answers, in the middle of whatever the releases are doing.
    const enough = known + 1 + Math.floor(random() * (RELEASES - 2));
    while (accepted.length < enough) await new Promise((resolve) => setImmediate(resolve));
    await service.kill();
    await Promise.all(initiates);
    await service.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
  }

  for (const { pipelineId, extent } of accepted) {
    await demo.settled(pipelineId);
    const { body, status } = await demo.post("/mapsvc/release/retrieve", { pipelineId });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.counts, { succeeded: 2, failed: 0 }, JSON.stringify(body));
    const { heldCredits, chargedCredits, returnedCredits } = body.payment;
    assert.ok(Math.abs(heldCredits - chargedCredits - returnedCredits) < 1e-6);
    const check = await demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: extent });
    assert.equal(check.body.cost, 0, "the area of a release that was made is held");
  }
  const deadlineMs = performance.now() + RETURN_DEADLINE_MS;
  let log = await transactions(demo);
  while (Math.abs(sumOf(log, "credit.preallocate", "credit.return")) > 1e-6 && performance.now() < deadlineMs) {
    await wait(250);
    log = await transactions(demo);
  }
  assert.ok(Math.abs(sumOf(log, "credit.preallocate", "credit.return")) < 1e-6, "every hold has gone back");
  const references = log.filter(({ kind }) => kind === "credit.preallocate").map((entry) => entry.orderReferenceId);
  assert.equal(new Set(references).size, references.length, "no release has held twice");
  assert.ok(cancelled.every((pipelineId) => references.includes(pipelineId)));
  const after = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(Math.abs(before - after - sumOf(log, "credit.allocate")) < 1e-6, `${before} - ${after}`);
  assert.ok(before > after, "something was charged");
  assert.equal(await verifyLedger({ SWATH_DATA: service.folder }), null);
});
