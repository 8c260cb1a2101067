import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { sql } from "kysely";
import type { Db, Trx } from "../../platform/context.ts";
import { testDatabase, type TestDatabase } from "../../platform/postgres/testing.ts";
import { appendDatapoints } from "./append-datapoints.ts";
import { datacubeNow } from "./datacube-now.ts";
import { MAX_WRITTEN_DATAPOINTS } from "./datapoint.ts";
import { addProject, append, datapoint } from "./testing.ts";

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await testDatabase();
  db = database.db;
});
after(() => database[Symbol.asyncDispose]());

/** Values as of a moment, in their order. */
async function valuesAt(project: string, asOf: Date): Promise<readonly number[]> {
  const { rows } = await sql<{ value: number }>`
    select p.value from datacube_points p
    join datacube_series s on s.series_id = p.series_id
    join datacube_batches b on b.batch_id = p.batch_id
    where s.project = ${project} and b.first_seen <= ${asOf} order by p.value`.execute(db);
  return rows.map(({ value }) => value);
}

test("a datapoint is written once: the same again changes nothing, another value is a conflict", async () => {
  await addProject(db, "once", ["a", "b"]);
  assert.deepEqual(await append(db, "once", [datapoint("a", 0, 0.5), datapoint("b", 0, 0.25)]), {
    written: 2,
    known: 0,
  });
  assert.deepEqual(await append(db, "once", [datapoint("a", 0, 0.5), datapoint("a", 1, 0.75)]), {
    written: 1,
    known: 1,
  });
  await assert.rejects(append(db, "once", [datapoint("a", 2, 1), datapoint("b", 0, 0.26)]), {
    code: "CONFLICT",
    message:
      "ndvi_mean of b from 2024-01-01T00:00:00.000Z in version v1 is 0.25 already: write a later version to correct it",
  });
  await assert.rejects(append(db, "once", [datapoint("a", 3, 1), datapoint("a", 3, 2)]), { code: "CONFLICT" });
  assert.deepEqual(await valuesAt("once", await datacubeNow(db)), [0.25, 0.5, 0.75]);
  assert.equal((await append(db, "once", [datapoint("b", 0, 0.26, { version: "v2" })])).written, 1);
});

test("of two writers of the same key at once one writes, and the other has the same value or a conflict", async () => {
  await addProject(db, "rivals", ["a"]);
  const days = Array.from({ length: 50 }, (_, day) => day);
  const write = (value: number, order: readonly number[]) =>
    append(
      db,
      "rivals",
      order.map((day) => datapoint("a", day, value)),
    );
  const same = await Promise.all([write(1, days), write(1, days.toReversed())]);
  assert.deepEqual(
    same.reduce((sum, { written, known }) => [sum[0]! + written, sum[1]! + known], [0, 0]),
    [50, 50],
  );
  const later = days.map((day) => day + 100);
  const other = await Promise.allSettled([write(1, later), write(2, later.toReversed())]);
  assert.deepEqual(other.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  assert.equal((await valuesAt("rivals", await datacubeNow(db))).length, 100);
});

test("unknown areas, other units, values that are no numbers and large batches are refused", async () => {
  await addProject(db, "refused", ["a"]);
  await append(db, "refused", [datapoint("a", 0, 1, { unit: "km2" })]);
  const cases: readonly (readonly [object, string])[] = [
    [datapoint("x", 0, 1, { unit: "km2" }), "/datapoints/0/aoiId: the project refused has no area x"],
    [datapoint("a", 1, 1, { unit: "m2" }), 'the series refused ndvi_mean S2 has the unit "km2", got "m2"'],
    [datapoint("a", 1, Number.NaN), "/datapoints/0/value is NaN, expected a finite number"],
    [datapoint("a", 1, 1, { algorithm: "a.b" }), "/datapoints/0/algorithm must match ^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"],
    [datapoint("a", 1, 1, { end: new Date(0) }), "/datapoints/0/endDatetime must not be before startDatetime"],
  ];
  for (const [point, message] of cases) await assert.rejects(append(db, "refused", [point as never]), { message });
  const many = Array.from({ length: MAX_WRITTEN_DATAPOINTS + 1 }, () => datapoint("a", 0, 1));
  await assert.rejects(append(db, "refused", many), { code: "VALIDATION-ERROR" });
});

test("shares that are too small for their column are written as 0", async () => {
  await addProject(db, "tiny", ["a"]);
  const point = datapoint("a", 0, 5e-324, { confidence: 5e-324, cloudCover: 2.7e-279 });
  assert.equal((await append(db, "tiny", [point])).written, 1);
  const { rows } = await sql<{ confidence: number; cloudCover: number }>`
    select p.confidence, p.cloud_cover as "cloudCover" from datacube_points p
    join datacube_series s on s.series_id = p.series_id where s.project = ${"tiny"}`.execute(db);
  assert.deepEqual(rows, [{ confidence: 0, cloudCover: 0 }]);
});

test("points cannot be changed or deleted in the database", async () => {
  await addProject(db, "forever", ["a"]);
  await append(db, "forever", [datapoint("a", 0, 1)]);
  await assert.rejects(sql`update datacube_points set value = 2`.execute(db), /append-only/);
  await assert.rejects(sql`delete from datacube_points`.execute(db), /append-only/);
});

test("a transaction that began early and commits late is not there for the moments in between", async () => {
  await addProject(db, "late", ["a"]);
  // Writers of the first datapoint of a series are waited for.
  await append(db, "late", [datapoint("a", 9, 9)]);
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended = db.transaction().execute(async (trx: Trx) => {
    await appendDatapoints(trx, "late", [datapoint("a", 0, 1)]);
    written.resolve();
    await commit.promise;
  });
  await written.promise;
  await append(db, "late", [datapoint("a", 1, 2)]);
  // Neither the writer nor the reader waits for the open transaction.
  const between = await datacubeNow(db);
  assert.deepEqual(await valuesAt("late", between), [2, 9]);
  commit.resolve();
  await ended;
  assert.deepEqual(await valuesAt("late", between), [2, 9]);
  assert.deepEqual(await valuesAt("late", await datacubeNow(db)), [1, 2, 9]);
});

test("for any moment the answer equals the answer that a client got then, while others write", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 }), async (writers) => {
      run += 1;
      const project = `run${run}`;
      await addProject(db, project, ["a"]);
      const writing = new AbortController();
      const answers: { readonly asOf: Date; readonly values: readonly number[] }[] = [];
      const read = async (): Promise<void> => {
        while (!writing.signal.aborted) {
          const asOf = await datacubeNow(db);
          answers.push({ asOf, values: await valuesAt(project, asOf) });
        }
      };
      const write = async (count: number, writer: number): Promise<void> => {
        for (let n = 0; n < count; n += 1) {
          const day = writer * 10 + n;
          await append(db, project, [datapoint("a", day, day)]);
          const asOf = await datacubeNow(db);
          const values = await valuesAt(project, asOf);
          assert.ok(values.includes(day), "a writer reads its datapoint");
          answers.push({ asOf, values });
        }
      };
      const reading = [read(), read()];
      await Promise.all(writers.map(write));
      writing.abort();
      await Promise.all(reading);
      for (const { asOf, values } of answers) assert.deepEqual(await valuesAt(project, asOf), values);
      assert.equal(
        (await valuesAt(project, await datacubeNow(db))).length,
        writers.reduce((a, b) => a + b),
      );
    }),
    { numRuns: 15, endOnFailure: true },
  );
});

test("the catalogue counts what is visible", async () => {
  await addProject(db, "counted", ["a", "b"]);
  await append(db, "counted", [datapoint("a", 0, 1), datapoint("b", 4, 2)]);
  await append(db, "counted", [datapoint("a", 0, 1), datapoint("a", 0, 3, { version: "v2" })]);
  await assert.rejects(append(db, "counted", [datapoint("a", 9, 1), datapoint("b", 4, 9)]));
  const { rows } = await sql<Record<string, unknown>>`
    select datapoint_count as points, aoi_count as aois, start_at as start, end_at as end,
      (select json_agg(json_build_array(v.version, v.datapoint_count) order by v.version)
       from datacube_series_versions v where v.series_id = s.series_id) as versions
    from datacube_series s where project = 'counted'`.execute(db);
  const { start, end, ...counts } = rows[0]!;
  assert.deepEqual(counts, { points: 3, aois: 2, versions: [["v1", 2], ["v2", 1]] }); // prettier-ignore
  assert.deepEqual([start, end], [new Date("2024-01-01"), new Date("2024-01-05")]);
});
