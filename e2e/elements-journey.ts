import assert from "node:assert/strict";
import type { RawClient } from "./raw-client.ts";

const path = "/scene-tasking/elements";

/** Elements of a satellite of Pléiades with an epoch near now. */
export function elementsOf(catalogueNumber: number, members: object = {}): object {
  return {
    OBJECT_NAME: "PLEIADES 1A",
    OBJECT_ID: "2011-076F",
    EPOCH: new Date(Date.now() - 86_400_000).toISOString().slice(0, -1),
    MEAN_MOTION: 14.5855,
    ECCENTRICITY: 0.000_13,
    INCLINATION: 98.2,
    RA_OF_ASC_NODE: 30.1,
    ARG_OF_PERICENTER: 80.2,
    MEAN_ANOMALY: 279.9,
    NORAD_CAT_ID: catalogueNumber,
    BSTAR: 0.000_02,
    ...members,
  };
}

/** An administrator imports element sets and lists them; a set that cannot be right is refused by its reason. */
export async function elementsJourney({ admin, demo }: Readonly<Record<"admin" | "demo", RawClient>>): Promise<void> {
  const elements = JSON.stringify([
    elementsOf(38_012),
    elementsOf(5),
    elementsOf(38_012, { MEAN_MOTION: 14.7 }),
    elementsOf(38_012, { EPOCH: "2020-01-01T00:00:00" }),
  ]);
  const { status, body } = await admin.post(`${path}/import`, { elements });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.format, body.imported], ["omm-json", 1]);
  const statuses = body.results.map((one: { readonly status: string }) => one.status);
  assert.deepEqual(statuses, ["imported", "ignored", "refused", "refused"]);
  const listed = await admin.post(`${path}/list`, { catalogueNumber: 38_012, newestOnly: true });
  const [newest] = listed.body.results;
  assert.deepEqual([newest.name, newest.state, newest.elements.inclinationDeg], ["PLEIADES 1A", "fresh", 98.2]);
  assert.equal(listed.body.cursor, null);
  for (const hostile of ["<!DOCTYPE a [<!ENTITY b 'c'>]><ndm>&b;</ndm>", "[[[[", "nothing", "NaN"]) {
    const refused = await admin.post(`${path}/import`, { elements: hostile });
    assert.deepEqual([refused.status, refused.body.details?.[0]?.path], [422, "/elements"], hostile);
  }
  assert.equal((await admin.post(`${path}/import`, { elements: "x".repeat(250_001) })).status, 422);
  const misspelt = await admin.post(`${path}/list`, { catalogNumber: 5 });
  assert.deepEqual([misspelt.status, misspelt.body.details[0].didYouMean], [422, "catalogueNumber"]);
  assert.equal((await demo.post(`${path}/import`, { elements })).status, 401);
  assert.equal((await demo.post(`${path}/list`)).status, 401);
}
