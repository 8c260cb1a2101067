import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import {
  clippedSceneId,
  MAX_SCENE_ID_LENGTH,
  parentSceneId,
  parseSceneId,
  sceneId,
  sceneIdPrefix,
} from "./scene-id.ts";

test("provider and dataset are read back from the identifier alone", () => {
  assert.equal(sceneId("ee", "COPERNICUS/S1_GRD", "abc"), "ee.COPERNICUS-_S1_GRD.abc");
  assert.equal(sceneId("optical-legacy", "idaho-pansharpened", "x"), "optical--legacy.idaho--pansharpened.x");
  assert.deepEqual(parseSceneId("ee.COPERNICUS-_S1_GRD.abc"), {
    provider: "ee",
    dataset: "COPERNICUS/S1_GRD",
    local: "abc",
  });
});

test("any three texts make an identifier that is one URL segment and round-trips", () => {
  const part = fc.string({ unit: "grapheme", minLength: 1, maxLength: 5 }).filter((text) => text.isWellFormed());
  fc.assert(
    fc.property(part, part, part, (provider, dataset, local) => {
      let id: string;
      try {
        id = sceneId(provider, dataset, local);
      } catch (error) {
        assert.ok(error instanceof RangeError);
        return;
      }
      assert.match(id, /^[A-Za-z0-9._-]+$/);
      assert.equal(encodeURIComponent(id), id);
      assert.ok(id.startsWith(sceneIdPrefix(provider, dataset)));
      assert.deepEqual(parseSceneId(id), { provider, dataset, local });
    }),
    { numRuns: 300 },
  );
});

test("two datasets never share a prefix", () => {
  assert.equal(sceneIdPrefix("a", "b").startsWith(sceneIdPrefix("a", "b.c")), false);
  assert.equal(sceneIdPrefix("pl", "PSScene_tile").startsWith(sceneIdPrefix("pl", "PSScene")), false);
});

test("texts that are no identifiers are null", () => {
  for (const text of [
    "",
    "a",
    "a.b",
    "a.b.",
    "a.b.c.d",
    "a.b.c-",
    "a.b.-x4",
    "a.b.-x41",
    "a.b.é",
    "a.b.-xFF",
    "a/b.c.d",
  ]) {
    assert.equal(parseSceneId(text), null, text);
  }
  assert.equal(parseSceneId(`a.b.${"c".repeat(MAX_SCENE_ID_LENGTH)}`), null);
});

test("an identifier that would be too long or has an empty part is refused", () => {
  assert.throws(() => sceneId("a", "b", "c".repeat(200)), RangeError);
  assert.throws(() => sceneId("a", "", "c"), RangeError);
});

test("a clipped child is known by its parent and the part that was cut out", () => {
  const parent = sceneId("optical-archive", "ard_clipped", "a.b");
  const hash = "0123456789abcdef0123456789abcdef";
  const child = clippedSceneId(parent, hash);
  assert.equal(child, `${parent}.${hash.slice(0, 24)}`);
  assert.deepEqual(parseSceneId(child), {
    provider: "optical-archive",
    dataset: "ard_clipped",
    local: "a.b",
    clip: hash.slice(0, 24),
  });
  assert.ok(child.startsWith(sceneIdPrefix("optical-archive", "ard_clipped")));
  assert.equal(parentSceneId(child), parent);
  assert.equal(parentSceneId(parent), parent);
  assert.throws(() => clippedSceneId(child, hash), RangeError);
  assert.throws(() => clippedSceneId("nothing", hash), RangeError);
  assert.throws(() => clippedSceneId(parent, "short"), RangeError);
  assert.throws(() => clippedSceneId(sceneId("ab", "spot", "x".repeat(110)), hash), RangeError);
  assert.equal(parseSceneId(`${parent}.not-a-clip`), null);
});
