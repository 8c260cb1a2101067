import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { seededRandom } from "../bench/statistics.ts";
import { ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";

import { DEMO, ServiceProcess } from "./service-process.ts";

const ROUNDS = 4;
const CLIENTS = 8;
const SEED = 20_260_301;
const ENTRY = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");

interface Request {
  readonly sceneIds: readonly string[];
  readonly geojson: object;
  readonly idempotencyKey: string;
}

/** A box somewhere over the coast. */
function anyRequest(sceneId: string, key: string, random: () => number): Request {
  const [west, south] = [15.0005 + random() * 0.017, 0.8823 + random() * 0.017];
  const [east, north] = [west + 0.001 + random() * 0.003, south + 0.001 + random() * 0.003];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ].map((position) => position.map((degrees) => Math.round(degrees * 1e7) / 1e7));
  return { sceneIds: [sceneId], geojson: { type: "Polygon", coordinates: [ring] }, idempotencyKey: key };
}

async function verify(folder: string): Promise<{ readonly code: unknown; readonly output: string }> {
  const child = spawn(process.execPath, [ENTRY, "ledger", "verify", "--json"], {
    env: { ...process.env, SWATH_DATA: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code, output: output + errors };
}

test("a service killed while many allocate charges each request at most once, and its ledger is proved", async () => {
  const random = seededRandom(SEED);
  await using service = await ServiceProcess.start();
  let demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const before = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  const sent: Request[] = [];
  const costs = new Map<string, number>();

  const send = async (client: RawClient, request: Request): Promise<void> => {
    const { status, body } = await client.post("/credits/area/allocate-geojson", request);
    assert.equal(status, 200, JSON.stringify(body));
    const earlier = costs.get(request.idempotencyKey);
    assert.ok(
      earlier === undefined || earlier === body.cost,
      `${request.idempotencyKey}: ${earlier}, then ${body.cost}`,
    );
    costs.set(request.idempotencyKey, body.cost);
  };

  for (let round = 0; round < ROUNDS; round += 1) {
    const client = demo;
    const killed = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      for (let number = 0; !killed.signal.aborted; number += 1) {
        const request = anyRequest(sceneId, `round ${round} client ${index} request ${number}`, random);
        sent.push(request);
        // The answer is lost with the process; whether the charge is too, the replay below finds out.
        await send(client, request).catch((error: unknown) => {
          if (error instanceof assert.AssertionError) throw error;
        });
      }
    });
    // Seeded: after this many answers, in the middle of whatever the other clients are doing.
    const enough = costs.size + 4 + Math.floor(random() * 40);
    while (costs.size < enough) await new Promise((resolve) => setImmediate(resolve));
    await service.kill();
    killed.abort();
    await Promise.all(clients);
    if (round === 0) {
      const dead = await verify(service.folder);
      assert.equal(dead.code, 0, dead.output);
    }
    await service.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
  }

  // Beside the running service, before anything is repeated.
  const beside = await verify(service.folder);
  assert.equal(beside.code, 0, beside.output);
  const answered = new Map(costs);
  for (const request of sent) await send(demo, request);
  for (const [key, cost] of answered) assert.equal(costs.get(key), cost);
  const charged = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
  const after = (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
  assert.ok(Math.abs(before - after - charged) < 1e-6, `${before} - ${after} is not ${charged}`);
  assert.ok(
    charged > 0 && sent.length > answered.size,
    "some answers must have been lost for the test to mean something",
  );
  const proof = await verify(service.folder);
  assert.equal(proof.code, 0, proof.output);
  assert.ok(JSON.parse(proof.output).counts.requests >= sent.length);
});
