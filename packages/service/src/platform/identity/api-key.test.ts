import { isGranted } from "@swath/kernel/permissions/permission";
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { commonPermissions } from "./api-key-authentication.ts";
import { newApiKey, readApiKey, secretMatches, shownPrefix } from "./api-key.ts";

test("a key parses into its parts, and only its secret matches", () => {
  for (let round = 0; round < 50; round += 1) {
    const { id, key, secretHash } = newApiKey();
    const parts = readApiKey(key);
    assert.ok(parts !== null);
    assert.equal(parts.id, id);
    assert.ok(key.startsWith(`${shownPrefix(id)}_`));
    assert.equal(Buffer.from(parts.secret, "base64url").byteLength, 32);
    assert.equal(secretHash.byteLength, 32);
    assert.ok(secretMatches(parts.secret, secretHash));
    assert.ok(!secretMatches(parts.secret, newApiKey().secretHash));
    assert.ok(!secretMatches(parts.secret, null));
    // The last character of 43 carries four bits only: change one that carries six.
    const first = parts.secret.startsWith("A") ? "B" : "A";
    assert.ok(!secretMatches(first + parts.secret.slice(1), secretHash));
  }
});

test("other text is no key", () => {
  const { key } = newApiKey();
  for (const text of ["", "key_", key.slice(0, -1), `${key}x`, ` ${key}`, `${key}\n`, key.replace("key_", "KEY_")]) {
    assert.equal(readApiKey(text), null, JSON.stringify(text));
  }
});

test("a key grants exactly the permissions that both it and its owner hold", () => {
  const permission = fc
    .array(fc.constantFrom("a", "b", "ab"), { minLength: 1, maxLength: 4 })
    .map((segments) => segments.join("."));
  const set = fc.array(permission, { maxLength: 6 }).map((list) => new Set(list));
  fc.assert(
    fc.property(set, set, permission, (scope, held, required) => {
      assert.equal(
        isGranted(commonPermissions(scope, held), required),
        isGranted(scope, required) && isGranted(held, required),
      );
    }),
    { numRuns: 2000 },
  );
});
