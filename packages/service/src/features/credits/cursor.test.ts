import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { requestedPeriod } from "./period.ts";

const place = { atMicros: "1772366400123456", id: "0b9f2c1e-3c55-4a4e-9d0e-2f7d1c1f6a11" };
const scope = ["transactions", { groupId: "g", from: null }];

function isRefused(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code;
}

test("a cursor leads back to its place, and no cursor to the first page", () => {
  assert.deepEqual(decodeCursor(scope, encodeCursor(scope, place)), place);
  assert.equal(decodeCursor(scope, undefined), null);
});

test("a cursor of another list, another group or other filters is refused", () => {
  const cursor = encodeCursor(scope, place);
  for (const other of [["allocations", scope[1]], ["transactions", { groupId: "h", from: null }], ["transactions"]]) {
    assert.throws(() => decodeCursor(other, cursor), isRefused("INVALID-CURSOR"));
  }
});

test("a changed cursor is refused or is another place of the same list, never an error of another kind", () => {
  const cursor = encodeCursor(scope, place);
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (index, letter) => {
      const changed = cursor.slice(0, index) + letter + cursor.slice(index + 1);
      try {
        const found = decodeCursor(scope, changed);
        assert.match(found?.atMicros ?? "", /^\d{1,17}$/u);
      } catch (error) {
        assert.ok(isRefused("INVALID-CURSOR")(error));
      }
    }),
  );
  for (const text of [
    "",
    "A",
    "%",
    "\u0000",
    cursor.repeat(2),
    `${cursor}=`,
    Buffer.from("a.b.c").toString("base64url"),
  ]) {
    assert.throws(() => decodeCursor(scope, text), isRefused("INVALID-CURSOR"));
  }
});

test("a period is half open, in UTC unless it names a zone, and not reversed", () => {
  const period = requestedPeriod(
    { startTime: "2026-03-01 10:00:00", endTime: "2026-03-01T13:00:00+02:00" },
    "startTime",
    "endTime",
  );
  assert.equal(period.from?.toISOString(), "2026-03-01T10:00:00.000Z");
  assert.equal(period.to?.toISOString(), "2026-03-01T11:00:00.000Z");
  for (const request of [
    { startTime: "2026-02-30 10:00:00" },
    { startTime: "2026-03-01 10:00:01", endTime: "2026-03-01 10:00:00" },
  ]) {
    assert.throws(() => requestedPeriod(request, "startTime", "endTime"), isRefused("VALIDATION-ERROR"));
  }
});
