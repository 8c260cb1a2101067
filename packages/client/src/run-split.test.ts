import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "./client.ts";
import { runSplit, splitSearch, type FoundScene, type SearchRequest } from "./run-split.ts";

test("parts are worked on a few at once and answered in their order", async () => {
  let underWay = 0;
  let most = 0;
  const told: number[] = [];
  const answers = await runSplit(
    [5, 1, 4, 2, 3, 0],
    async (part) => {
      underWay += 1;
      most = Math.max(most, underWay);
      for (let turn = 0; turn < part; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return part * 10;
    },
    { concurrency: 3, onProgress: ({ doneParts, totalParts }) => told.push(doneParts / totalParts) },
  );
  assert.deepEqual(answers, [50, 10, 40, 20, 30, 0]);
  assert.equal(most, 3);
  assert.deepEqual(
    told.map((share) => Math.round(share * 6)),
    [1, 2, 3, 4, 5, 6],
  );
  assert.deepEqual(await runSplit([], () => Promise.reject(new Error("never"))), []);
});

test("the first failure stops the others and is the one that is thrown", async () => {
  const begun: number[] = [];
  const failing = runSplit(
    [0, 1, 2, 3, 4],
    async (part, signal) => {
      begun.push(part);
      if (part === 1) throw new Error("part 1 is broken");
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
    { concurrency: 2 },
  );
  await assert.rejects(failing, /part 1 is broken/);
  assert.deepEqual(begun, [0, 1]);
  await assert.rejects(
    runSplit([1], () => Promise.resolve(), { signal: AbortSignal.abort(new Error("interrupted")) }),
    /interrupted/,
  );
});

function scene(sceneId: string, datetime: string): FoundScene {
  return {
    sceneId,
    datetime,
    foreignId: sceneId,
    provider: "p",
    dataset: "d",
    satellite: "s",
    crsEpsg: 4326,
    footprint: { type: "MultiPolygon", coordinates: [] },
    areaKm2: 1,
    bands: [],
    downloadable: true,
    minArea: 0,
    clippedImagery: false,
  };
}

/** A service whose search finds these scenes over the parts "0", "1", … in pages of two. */
function searching(parts: readonly (readonly FoundScene[])[]): {
  client: Pick<Client, "run">;
  searches: SearchRequest[];
} {
  const searches: SearchRequest[] = [];
  const run = (_path: string, request: SearchRequest) => {
    searches.push(request);
    const { extent, cursor = 0 } = request;
    const found = parts[extent.type === "Point" ? extent.coordinates[0] : 0] ?? [];
    const next = (cursor ?? 0) + 2;
    return Promise.resolve({
      results: found.slice(cursor ?? 0, next),
      cursor: next < found.length ? next : null,
    });
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one path of the client, answered here
  return { client: { run } as unknown as Pick<Client, "run">, searches };
}

const PARTS = [0, 1].map((part): SearchRequest["extent"] => ({ type: "Point", coordinates: [part, 0] }));

test("scenes of all parts are merged once each, newest first", async () => {
  const [a, b, c, d] = [
    scene("a", "2024-01-04 00:00:00"),
    scene("b", "2024-01-03 00:00:00"),
    scene("c", "2024-01-03 00:00:00"),
    scene("d", "2024-01-01 00:00:00"),
  ] as const;
  const { client, searches } = searching([
    [c, d],
    [a, b, c],
  ]);
  const merged = await splitSearch(client, { datasets: [{ provider: "p", dataset: "d" }] }, PARTS);
  assert.deepEqual(
    merged.results.map(({ sceneId }) => sceneId),
    ["a", "b", "c", "d"],
  );
  assert.equal(merged.complete, true);
  assert.equal(searches.length, 3);
  const few = await splitSearch(client, {}, PARTS, { limit: 2 });
  assert.deepEqual(
    few.results.map(({ sceneId }) => sceneId),
    ["a", "b"],
  );
  assert.equal(few.complete, false);
  const accepted = await splitSearch(client, {}, PARTS, { accepts: ({ sceneId }) => sceneId !== "a" });
  assert.deepEqual(
    accepted.results.map(({ sceneId }) => sceneId),
    ["b", "c", "d"],
  );
});
