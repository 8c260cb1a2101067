import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { numberCursor } from "./number-cursor.ts";

const { decode, encode } = numberCursor("list:1:");

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.code;
  }
  return "none";
}

test("only cursors that the list gave are taken", () => {
  for (const key of [1, 42, Number.MAX_SAFE_INTEGER]) assert.equal(decode(encode(key)), key);
  const others = ["", "x", "1", "0", encode(1).slice(1), `${encode(1)}=`, encode(0), encode(-1)];
  for (const cursor of [...others, encode(1.5), encode(2 ** 54), `${encode(1)}!`]) {
    assert.deepEqual(
      refusal(() => decode(cursor)),
      "INVALID-CURSOR",
      cursor,
    );
  }
});
