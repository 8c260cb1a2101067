import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { createStapiProvider } from "../../tasking-providers/stapi/stapi-provider.ts";
import { sampleOrder } from "../../tasking-providers/stapi/testing/sample-order.ts";
import { ASSURED, stapiBench } from "./testing.ts";

const HOUR_MS = 3_600_000;

test("the STAPI client of the service finds windows of this server and orders one, once", async () => {
  await using bench = await stapiBench();
  const ada = await bench.study.addUser("ada");
  await bench.study.grant(ada.groupId, 100_000);
  const folder = await mkdtemp(join(tmpdir(), "swath-stapi-"));
  await writeFile(join(folder, "token"), ada.token);
  const { db } = bench.study;
  await using provider = createStapiProvider(
    {
      url: `${bench.address}/stapi`,
      product: ASSURED,
      parameters: { opportunity_id: { from: "offer" } },
      credentials: [{ kind: "bearer", hosts: [bench.address], token: { file: join(folder, "token") } }],
    },
    { clock: systemClock, db },
  );
  const signal = AbortSignal.timeout(60_000);
  const nowMs = Date.now();
  const sample = sampleOrder(nowMs);
  const asked = { ...sample, fromMs: nowMs + 48 * HOUR_MS, toMs: nowMs + 240 * HOUR_MS };
  const windows = await provider.feasibility(asked, signal);
  const [window] = windows;
  assert.ok(window !== undefined && window.offerId !== null);
  assert.deepEqual([window.coverageRatio, window.mode], [1, ASSURED]);
  assert.ok(window.incidenceDeg !== null && window.incidenceDeg > 0);
  const { endMs, offerId, startMs } = window;
  const order = { ...asked, offer: { ...sample.offer, offerId }, window: { startMs, endMs } };
  const id = await provider.submit(order, signal);
  assert.equal(await provider.submit(order, signal), id);
  assert.equal((await provider.poll(order, id, signal)).state, "received");
  const rows = await db.selectFrom("tasking_orders").select(["id", "window_id"]).execute();
  assert.deepEqual(rows, [{ id, window_id: offerId }]);
  await rm(folder, { recursive: true });
});
