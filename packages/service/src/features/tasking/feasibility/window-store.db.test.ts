import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { testDatabase } from "../../../platform/postgres/testing.ts";
import { insertWindows, MAX_WINDOWS_OF_USER, readWindow, type StoredWindow } from "./window-store.ts";

const geometry = boundsPolygon([14, 50, 14.1, 50.1]);
const startMs = Date.UTC(2026, 5, 3);

function windowOf(userId: string, groupId: string, createdMs: number): StoredWindow {
  const windowId = randomUUID();
  return {
    windowId,
    userId,
    groupId,
    study: {
      provider: "radar-multi",
      dataset: "spotlight",
      priority: "flexible",
      contractId: "built-in-radar-multi",
      payerGroupId: groupId,
      originalGeometry: geometry,
      interval: { fromMs: startMs, toMs: startMs + 1 },
      orderOptions: {},
    },
    geometry,
    startMs,
    endMs: startMs + 60_000,
    document: {
      windowId,
      provider: "radar-multi",
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 60_000).toISOString(),
      satellite: "one",
      mode: "spotlight",
      offNadir: null,
      incidence: 30,
      lookSide: "left",
      pass: "ascending",
      sunElevation: null,
      coverageRatio: 1,
      cloudCover: 0,
      cloudProbability: 1,
      price: 2.5,
      uncertaintySeconds: 1,
      expectedAttempts: 1,
      elementsEpoch: null,
      strips: [geometry],
      expiresAt: new Date(startMs).toISOString(),
    },
    offer: { offerId: null, satellite: "one", mode: "spotlight", computedFrom: { epoch: "2026-06-01T00:00:00.000Z" } },
    areaM2: 25_000_000,
    micro: 2_500_000n,
    createdMs,
    expiresMs: startMs,
  };
}

test("a window is read as it was kept, by its user and the group of that user", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const window = windowOf("user-1", "group-1", startMs);
  await insertWindows(db, [window]);
  assert.deepEqual(await readWindow(db, window.windowId, { userId: "user-1", groupId: "group-9" }), window);
  assert.deepEqual(await readWindow(db, window.windowId, { userId: "user-2", groupId: "group-1" }), window);
  assert.equal(await readWindow(db, window.windowId, { userId: "user-2", groupId: "group-2" }), null);
  const alone = windowOf("user-3", "", startMs);
  await insertWindows(db, [alone]);
  assert.equal(await readWindow(db, alone.windowId, { userId: "user-4", groupId: "" }), null);
});

test("the windows of one user are bounded: the oldest go first, and those of others stay", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const other = windowOf("user-2", "group-1", startMs);
  await insertWindows(db, [other]);
  const studies = Array.from({ length: MAX_WINDOWS_OF_USER / 200 + 1 }, (_, study) =>
    Array.from({ length: 200 }, () => windowOf("user-1", "group-1", startMs + study)),
  );
  for (const windows of studies) await insertWindows(db, windows);
  const { count } = await db
    .selectFrom("tasking_windows")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("user_id", "=", "user-1")
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), MAX_WINDOWS_OF_USER);
  const kept = async (window: StoredWindow | undefined): Promise<boolean> =>
    window !== undefined && (await readWindow(db, window.windowId, window)) !== null;
  assert.deepEqual(
    [await kept(studies[0]?.[0]), await kept(studies[1]?.[0]), await kept(studies.at(-1)?.[199]), await kept(other)],
    [false, true, true, true],
  );
});
