import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { headerReader } from "./declared-headers.ts";

const read = headerReader({ prefer: Type.String({ maxLength: 20 }), "idempotency-key": Type.String({ minLength: 1 }) });

test("an operation reads the headers that it declares, and no other", () => {
  assert.deepEqual(read({ prefer: "wait=3", cookie: "a=b" }), { prefer: "wait=3" });
  assert.deepEqual(read({}), {});
  assert.deepEqual(headerReader({})({ prefer: "wait" }), {});
});

test("a repeated header is one text", () => {
  const lines: readonly string[] = ["respond-async", "wait=3"];
  assert.throws(() => read({ prefer: lines as never }), /the header prefer/);
  assert.deepEqual(read({ prefer: ["wait=3", "a"] as never }), { prefer: "wait=3, a" });
});

const refused = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === "BAD-REQUEST" && /the header idempotency-key/.test(error.message);

test("a value that its schema refuses is a bad request that names the header", () => {
  assert.throws(() => read({ "idempotency-key": "" }), refused);
});
