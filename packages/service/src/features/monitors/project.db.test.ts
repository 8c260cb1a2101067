import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { systemClock } from "@swath/base/clock";
import { sql } from "kysely";
import type { Caller } from "../../platform/context.ts";
import { saveProject } from "../datacube/save-project.ts";
import { box, DATASET, sceneOver } from "../standing-queries/testing.ts";
import { monitorBench, MONITOR_RIGHTS, type MonitorBench } from "./testing.ts";

const NEVER = new AbortController().signal;
const FIELD = box(14, 50, 14.1, 50.1);
const RIGHTS = [...MONITOR_RIGHTS, "datacube"];

let bench: MonitorBench;
let kim: Caller;
let lee: Caller;
before(async () => {
  bench = await monitorBench();
  kim = await bench.standing.addUser("kim", RIGHTS);
  lee = await bench.standing.addUser("lee", RIGHTS);
  const deps = { db: bench.standing.db, clock: systemClock };
  await saveProject(deps, kim, { project: "harvest" });
  await saveProject(deps, lee, { project: "private" });
  await saveProject(deps, lee, { project: "public", shared: true });
});
after(() => bench[Symbol.asyncDispose]());
beforeEach(async () => {
  await sql`truncate standing_queries, scene_arrivals, events, scenes, pipelines, monitors cascade`.execute(
    bench.standing.db,
  );
});

const create = (project?: string) =>
  bench.monitors.create(
    kim,
    {
      name: "North field",
      areas: FIELD,
      startDatetime: "2026-01-01",
      datasets: [DATASET],
      mapTypes: ["ndvi"],
      creditsPerMonth: 10,
      rule: { kind: "threshold", measure: { mapType: "ndvi", statistic: "mean" }, below: 0.3 },
      ...(project === undefined ? {} : { project }),
    },
    { baseUrl: "http://127.0.0.1", signal: NEVER },
  );

async function arrive(): Promise<void> {
  await bench.standing.register(sceneOver("s0", box(13, 49, 15, 51)));
  await bench.standing.match();
  await bench.monitors.measure(NEVER);
}

async function requests(): Promise<readonly (string | null)[]> {
  const { rows } = await sql<{ project: string | null }>`
    select request ->> 'project' as project from pipelines`.execute(bench.standing.db);
  return rows.map(({ project }) => project);
}

test("a monitor writes the figures of its scenes to its project, and to no other one", async () => {
  assert.equal((await create("harvest")).project, "harvest");
  await arrive();
  assert.deepEqual(await requests(), ["harvest"]);
});

test("a monitor without a project writes to none", async () => {
  assert.equal("project" in (await create()), false);
  await arrive();
  assert.deepEqual(await requests(), [null]);
});

test("a monitor is refused a project of another group, also a shared one, and creates nothing", async () => {
  for (const [project, code] of [
    ["private", "DATA-NOT-AVAILABLE"],
    ["nowhere", "DATA-NOT-AVAILABLE"],
    ["public", "NOT-AUTHORIZED"],
  ] as const) {
    await assert.rejects(create(project), { code }, project);
  }
  assert.deepEqual((await bench.monitors.list(kim, undefined)).results, []);
});

test("a monitor with a project stops when its owner may write no datapoints, and one without goes on", async () => {
  const { db } = bench.standing;
  const { id } = await create("harvest");
  const without = await create();
  await sql`update groups set permissions = ${MONITOR_RIGHTS}::text[] where id = ${kim.groupId}`.execute(db);
  try {
    await arrive();
    assert.equal((await bench.monitors.get(kim, id)).stopReason, "the owner lacks datacube.write");
    assert.equal((await bench.monitors.get(kim, without.id)).stopReason, null);
    assert.deepEqual(await requests(), [null]);
  } finally {
    await sql`update groups set permissions = ${RIGHTS}::text[] where id = ${kim.groupId}`.execute(db);
  }
});
