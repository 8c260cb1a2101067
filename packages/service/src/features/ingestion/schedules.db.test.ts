import assert from "node:assert/strict";
import { test } from "node:test";
import { coastGeotiff } from "../../../../../e2e/make-geotiff.ts";
import { ingestion } from "./feature.ts";
import { ALICE, contextOf, ingestionBench } from "./testing.ts";

const DAY_MS = 24 * 3_600_000;
const BYTES = new Uint8Array(10);
const ORPHAN = "scenes/local.uploads.gone/killedkilledkilled00-1/b000.tif";

test("the schedule of the feature removes uploads, deleted scenes and orphans, each by its work", async () => {
  let passedMs = 0;
  await using bench = await ingestionBench({ clock: { now: () => new Date(Date.now() + passedMs) } });
  const filepath = await bench.upload(coastGeotiff(), "deleted");
  const { ingestedScenes } = await bench.ingestion.ingestAndWait({ provider: "local", filepath }, contextOf(ALICE));
  const sceneId = ingestedScenes[0]?.sceneId ?? "";
  await bench.ingestion.deleteScene(sceneId, contextOf(ALICE));
  const waiting = await bench.upload(coastGeotiff(), "never ingested");
  await bench.blobs.put(ORPHAN, BYTES);
  const service = { ...bench.ingestion, [Symbol.asyncDispose]: async () => {} };
  // The schedules of this feature have no needs beside its service.
  const works = ingestion.schedules(service, {} as never);
  const places = works.map(({ name, runsIn }) => [name, runsIn]);
  assert.deepEqual(places, [
    ["ingestion: remove uploads", "every process"],
    ["ingestion: remove deleted scenes", "workers"],
    ["ingestion: remove orphans", "workers"],
  ]);
  const left = async (): Promise<readonly boolean[]> => {
    const names = await bench.leftovers();
    const upload = waiting.split("/")[0] ?? "";
    const isDeleted = await bench.ingestion
      .restoreScene(sceneId, contextOf(ALICE))
      .then(() => true)
      .catch((error: unknown) => (error as { readonly code: string }).code !== "NON-EXISTING-SCENE");
    return [names.some((name) => name.includes(upload)), isDeleted, names.includes(ORPHAN)];
  };
  passedMs = 2 * DAY_MS;
  assert.deepEqual(await left(), [true, true, true]);
  for (const [index, { name, run }] of works.entries()) {
    await run(new AbortController().signal);
    assert.deepEqual(
      await left(),
      [0, 1, 2].map((one) => one > index),
      name,
    );
  }
});
