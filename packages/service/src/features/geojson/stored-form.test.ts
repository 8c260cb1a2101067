import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { decodeCursor, encodeCursor } from "./list-cursor.ts";
import { geometryForm, propertiesJson } from "./stored-form.ts";

function refusal(work: () => unknown): readonly [string, string | undefined] {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return [error.code, error.details?.[0]?.path];
  }
  return ["none", undefined];
}

test("properties keep their text, members with names of the language's own included", () => {
  const text =
    '{"__proto__":{"polluted":true},"constructor":1,"toJSON":"x","b":[1e-320,1.7976931348623157e+308,0.1],"a":null,"":{}}';
  assert.equal(propertiesJson(JSON.parse(text) as Record<string, unknown>), text);
  assert.equal("polluted" in {}, false);
});

test("properties are refused when they are large or deep", () => {
  const nested = (levels: number): Record<string, unknown> => (levels === 1 ? {} : { a: nested(levels - 1) });
  assert.equal(propertiesJson(nested(32)).length, 31 * '{"a":}'.length + "{}".length);
  assert.deepEqual(
    refusal(() => propertiesJson(nested(33))),
    ["VALIDATION-ERROR", "/properties"],
  );
  assert.equal(propertiesJson({ a: "x".repeat(1024 * 1024 - 8) }).length, 1024 * 1024);
  assert.deepEqual(
    refusal(() => propertiesJson({ a: "ü".repeat(512 * 1024) })),
    ["VALIDATION-ERROR", "/properties"],
  );
});

async function faultPath(value: unknown, path: string): Promise<string | undefined> {
  const error: unknown = await geometryForm(value, path).catch((cause: unknown) => cause);
  assert.ok(error instanceof ServiceError && error.code === "VALIDATION-ERROR");
  return error.details?.[0]?.path;
}

test("a geometry is refused with the place of its fault", async () => {
  assert.equal(await faultPath({ type: "Point", coordinates: [0, 91] }, "/geometry"), "/geometry/coordinates");
  assert.equal(await faultPath({ type: "Circle" }, ""), "/type");
});

test("a geometry of many positions is read in several turns of the event loop, and ends with its request", async () => {
  const coordinates = Array.from({ length: 400_000 }, (_, i) => [i / 10_000, 50]);
  const ending = new AbortController();
  const reading = geometryForm({ type: "LineString", coordinates }, "", ending.signal);
  ending.abort(new Error("gone"));
  await assert.rejects(reading, /gone/);
  const { geometry } = await geometryForm({ type: "LineString", coordinates }, "");
  assert.deepEqual(geometry, { type: "LineString", coordinates });
});

test("only cursors of the list are taken", () => {
  for (const key of [1, 42, Number.MAX_SAFE_INTEGER]) assert.equal(decodeCursor(encodeCursor(key)), key);
  const others = [
    "",
    "x",
    "1",
    "0",
    encodeCursor(1).slice(1),
    `${encodeCursor(1)}=`,
    encodeCursor(0),
    encodeCursor(-1),
  ];
  for (const cursor of [...others, encodeCursor(1.5), encodeCursor(2 ** 54), `${encodeCursor(1)}!`]) {
    assert.deepEqual(
      refusal(() => decodeCursor(cursor)),
      ["INVALID-CURSOR", undefined],
      cursor,
    );
  }
});

test("a geometry of as many positions as are allowed is done in seconds", async () => {
  const count = 400_000;
  const ring = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    return [10 + Math.cos(angle), 50 + Math.sin(angle)];
  });
  const start = performance.now();
  await geometryForm({ type: "Polygon", coordinates: [[...ring, ring[0]]] }, "");
  const tookMs = performance.now() - start;
  assert.ok(tookMs < 5000, `${tookMs} ms`);
});
