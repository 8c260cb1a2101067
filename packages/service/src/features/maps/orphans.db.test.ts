import { test } from "node:test";
import { sql } from "kysely";
import { assertOrphansGoAfterADay } from "../../feature-kit/orphans-testing.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { maps } from "./feature.ts";

const RUNNING = "runningrunningrun000";
const ENDED = "endedendedendedend00";

/** Keys whose result, download or run exists. */
const NAMED = [
  `downloads/${ENDED}/statistics.csv`,
  `downloads/${RUNNING}/unfinished.csv`,
  "results/computed/worker-1/change.tif",
  "results/finished/worker-1/change.tif",
  "results/finished/worker-1/objects.fgb",
];
/** Other files of these results and downloads, and files of results and downloads that do not exist. */
const ORPHANS = [
  `downloads/${ENDED}/other.csv`,
  "downloads/gonegonegonegonego00/statistics.csv",
  "results/computed/worker-0/change.tif",
  "results/finished/worker-0/change.tif",
  "results/gone/worker-1/change.tif",
  "results/left/worker-1/change.tif",
];

test("results and downloads without a row go when they are a day old; named files and those of running work stay", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const result = (id: string, raster: object | null, leaseHours: number) =>
    sql`
    insert into map_results
      (result_id, map_type, algo_version, scene_ids, parameters, owner, lease_until, raster, objects_key, created_at,
        finished_at)
    values (${id}, 'change', 1, '{}', '{}', 'worker-1', now() + make_interval(hours => ${leaseHours}::int),
      ${raster === null ? null : JSON.stringify(raster)}::jsonb, ${raster === null ? null : NAMED[4]}, now(),
      ${raster === null ? null : new Date()}::timestamptz)`.execute(db);
  await result("finished", { bands: [{ key: NAMED[3] }] }, -1);
  await result("computed", null, 1);
  await result("left", null, -1);
  await sql`
    insert into map_downloads (pipeline_id, file_name, media_type, size_bytes, hash, expires_at)
    values (${ENDED}, 'statistics.csv', 'text/csv', 10, 'hash', now() + interval '1 day')`.execute(db);
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url)
    values (${RUNNING}, '/mapsvc/statistics', 'PROCESSING', '{}', '{}', '', '', '')`.execute(db);
  // As the schedule of the service runs it.
  await assertOrphansGoAfterADay({ kept: NAMED, orphans: ORPHANS }, (needs) =>
    maps.schedules({} as never, { ...needs, db } as never).find(({ name }) => name === "maps: remove orphans"),
  );
});
