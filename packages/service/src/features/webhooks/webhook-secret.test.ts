import assert from "node:assert/strict";
import { test } from "node:test";
import { newSecret, openSecret, sealSecret, shownSecret, signatures } from "./webhook-secret.ts";

// Test vector of the reference libraries of Standard Webhooks.
const SECRET = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
const MESSAGE = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampS: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("a message is signed as the test vector of Standard Webhooks", () => {
  assert.equal(signatures(MESSAGE, [SECRET]), SIGNATURE);
});

test("with two keys a message has a signature of each", () => {
  const other = newSecret();
  assert.deepEqual(signatures(MESSAGE, [other, SECRET]).split(" "), [signatures(MESSAGE, [other]), SIGNATURE]);
});

test("a key has 32 bytes, is shown with its prefix and opens for its webhook alone", () => {
  const key = Buffer.alloc(32, 7);
  const secret = newSecret();
  assert.equal(secret.length, 32);
  assert.equal(shownSecret(SECRET), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  const sealed = sealSecret(key, secret, "a");
  assert.ok(!sealed.includes(secret));
  assert.deepEqual(openSecret(key, sealed, "a"), secret);
  assert.throws(() => openSecret(key, sealed, "b"));
});
