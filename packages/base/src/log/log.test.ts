import assert from "node:assert/strict";
import { test } from "node:test";
import { describeError } from "./log.ts";

test("the log keeps what an error says and leaves out what a driver attaches", () => {
  const error = Object.assign(new TypeError("it broke", { cause: new Error("the disk is full") }), {
    code: "ENOSPC",
    client: { connectionParameters: { password: "s3cret" } },
    parameters: ["s3cret"],
    detail: "Key (email)=(s3cret) already exists.",
  });
  const described = JSON.stringify(describeError(error));
  assert.doesNotMatch(described, /s3cret/);
  assert.match(described, /"type":"TypeError","message":"it broke","code":"ENOSPC"/);
  assert.match(described, /the disk is full/);
});

test("anything thrown can be logged, also what refers to itself", () => {
  const ring = new Error("round");
  ring.cause = ring;
  assert.ok(JSON.stringify(describeError(ring)).length < 20_000);
  assert.equal(describeError("text"), "text");
  assert.equal(describeError({ token: "s3cret" }), "[object Object]");
  const both = new AggregateError([new Error("one"), new Error("two")], "many");
  assert.match(JSON.stringify(describeError(both)), /one.*two/);
});
