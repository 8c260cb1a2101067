import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, getPriority, platform } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import sharp from "sharp";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { BlobNotFoundError, type BlobStore } from "@swath/base/blobs/blob-store";
import { openS3BlobStore } from "@swath/base/blobs/s3-blob-store";
import { startS3Server } from "@swath/base/testing/s3-server";
import { createGridRenderer } from "./create-grid-renderer.ts";
import type { GridRequest } from "./grid-renderer.ts";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, sceneFixture, tileAt, type SceneFixture } from "./testing.ts";
import { landscape } from "@swath/raster/testing/landscape";
import { createThumbnailRenderer } from "./thumbnail.ts";

const SIZE = 600;
const CACHE_BYTES = 16 * 2 ** 20;

let shared: Promise<SceneFixture> | null = null;

function scene(): Promise<SceneFixture> {
  shared ??= sceneFixture({
    widthPx: SIZE,
    heightPx: SIZE,
    bands: [0, 1, 2, 3].map((seed) => landscape(new Uint16Array(SIZE * SIZE), SIZE, seed, 5_000)),
    roles: ["B", "G", "R", "N"],
    quantity: "reflectance",
    reflectanceMult: 1e-4,
  });
  return shared;
}

after(async () => {
  await (await shared)?.[Symbol.asyncDispose]();
});

const never = new AbortController().signal;

test("threads draw what the calling thread draws, from local files and from a remote store", async () => {
  const fixture = await scene();
  using here = renderInProcess(fixture.local, CACHE_BYTES);
  const requests = [12, 13, 14].flatMap((z) => [
    gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, z)),
    gridRequest(fixture.stored, "imagery", "analysis.geotiff", tileAt(9.04, 49.62, z)),
    gridRequest(fixture.stored, "ndvi", "metadata.json", tileAt(9.04, 49.62, z)),
  ]);
  const expected = await Promise.all(requests.map(async (request) => Buffer.from(bodyOf(await here.render(request)))));
  for (const blobs of [fixture.local, fixture.remote]) {
    await using renderer = createGridRenderer({ blobs, workers: 2, cacheBytes: CACHE_BYTES });
    const files = await Promise.all(requests.map((request) => renderer.render(request, never)));
    assert.deepEqual(
      files.map((file) => Buffer.from(bodyOf(file))),
      expected,
    );
  }
  assert.ok(fixture.remote.reads.length < 60, `${fixture.remote.reads.length} reads of a remote store`);
});

/** Threads of this process that leave the cores to others. */
function backgroundThreads(): number {
  const priorities = readdirSync("/proc/self/task").map((id) => getPriority(Number(id)));
  return priorities.filter((priority) => priority === constants.priority.PRIORITY_LOW).length;
}

test("files of pipelines are the same, and are drawn by threads that leave the cores to others", async (t) => {
  const fixture = await scene();
  await using renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, 13));
  const isLinux = platform() === "linux";
  const before = isLinux ? backgroundThreads() : 0;
  const front = bodyOf(await renderer.render(request, never));
  if (isLinux) assert.equal(backgroundThreads(), before, "a file that is waited for");
  assert.deepEqual(bodyOf(await renderer.background.render(request, never)), front);
  if (isLinux) assert.equal(backgroundThreads(), before + 1);
  else t.diagnostic("only Linux schedules threads by themselves");
});

/** A file of more than a tile. */
function wholeRequest({ stored }: Awaited<ReturnType<typeof scene>>): GridRequest {
  const window = { kind: "bounds", bounds: [9.02, 49.6, 9.06, 49.64], maxSizePx: 600 } as const;
  return gridRequest(stored, "imagery", "truecolor.png", window);
}

test("a file of more than a tile is drawn by a thread that leaves the cores to others", async (t) => {
  const fixture = await scene();
  await using renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  using here = renderInProcess(fixture.local, CACHE_BYTES);
  const request = wholeRequest(fixture);
  const isLinux = platform() === "linux";
  const before = isLinux ? backgroundThreads() : 0;
  assert.deepEqual(
    Buffer.from(bodyOf(await renderer.render(request, never))),
    Buffer.from(bodyOf(await here.render(request))),
  );
  if (isLinux) assert.equal(backgroundThreads(), before + 1);
  else t.diagnostic("only Linux schedules threads by themselves");
});

test("a file whose thread gets nothing done is drawn by another one", async () => {
  const fixture = await scene();
  let reads = 0;
  const stuck: BlobStore = {
    ...fixture.remote,
    read: (key, offset, length, options) => {
      reads += 1;
      // The first thread waits for its first bytes for ever.
      return reads === 1 ? new Promise(() => {}) : fixture.remote.read(key, offset, length, options);
    },
  };
  await using renderer = createGridRenderer({ blobs: stuck, workers: 1, cacheBytes: CACHE_BYTES });
  assert.equal((await renderer.render(wholeRequest(fixture), never)).kind, "file");
  assert.ok(reads > 1);
});

test("a failure keeps its code on the way between threads, and the thread goes on", async () => {
  const fixture = await scene();
  await using renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  const window = tileAt(9.04, 49.62, 13);
  const good = gridRequest(fixture.stored, "imagery", "truecolor.png", window);
  await assert.rejects(renderer.render({ ...good, fileName: "nothing.png" }, never), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, "TILE-NOT-FOUND");
    return true;
  });
  const lost = {
    ...fixture.stored.raster,
    bands: fixture.stored.raster.bands.map((band) => ({ ...band, key: `gone-${band.key}` })),
  };
  await assert.rejects(renderer.render({ ...good, raster: lost }, never), { code: "DATA-NOT-AVAILABLE" });
  const emptyStore = { ...fixture.remote, read: (key: string) => Promise.reject(new BlobNotFoundError(key)) };
  await using far = createGridRenderer({ blobs: emptyStore, workers: 1, cacheBytes: CACHE_BYTES });
  await assert.rejects(far.render(good, never), { code: "DATA-NOT-AVAILABLE" });
  writeFileSync(join(fixture.folder, "broken.tif"), "II*\0 nothing of a TIFF");
  const broken = { ...lost, bands: lost.bands.map((band) => ({ ...band, key: "broken.tif" })) };
  await assert.rejects(renderer.render({ ...good, raster: broken }, never), { code: "SCENE-UNREADABLE" });
  assert.equal((await renderer.render(good, never)).kind, "file");
});

test("threads read an S3 store by themselves", async () => {
  const fixture = await scene();
  await using server = await startS3Server();
  const s3 = server.store("store");
  await using store = openS3BlobStore(s3);
  for (const { key } of fixture.stored.raster.bands) await store.put(key, readFileSync(join(fixture.folder, key)));
  const silent = { ...fixture.remote, read: () => Promise.reject(new Error("read through the main thread")) };
  await using renderer = createGridRenderer({ blobs: silent, workers: 1, cacheBytes: CACHE_BYTES, s3 });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, 13));
  using here = renderInProcess(fixture.local, CACHE_BYTES);
  assert.deepEqual(
    Buffer.from(bodyOf(await renderer.render(request, never))),
    Buffer.from(bodyOf(await here.render(request))),
  );
});

test("an aborted request rejects at once, queued or running, and others are served", async () => {
  const fixture = await scene();
  await using renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, 13));
  const aborted = new AbortController();
  const running = renderer.render(request, aborted.signal);
  const queued = renderer.render(request, aborted.signal);
  const kept = renderer.render(request, never);
  aborted.abort(new Error("gone away"));
  await assert.rejects(running, /gone away/);
  await assert.rejects(queued, /gone away/);
  assert.equal((await kept).kind, "file");
  await assert.rejects(renderer.render(request, AbortSignal.abort()), { name: "AbortError" });
});

test("a full queue refuses with SERVICE-UNAVAILABLE and a time to come back", async () => {
  const fixture = await scene();
  await using renderer = createGridRenderer({
    blobs: fixture.local,
    workers: 1,
    cacheBytes: CACHE_BYTES,
    maxQueued: 2,
  });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, 13));
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => renderer.render(request, never)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(refused.length, 3, "one runs, two wait");
  for (const { reason } of refused) {
    assert.ok(reason instanceof ServiceError);
    assert.deepEqual([reason.code, reason.retryAfterS], ["SERVICE-UNAVAILABLE", 1]);
  }
});

test("stopping rejects what has not been drawn", async () => {
  const fixture = await scene();
  const renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  const request = gridRequest(fixture.stored, "imagery", "truecolor.png", tileAt(9.04, 49.62, 13));
  const outcomes = Promise.allSettled([renderer.render(request, never), renderer.render(request, never)]);
  await renderer[Symbol.asyncDispose]();
  assert.ok((await outcomes).every(({ status }) => status === "rejected"));
  await assert.rejects(renderer.render(request, never), { code: "SERVICE-UNAVAILABLE" });
});

test("thumbnails are 512 pixels at their longest side in the wanted format", async () => {
  const fixture = await scene();
  await using renderer = createGridRenderer({ blobs: fixture.local, workers: 1, cacheBytes: CACHE_BYTES });
  const thumbnails = createThumbnailRenderer(renderer);
  for (const format of ["png", "jpeg", "webp"] as const) {
    const image = await sharp(await thumbnails.render(fixture.stored, `image/${format}`)).metadata();
    assert.equal(image.format, format);
    assert.equal(Math.max(image.width, image.height), 512);
  }
});
