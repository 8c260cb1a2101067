import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { createMapIdSigner, includesTile } from "./signed-map-id.ts";

const KEY = new Uint8Array(32).fill(7);
const KEYS = () => [KEY];
const MAP = { mapId: "m", mapType: "ndvi", geometryId: "g", version: 400, tiles: [{ x: 5, y: 6, zoom: 4 }] };
const START = new Date("2026-03-01T12:00:00Z");
const YEAR_S = 365 * 24 * 3600;
/** No ID here comes from a link. */
const linked = () => Promise.reject(new Error("no link is asked for"));
const at = (date: Date) => ({ now: () => date });
const invalid = (message: RegExp) => (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "INVALID-MAP-ID" && message.test(error.message);

test("a map ID is a JSON Web Token that HMAC-SHA-256 signs and that lasts a year", async () => {
  const id = await createMapIdSigner(KEYS, at(START), linked).sign(MAP);
  const [header = "", payload = "", signature = ""] = id.split(".");
  assert.deepEqual(JSON.parse(Buffer.from(header, "base64url").toString()), { alg: "HS256", typ: "JWT" });
  assert.deepEqual(JSON.parse(Buffer.from(payload, "base64url").toString()), {
    ...MAP,
    exp: START.getTime() / 1000 + YEAR_S,
  });
  assert.equal(createHmac("sha256", KEY).update(`${header}.${payload}`).digest("base64url"), signature);
});

test("a map ID is read back, by another process too, until it expires", async () => {
  let now = START;
  const clock = { now: () => now };
  const id = await createMapIdSigner(KEYS, clock, linked).sign(MAP);
  const signer = createMapIdSigner(KEYS, clock, linked);
  assert.equal((await signer.verify(id)).mapId, "m");
  now = new Date(START.getTime() + YEAR_S * 1000 - 1000);
  assert.equal((await signer.verify(id)).mapType, "ndvi");
  now = new Date(START.getTime() + YEAR_S * 1000);
  await assert.rejects(signer.verify(id), invalid(/expired/u));
  await assert.rejects(createMapIdSigner(KEYS, clock, linked).verify(id), invalid(/expired/u));
});

test("what another key signed, what was changed, what is unsigned and what is no token are invalid", async () => {
  const signer = createMapIdSigner(KEYS, at(START), linked);
  const id = await signer.sign(MAP);
  const foreign = await createMapIdSigner(() => [new Uint8Array(32).fill(8)], at(START), linked).sign(MAP);
  const [header = "", , signature = ""] = id.split(".");
  const changed = Buffer.from(JSON.stringify({ ...MAP, mapId: "other", exp: 9e9 })).toString("base64url");
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  for (const wrong of [foreign, `${header}.${changed}.${signature}`, `${none}.${changed}.`, "m", "", "a.b.c"]) {
    await assert.rejects(signer.verify(wrong), invalid(/not one that this service has signed/u), wrong);
  }
});

test("after a rotation the new secret signs, and map IDs of the former one stay valid until they expire", async () => {
  const [former, latest] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  let keys = [former];
  let now = START;
  const signer = createMapIdSigner(() => keys, { now: () => now }, linked);
  const before = await signer.sign(MAP);
  keys = [latest, former];
  const after = await signer.sign(MAP);
  const fresh = createMapIdSigner(() => keys, { now: () => now }, linked);
  for (const id of [before, after]) assert.equal((await fresh.verify(id)).mapId, "m");
  await assert.rejects(createMapIdSigner(() => [former], at(START), linked).verify(after), invalid(/not one/u));
  now = new Date(START.getTime() + YEAR_S * 1000);
  await assert.rejects(createMapIdSigner(() => keys, { now: () => now }, linked).verify(before), invalid(/expired/u));
});

test("a short secret is refused", () => {
  assert.throws(() => createMapIdSigner(() => [new Uint8Array(31)], at(START), linked), RangeError);
});

test("a listed tile includes itself and its descendants, not its parent or neighbours", () => {
  assert.equal(includesTile(MAP.tiles, [4, 5, 6]), true);
  assert.equal(includesTile(MAP.tiles, [5, 11, 13]), true);
  assert.equal(includesTile(MAP.tiles, [20, (5 << 16) + 65_535, 6 << 16]), true);
  assert.equal(includesTile(MAP.tiles, [3, 2, 3]), false);
  assert.equal(includesTile(MAP.tiles, [4, 4, 6]), false);
  assert.equal(includesTile(MAP.tiles, [5, 12, 13]), false);
  assert.equal(includesTile([], [0, 0, 0]), false);
});
