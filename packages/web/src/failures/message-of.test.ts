import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@swath/client";
import { text } from "../text/en.ts";
import { isDenied, isUnreachable, messageOf } from "./message-of.ts";

const refused = new ApiError({ status: 401, code: "NOT-AUTHORIZED", message: "This needs the permission a.b" });
const busy = new ApiError({ status: 503, code: "SERVICE-UNAVAILABLE", message: "Try later" });
const cut = new TypeError("Failed to fetch");

test("a failure has the words of the service, and of the console where the service does not answer", () => {
  assert.equal(messageOf(refused), "This needs the permission a.b");
  assert.equal(messageOf(cut), text.errors.unreachable);
  assert.equal(messageOf(new Error("x")), "x");
  assert.equal(messageOf("y"), "y");
});

test("only a cut network and a busy service are worth a later try", () => {
  assert.deepEqual([cut, busy, refused, new Error("x")].map(isUnreachable), [true, true, false, false]);
});

test("a missing permission is told from other refusals", () => {
  const blocked = new ApiError({ status: 401, code: "NOT-AUTHORIZED", message: "The user is blocked" });
  assert.deepEqual([refused, blocked, busy, cut].map(isDenied), [true, false, false, false]);
});
