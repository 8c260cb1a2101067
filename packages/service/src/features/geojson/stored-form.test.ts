import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { geometryForm } from "./stored-form.ts";

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
