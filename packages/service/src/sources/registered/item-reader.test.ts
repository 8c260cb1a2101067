import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { spikes } from "../../platform/geometry/hostile-areas-testing.ts";
import { ItemReader } from "./item-reader.ts";
import type { ItemsJob, ReadItems } from "./read-items.ts";

const TARGET = { provider: "local", dataset: "uploads", owner: "group:1" };
const HOSTS = { hosts: ["https://cogs.example.com"], rewriteHrefs: [] };
const endless = new AbortController().signal;

/** A line of an item whose outline has so many spikes. */
function line(id: number, spikeCount: number): string {
  return JSON.stringify({
    type: "Feature",
    id: `item-${id}`,
    geometry: { type: "Polygon", coordinates: [spikes(2 * spikeCount, [10, 50], [0.5, 0.01])] },
    properties: { datetime: "2026-06-03T11:24:36Z" },
    assets: { red: { href: "https://cogs.example.com/red.tif", type: "image/tiff; application=geotiff" } },
  });
}

function job(lines: readonly string[]): ItemsJob {
  return { bytes: Buffer.from(lines.join("\n")), target: TARGET, hosts: HOSTS };
}

/** Reads items, again while the processors are too busy for it, as the answer says. */
async function readAtLast(reader: ItemReader, items: ItemsJob): Promise<ReadItems> {
  try {
    return await reader.read(items, endless);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "SERVICE-UNAVAILABLE") throw error;
    return await readAtLast(reader, items);
  }
}

test("items whose outlines take too long are refused, and the next ones are read by another thread", async () => {
  await using reader = new ItemReader(1_000);
  const tangled = Array.from({ length: 800 }, (_, id) => line(id, 500));
  await assert.rejects(readAtLast(reader, job(tangled)), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.deepEqual([error.code, /longer than 1 s/.test(error.message)], ["BAD-REQUEST", true], error.message);
    return true;
  });
  const { columns, refused } = await readAtLast(reader, job([line(1, 4)]));
  assert.deepEqual([columns.length, refused], [1, []]);
});

test("a request that is cancelled ends, before its thread has begun and after", async () => {
  await using reader = new ItemReader();
  const tangled = Array.from({ length: 400 }, (_, id) => line(id, 500));
  for (const isBegun of [false, true]) {
    const gone = new AbortController();
    const reading = reader.read(job(tangled), gone.signal);
    if (isBegun) await setImmediate();
    gone.abort(new Error("gone"));
    await assert.rejects(reading, /gone/);
  }
  const { columns } = await readAtLast(reader, job([line(1, 4)]));
  assert.equal(columns.length, 1);
});
