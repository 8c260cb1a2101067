import assert from "node:assert/strict";
import { COAST_AREA } from "./main-job.ts";
import type { RawClient } from "./raw-client.ts";

/** Reads an index of a map in the middle of its area and far away. */
export async function pointJourney(anonymous: RawClient, mapId: string): Promise<void> {
  const corners: readonly (readonly [number, number])[] = COAST_AREA.coordinates[0].slice(0, 4);
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis]! / 4, 0));
  const points = [middle, [0, 0]];
  const { status, body } = await anonymous.post("/mapsvc/point/get", { mapId, points });
  assert.equal(status, 200, JSON.stringify(body));
  const [inside, outside] = body.points;
  assert.ok(Math.abs(inside.values[0].value) <= 1, JSON.stringify(inside));
  assert.deepEqual([outside.values, outside.reason], [null, "outside-map"]);
}
