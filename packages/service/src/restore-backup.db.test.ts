import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { openS3BlobStore } from "@swath/base/blobs/s3-blob-store";
import { silentLog } from "@swath/base/log/log";
import { startS3Server } from "@swath/base/testing/s3-server";
import { migrations } from "../migrations/registry.ts";
import { backUpConfigured } from "./make-backup.ts";
import { migrate } from "./platform/postgres/migrate.ts";
import { testDatabase, type TestDatabase } from "./platform/postgres/testing.ts";
import { restoreConfigured } from "./restore-backup.ts";

const OLDER = "0027-service-probe";
const never = new AbortController().signal;

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "swath-backup-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A database without any table. */
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await testDatabase();
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  return database;
}

async function addUser({ db }: TestDatabase): Promise<void> {
  await sql`
    insert into groups (id, name, permissions, created_at, updated_at)
    values ('guests', E'Guests\\twith\\nlines and \\\\', '{imagery}', now(), now())`.execute(db);
  await sql`
    insert into users (id, email, name, type, created_at, updated_at)
    values ('ada', 'ada@example.org', 'Ada Å', 'user', now(), now())`.execute(db);
}

async function namesIn({ db }: TestDatabase, table: "groups" | "users"): Promise<readonly string[]> {
  return (await db.selectFrom(table).select("name").execute()).map(({ name }) => name);
}

test("a backup of an earlier version, with blobs in a bucket, is restored into a folder and brought up to date", async () => {
  await using folder = await temporaryFolder();
  await using old = await emptyDatabase();
  await migrate(old.db, silentLog, OLDER);
  await addUser(old);
  await using s3 = await startS3Server();
  const store = s3.store("imagery");
  {
    await using blobs = openS3BlobStore(store);
    await blobs.put("scenes/a/B02", new Uint8Array([1, 2, 3]));
    await blobs.put("scenes/a/B03", new Uint8Array());
    await blobs.probe();
  }
  const backup = join(folder.path, "backup");
  const made = await backUpConfigured(backup, never, {
    DATABASE_URL: old.url,
    SWATH_DATA: join(folder.path, "old"),
    SWATH_BLOBS: "s3",
    SWATH_S3_BUCKET: store.bucket,
    SWATH_S3_PREFIX: store.keyPrefix,
    SWATH_S3_ENDPOINT: store.endpoint ?? "",
    SWATH_S3_PATH_STYLE: "on",
    SWATH_S3_ACCESS_KEY_ID: store.credentials?.accessKeyId,
    SWATH_S3_SECRET_ACCESS_KEY: store.credentials?.secretAccessKey,
  });
  assert.deepEqual(made.blobs, { count: 2, bytes: 3 });

  await using fresh = await emptyDatabase();
  const data = join(folder.path, "new");
  const report = await restoreConfigured(backup, never, { DATABASE_URL: fresh.url, SWATH_DATA: data });
  assert.equal(report.rows, made.rows);
  assert.deepEqual(await namesIn(fresh, "groups"), ["Guests\twith\nlines and \\"]);
  assert.deepEqual(await namesIn(fresh, "users"), ["Ada Å"]);
  assert.deepEqual([...(await readFile(join(data, "blobs/scenes/a/B02")))], [1, 2, 3]);
  assert.deepEqual([...(await readFile(join(data, "blobs/scenes/a/B03")))], []);
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(fresh.db);
  assert.equal(rows[0]?.name, Object.keys(migrations).at(-1));
});

test("a table with other rows than were written is refused, and no row is loaded", async () => {
  await using folder = await temporaryFolder();
  await using database = await testDatabase();
  await addUser(database);
  const backup = join(folder.path, "backup");
  const settings = { SWATH_DATA: folder.path };
  await backUpConfigured(backup, never, { ...settings, DATABASE_URL: database.url });
  const users = join(backup, "tables/users.copy.gz");
  await writeFile(
    users,
    gzipSync(
      gunzipSync(await readFile(users))
        .toString()
        .replace("Ada", "Eve"),
    ),
  );
  await using fresh = await emptyDatabase();
  await assert.rejects(
    restoreConfigured(backup, never, { ...settings, DATABASE_URL: fresh.url }),
    /users\.copy\.gz is not as it was written: got 1 rows, expected 1/u,
  );
  assert.deepEqual([await namesIn(fresh, "groups"), await namesIn(fresh, "users")], [[], []]);
});

test("a backup with a migration that this version does not have is refused before anything is made", async () => {
  await using folder = await temporaryFolder();
  await using database = await testDatabase();
  const backup = join(folder.path, "backup");
  const settings = { SWATH_DATA: folder.path };
  await backUpConfigured(backup, never, { ...settings, DATABASE_URL: database.url });
  const path = join(backup, "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as { readonly migrations: readonly string[] };
  await writeFile(path, JSON.stringify({ ...manifest, migrations: [...manifest.migrations, "9999-later"] }));
  await using fresh = await emptyDatabase();
  await assert.rejects(
    restoreConfigured(backup, never, { ...settings, DATABASE_URL: fresh.url }),
    /from another version: it has the migration 9999-later/u,
  );
  const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(fresh.db);
  assert.deepEqual(rows, []);
});
