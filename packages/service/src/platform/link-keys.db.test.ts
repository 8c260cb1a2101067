import assert from "node:assert/strict";
import { test } from "node:test";
import { ACTIVATION_MS, openLinkKeys } from "./link-keys.ts";
import { addLinkSecret } from "./postgres/link-secrets.ts";
import { testDatabase } from "./postgres/testing.ts";
import { isSignatureOf, signText } from "./signed-text.ts";

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

test("a new secret verifies in every process before it signs in any, and the former one verifies on", async () => {
  await using database = await testDatabase();
  const { db } = database;
  let now = new Date();
  const clock = { now: () => now };
  const [one, other] = [await openLinkKeys(db, clock), await openLinkKeys(db, clock)];
  assert.deepEqual(one.current(), other.current(), "processes share the first secret");
  const before = signText(one.current, "address");

  await db.transaction().execute((trx) => addLinkSecret(trx, new Date(now.getTime() + ACTIVATION_MS)));
  await Promise.all([one.reload(), other.reload()]);
  assert.equal(signText(one.current, "address"), before, "the former secret signs until all know the new one");
  now = new Date(now.getTime() + ACTIVATION_MS);
  const after = signText(one.current, "address");
  assert.notEqual(after, before);
  for (const signature of [before, after]) assert.equal(isSignatureOf(other.current, "address", signature), true);
  assert.equal(isSignatureOf(other.current, "another address", after), false);
  assert.deepEqual(one.first, other.current().at(-1), "the secret of second factors stays");
});

test("a secret that was replaced more than a year ago verifies nothing", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const clock = { now: () => new Date() };
  await openLinkKeys(db, clock);
  for (const days of [500, 370, 300]) await db.transaction().execute((trx) => addLinkSecret(trx, ago(days)));
  const keys = await openLinkKeys(db, clock);
  assert.equal(keys.current().length, 3, "the latest, the one it replaced, and the first");
  const { rows } = { rows: await db.selectFrom("map_signing_keys").select(["id", "secret"]).orderBy("id").execute() };
  assert.deepEqual(
    keys.current(),
    [rows[3], rows[2], rows[0]].map((row) => new Uint8Array(row?.secret ?? [])),
  );
});
