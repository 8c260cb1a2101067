import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asAdvised,
  aSecond,
  follow,
  lastDays,
  PLACE,
  recordedClient,
  timeText,
  withoutPause,
} from "./recorded-client.ts";

const DAY_MS = 86_400_000;

const client = await recordedClient();

interface SceneAnswer {
  readonly sceneId: string;
  readonly provider: string;
  readonly dataset: string;
  readonly datetime: string;
  readonly cloudCover: number;
  readonly downloadable: boolean;
  readonly bands: readonly { readonly gsd: number; readonly names: readonly string[] }[];
  readonly footprint: { readonly type: string; readonly coordinates: readonly (readonly (readonly number[][])[])[] };
}

/** The scenes of one page, which is the last one. */
async function scenesOf(request: object): Promise<readonly SceneAnswer[]> {
  const { result } = await follow(client, "/imagery/search", request, asAdvised);
  assert.equal(result.status, 200, JSON.stringify(result.body));
  assert.equal(result.body.cursor, null, "one page holds the window");
  return result.body.results;
}

/** Datasets of the demonstration catalogue that recorded clients search, by the names that they use. */
const SEARCHED = [
  ["gbdx", "idaho-pansharpened"],
  ["gbdx", "idaho-swir"],
  ["gbdx", "idaho-panchromatic"],
  ["iceye", "Spotlight_SLC"],
  ["pl", "PSScene4Band"],
  ["pl", "SkySatScene"],
  ["ab", "pleiades"],
  ["ab", "spot"],
  ["optical-agile", "newsat"],
  ["ee", "COPERNICUS/S1_GRD"],
  ["ee", "COPERNICUS/S2_SR_HARMONIZED"],
  ["ee", "LANDSAT/LC08/C02/T1"],
] as const;

test("searches of the last 90 and 365 days find scenes of every dataset, newest first, in one page", async () => {
  for (const [provider, dataset] of SEARCHED) {
    for (const days of [90, 365]) {
      const window = lastDays(days);
      const scenes = await scenesOf({ provider, dataset, extent: PLACE, minIntersection: 0.4, ...window });
      assert.ok(scenes.length > 0, `${provider} ${dataset} in ${days} days`);
      const times = scenes.map(({ datetime }) => datetime);
      assert.deepEqual(times, times.toSorted().toReversed());
      assert.ok(times.every((time) => time >= window.startDatetime && time <= window.endDatetime));
      assert.ok(scenes.every((scene) => scene.provider === provider && scene.dataset === dataset));
    }
  }
});

test("windows of five weeks and nine months need no second page, and are as dense as recorded ones", async () => {
  const start = Date.UTC(2017, 8, 1);
  const windowOf = (days: number) => ({ startDatetime: timeText(start), endDatetime: timeText(start + days * DAY_MS) });
  for (const [provider, dataset] of SEARCHED) {
    for (const days of [35, 273]) {
      const scenes = await scenesOf({ datasets: [{ provider, dataset }], extent: PLACE, ...windowOf(days) });
      if (provider === "gbdx") assert.ok(scenes.length <= 31, `${scenes.length} scenes of ${dataset} in ${days} days`);
    }
  }
});

test("the demonstration area has two cloud-free scenes of half a metre in January and in spring 2018", async () => {
  for (const [startDatetime, endDatetime] of [
    ["2018-01-01 00:00:00", "2018-01-31 23:59:59"],
    ["2018-04-01 00:00:00", "2018-05-31 23:59:59"],
  ]) {
    const scenes = await scenesOf({
      provider: "gbdx",
      dataset: "idaho-pansharpened",
      startDatetime,
      endDatetime,
      minIntersection: 0.4,
      extent: PLACE,
    });
    const clear = scenes.filter(
      ({ cloudCover, bands }) => cloudCover < 0.05 && Math.min(...bands.map(({ gsd }) => gsd)) < 0.55,
    );
    assert.ok(clear.length >= 2, `${clear.length} of ${scenes.length} from ${startDatetime}`);
    for (const { footprint } of clear) {
      assert.equal(footprint.type, "MultiPolygon");
      const ring = footprint.coordinates[0]?.[0] ?? [];
      const area = ring
        .slice(1)
        .reduce((sum, [x = 0, y = 0], i) => sum + (ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0), 0);
      assert.ok(area < 0, "exteriors of search answers are clockwise");
    }
  }
});

test("what the listing calls downloadable is downloadable in the scenes", async () => {
  const { body: listing } = await client.post("/imagery/datasets/list");
  for (const { provider, dataset, downloadable, catalogAccess } of listing) {
    if (catalogAccess === false) continue;
    const window = lastDays(365);
    const { result } = await follow(
      client,
      "/imagery/search",
      { datasets: [{ provider, dataset }], extent: PLACE, minIntersection: 0, limit: 5, ...window },
      asAdvised,
    );
    assert.equal(result.status, 200, JSON.stringify(result.body));
    for (const scene of result.body.results as readonly SceneAnswer[]) {
      assert.equal(scene.downloadable, downloadable, `${provider} ${dataset}`);
    }
  }
});

test("two hundred searches of many windows at once are accepted, followed without a pause and answered", async () => {
  const requests = Array.from({ length: 200 }, (_, n) => ({
    provider: "gbdx",
    dataset: "idaho-pansharpened",
    extent: PLACE,
    ...lastDays(35 + n),
  }));
  const ends = await Promise.all(requests.map((request) => follow(client, "/imagery/search", request, withoutPause)));
  assert.deepEqual(new Set(ends.map(({ result }) => result.status)), new Set([200]));
  assert.ok(ends.every(({ result }) => Array.isArray(result.body.results)));
});

test("loops of one second and loops without a pause end with the pipeline", async () => {
  const request = { provider: "pl", dataset: "PSScene4Band", extent: PLACE, ...lastDays(273) };
  const quick = await follow(client, "/imagery/search", request, withoutPause);
  assert.ok(quick.asked <= 20, `${quick.asked} questions`);
  const slow = await follow(client, "/imagery/search", request, aSecond);
  assert.ok(slow.asked <= 10, `${slow.asked} questions`);
  assert.deepEqual(
    quick.result.body.results.map(({ sceneId }: SceneAnswer) => sceneId),
    slow.result.body.results.map(({ sceneId }: SceneAnswer) => sceneId),
  );
});
