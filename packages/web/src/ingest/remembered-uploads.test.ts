import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createRememberedUploads, type RememberedUpload } from "./remembered-uploads.ts";

function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    clear: () => kept.clear(),
    getItem: (name) => kept.get(name) ?? null,
    key: (position) => [...kept.keys()][position] ?? null,
    removeItem: (name) => void kept.delete(name),
    setItem: (name, value) => void kept.set(name, value),
  };
}

const ONE: RememberedUpload = {
  key: "scene.tif/10/1",
  name: "scene.tif",
  sizeBytes: 10,
  place: { filepath: "x/scene.geotiff", url: "/imagery/ingest-scene/upload/x" },
  endsAtMs: 1_000,
  isSent: false,
  pipelineId: null,
};

test("an unfinished upload is remembered for its user until its address ends", () => {
  let nowMs = 0;
  const uploads = createRememberedUploads(memory(), () => nowMs);
  uploads.set("ann", ONE);
  uploads.set("ann", { ...ONE, isSent: true });
  assert.deepEqual(uploads.list("ann"), [{ ...ONE, isSent: true }]);
  assert.deepEqual(uploads.list("bob"), []);
  nowMs = 1_000;
  assert.deepEqual(uploads.list("ann"), []);
});

test("what is no upload of this service is left out", () => {
  const storage = memory();
  const uploads = createRememberedUploads(storage, () => 0);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      storage.setItem("swath-uploads/ann", text);
      assert.deepEqual(uploads.list("ann"), []);
    }),
    { endOnFailure: true },
  );
  const foreign = { ...ONE, place: { ...ONE.place, url: "//evil.example/x" } };
  storage.setItem("swath-uploads/ann", JSON.stringify([foreign]));
  assert.deepEqual(uploads.list("ann"), []);
});
