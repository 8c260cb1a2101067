import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { formatInstant, parseInstant } from "./instant.ts";

test("instants survive the way to text and back", () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(1900, 0, 1) / 1000, max: Date.UTC(2999, 11, 31) / 1000 }), (seconds) => {
      assert.equal(parseInstant(formatInstant(seconds * 1000)), seconds * 1000);
    }),
  );
});

test("the forms of ISO 8601 are read, UTC without a zone", () => {
  const expected = Date.UTC(2024, 5, 30, 10, 15, 0);
  for (const text of [
    "2024-06-30 10:15:00",
    "2024-06-30T10:15:00Z",
    "2024-06-30T10:15",
    "2024-06-30T12:15:00+02:00",
    "2024-06-30T04:45:00-0530",
  ]) {
    assert.equal(parseInstant(text), expected, text);
  }
  assert.equal(parseInstant("2024-06-30T10:15:00.25Z"), expected + 250);
  assert.equal(parseInstant("2024-06-30"), Date.UTC(2024, 5, 30));
  assert.equal(parseInstant("0099-01-01 00:00:00"), new Date("0099-01-01T00:00:00Z").getTime());
});

test("moments that do not exist are none", () => {
  for (const text of [
    "",
    "2024-02-30 00:00:00",
    "2023-02-29 00:00:00",
    "2024-13-01 00:00:00",
    "2024-01-01 24:00:00",
    "2024-01-01 00:60:00",
    "2024-1-1 00:00:00",
    "yesterday",
    "2024-01-01 00:00:00 ",
    "2024-01-01Z",
    "9999-12-31T23:59:59-00:01",
    "0000-01-01T00:00:00+00:01",
  ]) {
    assert.equal(parseInstant(text), null, text);
  }
  assert.equal(parseInstant("2024-02-29 00:00:00"), Date.UTC(2024, 1, 29));
});

test("parts of a second are cut off, never rounded up", () => {
  assert.equal(formatInstant(Date.UTC(2024, 0, 1, 0, 0, 0, 999)), "2024-01-01 00:00:00");
  assert.equal(formatInstant(-1), "1969-12-31 23:59:59");
  assert.throws(() => formatInstant(Date.UTC(12_000, 0, 1)), RangeError);
});
