import { test } from "node:test";
import { sql } from "kysely";
import { assertOrphansGoAfterADay } from "../../feature-kit/orphans-testing.ts";
import { testDatabase } from "../../platform/postgres/testing.ts";
import { exporting } from "./feature.ts";
import { insertImage } from "./store.ts";

const RUNNING = "runningrunningrun000";
const ENDED = "endedendedendedend00";
const NAMED = [`exports/${ENDED}/image.tif`, `exports/${RUNNING}/image.tif`];
const ORPHAN = "exports/gonegonegonegonego00/image.tif";
/** Of another purpose, which another sweep looks after. */
const OTHER = "scenes/local.uploads.a/b000.tif";

test("images without a row go when they are a day old; those with a row or a running export stay", async () => {
  await using database = await testDatabase();
  const { db } = database;
  await insertImage(db, { pipelineId: ENDED, sceneId: "local.uploads.a", expiresAt: new Date() });
  await sql`
    insert into pipelines (id, kind, status, request, caller, user_id, group_id, base_url)
    values (${RUNNING}, '/imagery/get-image', 'NEW', '{}', '{}', '', '', '')`.execute(db);
  // As the schedule of the service runs it.
  await assertOrphansGoAfterADay({ kept: [...NAMED, OTHER], orphans: [ORPHAN] }, (needs) =>
    exporting.schedules({} as never, { ...needs, db } as never).find(({ name }) => name === "export: remove orphans"),
  );
});
