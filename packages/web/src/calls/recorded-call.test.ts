import assert from "node:assert/strict";
import { test } from "node:test";
import { recordedBody, withStarted, type RecordedCall } from "./recorded-call.ts";

test("a repeated call moves to the front and is counted", () => {
  const one = { method: "POST", path: "/a", body: "{}" };
  const two = { method: "POST", path: "/b", body: "{}" };
  const calls = [one, two, one].reduce<readonly RecordedCall[]>(withStarted, []);
  assert.deepEqual(
    calls.map(({ id, path, count }) => [id, path, count]),
    [
      [1, "/a", 2],
      [2, "/b", 1],
    ],
  );
});

test("the list is bounded", () => {
  let calls: readonly RecordedCall[] = [];
  for (let number = 0; number < 150; number += 1) {
    calls = withStarted(calls, { method: "POST", path: `/${number}`, body: null });
  }
  assert.equal(calls.length, 100);
  assert.equal(calls[0]?.path, "/149");
  assert.equal(new Set(calls.map(({ id }) => id)).size, 100);
});

test("passwords, secrets and files are not kept", () => {
  const body = JSON.stringify({ set: { newPassword: "x1", name: "y" }, otp: "123456" });
  assert.equal(recordedBody(body), '{"set":{"newPassword":"…","name":"y"},"otp":"…"}');
  assert.equal(recordedBody(new Uint8Array([1, 2])), null);
  assert.equal(recordedBody("a=1"), null);
  assert.equal(recordedBody(JSON.stringify("x".repeat(400_000))), null);
});
