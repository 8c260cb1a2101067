import assert from "node:assert/strict";
import { test } from "node:test";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { systemClock } from "@swath/base/clock";
import { boxPolygon, testScene } from "../../credits/testing.ts";
import { mapBench } from "../testing.ts";

function taken(name: string, datetime: string, members: Partial<Scene> = {}): StoredScene {
  const stored = testScene(name);
  return { ...stored, scene: { ...stored.scene, datetime, ...members } };
}

function radar(name: string, datetime: string, relativeOrbitNumberStart: number): StoredScene {
  return taken(name, datetime, { relativeOrbitNumberStart, lookSide: "right", orbitPass: "ascending", mode: "IW" });
}

const scenes = [
  taken("a", "2020-03-01 10:00:00"),
  taken("b", "2020-01-01 10:00:00"),
  taken("c", "2020-02-01 10:00:00"),
  radar("r", "2020-01-05 05:00:00", 7),
  radar("s", "2020-01-17 05:00:00", 7),
  radar("t", "2020-01-17 05:00:00", 8),
  radar("u", "2020-01-29 05:00:00", 7),
];
const idOf = (name: string): string => scenes["abcrstu".indexOf(name)]!.scene.sceneId;
/** Ids of scenes by their letters. */
const named = (...list: readonly string[]): unknown => list.map((letters) => letters.split("").map(idOf));
const sceneIds = scenes.map(({ scene }) => scene.sceneId);
const extent = boxPolygon([14.05, 50.05, 14.15, 50.1]);

test("pairs are made within what can be compared, and series too", async () => {
  await using b = await mapBench(scenes, systemClock);
  const { token } = await b.addUser("a@example.com", ["imagery.availability"]);
  const pairs = async (pairingType?: string): Promise<unknown> =>
    (await b.run("/mapsvc/pairwise", { sceneIds, extent, pairingType }, token)).json.pairs;
  assert.deepEqual(await pairs(), named("bc", "ca", "rs", "su"));
  assert.deepEqual(await pairs("first"), named("bc", "ba", "rs", "ru"));
  assert.deepEqual(await pairs("all"), named("bc", "ba", "ca", "rs", "ru", "su"));
  const nwise = await b.run("/mapsvc/nwise", { sceneIds, extent }, token);
  assert.deepEqual(nwise.json, { groups: named("bca", "rsu") });
  const short = await b.run("/mapsvc/nwise", { sceneIds, extent, size: 2 }, token);
  assert.deepEqual(short.json, { groups: named("bc", "rs") });
});

test("series are as long as the map types take", async () => {
  const days = Array.from({ length: 18 }, (_, i) => radar(`day${i}`, `2020-06-${10 + i} 05:00:00`, 9));
  const few = [radar("first", "2020-06-01 05:00:00", 10), radar("second", "2020-06-13 05:00:00", 10)];
  await using b = await mapBench([...days, ...few], systemClock);
  const { token } = await b.addUser("a@example.com", ["imagery.availability"]);
  const lengths = async (more: object): Promise<readonly number[]> => {
    const ids = [...days, ...few].map(({ scene }) => scene.sceneId);
    const { json } = await b.run("/mapsvc/nwise", { sceneIds: ids, extent, ...more }, token);
    return (json.groups as readonly (readonly string[])[]).map((group) => group.length);
  };
  assert.deepEqual(await lengths({}), [2, 18]);
  assert.deepEqual(await lengths({ mapTypes: ["ships-series"] }), [9, 9]);
  assert.deepEqual(await lengths({ mapTypes: ["ships-series"], size: 5 }), [5, 4, 5, 4]);
});

test("equal times in one orbit, unknown scenes, other places and missing rights are refused at once", async () => {
  const twin = radar("twin", "2020-01-17 05:00:00", 7);
  await using b = await mapBench([...scenes, twin], systemClock);
  const { token } = await b.addUser("a@example.com", ["imagery.availability"]);
  const { token: powerless } = await b.addUser("b@example.com", ["mapsvc.release"]);
  for (const path of ["/mapsvc/pairwise", "/mapsvc/nwise"]) {
    const refused = async (body: object, by = token): Promise<unknown> => {
      const { status, json } = await b.post(`${path}/initiate`, body, by);
      return [status, json.error];
    };
    const same = { sceneIds: [...sceneIds, twin.scene.sceneId], extent };
    assert.deepEqual(await refused(same), [400, "SCENES-WITH-SAME-DATETIME"]);
    assert.deepEqual(await refused({ sceneIds: ["ab.spot.nowhere"], extent }), [404, "NON-EXISTING-SCENE"]);
    const far = boxPolygon([-60, 10, -59.9, 10.1]);
    assert.deepEqual(await refused({ sceneIds, extent: far }), [400, "EXTENT-HAS-NO-INTERSECTION"]);
    assert.deepEqual(await refused({ sceneIds, extent, mapTypes: ["moonbase"] }), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refused({ sceneIds: [], extent }), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refused({ sceneIds, extent }, powerless), [401, "NOT-AUTHORIZED"]);
  }
});
