import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import * as fc from "fast-check";
import { seal, unseal } from "./sealed-secret.ts";

const KEY = randomBytes(32);

test("a sealed secret opens with its key for its owner, and each sealing differs", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ maxLength: 40 }), (secret, owner) => {
      const sealed = seal(KEY, secret, owner);
      assert.deepEqual(new Uint8Array(unseal(KEY, sealed, owner)), secret);
      assert.notDeepEqual(sealed, seal(KEY, secret, owner));
    }),
  );
});

test("another key, another owner, a changed bit or a cut makes opening fail", () => {
  const sealed = seal(KEY, Buffer.from("secret"), "ada");
  assert.throws(() => unseal(randomBytes(32), sealed, "ada"));
  assert.throws(() => unseal(KEY, sealed, "bob"));
  for (let byte = 0; byte < sealed.byteLength; byte += 1) {
    const changed = Buffer.from(sealed);
    changed[byte] = (changed[byte] ?? 0) ^ 1;
    assert.throws(() => unseal(KEY, changed, "ada"), `byte ${byte}`);
    assert.throws(() => unseal(KEY, sealed.subarray(0, byte), "ada"), `${byte} bytes`);
  }
});
