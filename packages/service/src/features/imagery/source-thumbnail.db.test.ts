import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "@swath/kernel/scenes/scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../../error-status.ts";
import { systemClock } from "@swath/base/clock";
import { createAreas } from "../../platform/geometry/areas.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import type { SceneSource } from "@swath/raster/source/scene-source";
import { testScene } from "../credits/testing.ts";
import { createImageryService } from "./service.ts";

const stored = testScene("stored", { dataset: "spot" });
const remote: Scene = testScene("remote", { dataset: "spot" }).scene;
const bare: Scene = testScene("bare", { dataset: "spot" }).scene;
const PICTURE = new TextEncoder().encode("a picture");

async function bench(options: { readonly withThumbnails?: boolean } = {}) {
  const database = await testDatabase();
  const asked: string[] = [];
  const source: SceneSource = {
    isComputed: false,
    search: async () => ({ scenes: [], end: true }),
    scene: async (id) => [remote, bare].find((scene) => scene.sceneId === id) ?? null,
    open: () => Promise.reject(new Error("not asked")),
    async thumbnail(scene) {
      asked.push(scene.sceneId);
      return scene.sceneId === bare.sceneId ? null : { mediaType: "image/webp", body: PICTURE };
    },
    async [Symbol.asyncDispose]() {},
  };
  const imagery = createImageryService({
    areas: createAreas(),
    db: database.db,
    clock: systemClock,
    thumbnails: { render: () => Promise.resolve(new Uint8Array([1, 2, 3])) },
    catalog: createCatalog(
      providers.map((provider) => ({
        ...provider,
        datasets: provider.datasets.map((dataset) => ({ ...dataset, thumbnail: options.withThumbnails ?? true })),
      })),
    ),
    sources: { sourceOf: (provider) => (provider === "ab" ? source : null), async [Symbol.asyncDispose]() {} },
  });
  await database.db.transaction().execute(async (trx) => imagery.register(trx, stored));
  return { imagery, asked, [Symbol.asyncDispose]: async () => database[Symbol.asyncDispose]() };
}

function missing(error: unknown): boolean {
  return error instanceof ServiceError && statusOf(error) === 404;
}

test("a scene that only its source knows has the source's picture, asked for once", async () => {
  await using b = await bench();
  const first = await b.imagery.thumbnail(remote.sceneId, {});
  assert.equal(first.status, 200);
  assert.equal(first.mediaType, "image/webp");
  assert.deepEqual(first.body, PICTURE);
  const etag = first.headers?.["etag"] ?? "";
  assert.match(etag, /^"[\w-]{27}"$/);
  const again = await b.imagery.thumbnail(remote.sceneId, { "if-none-match": `W/${etag}` });
  assert.deepEqual([again.status, again.body], [304, null]);
  assert.deepEqual(b.asked, [remote.sceneId]);
});

test("pixels in the store are drawn without asking the source", async () => {
  await using b = await bench();
  const answer = await b.imagery.thumbnail(stored.scene.sceneId, {});
  assert.deepEqual(answer.body, new Uint8Array([1, 2, 3]));
  assert.deepEqual(b.asked, []);
});

test("no picture, no scene and no thumbnails by the flag of the dataset are 404", async () => {
  await using b = await bench();
  await assert.rejects(b.imagery.thumbnail(bare.sceneId, {}), missing);
  await assert.rejects(b.imagery.thumbnail(sceneId("ab", "spot", "none"), {}), missing);
  await assert.rejects(b.imagery.thumbnail("nonsense", {}), missing);
  await using flagged = await bench({ withThumbnails: false });
  for (const { sceneId: id } of [stored.scene, remote])
    await assert.rejects(flagged.imagery.thumbnail(id, {}), missing);
});
