import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { systemClock } from "@swath/base/clock";
import { renderInProcess } from "@swath/maps/render/render-in-process";
import { sceneFixture, type SceneFixture } from "@swath/maps/render/testing";
import { landscape } from "@swath/raster/testing/landscape";
import { boxArea, boxPolygon } from "../../credits/testing.ts";
import { mapBench, type Answer, type MapBench } from "../testing.ts";

const SIZE = 900;
const extent = boxPolygon([9.02, 49.6, 9.07, 49.62]);

function scene(): Promise<SceneFixture> {
  return sceneFixture({
    widthPx: SIZE,
    heightPx: SIZE,
    bands: [0, 1, 2, 3].map((band) => landscape(new Uint16Array(SIZE * SIZE), SIZE, band, 5_000)),
    roles: ["B", "G", "R", "N"],
    quantity: "other",
    nodata: 0,
    scene: {
      sceneId: "ee.COPERNICUS_S2_SR_HARMONIZED.fixture",
      provider: "ee",
      dataset: "COPERNICUS/S2_SR_HARMONIZED",
      footprint: boxArea([9.0, 49.57, 9.12, 49.65]),
    },
  });
}

/** The scene at another time: the same pixels, whose statistics tell something else. */
function at(stored: StoredScene, name: string, datetime: string, cloudCover: number, brightness = 1): StoredScene {
  const bands = stored.raster.bands.map((band) => ({
    ...band,
    statistics: { ...band.statistics, p995: band.statistics.p995 * brightness },
  }));
  return {
    ...stored,
    contentHash: name.padEnd(64, "0"),
    scene: { ...stored.scene, sceneId: `ee.COPERNICUS_S2_SR_HARMONIZED.${name}`, datetime, cloudCover },
    raster: { ...stored.raster, bands },
  };
}

const idOf = (name: string): string => `ee.COPERNICUS_S2_SR_HARMONIZED.${name}`;
const NAMES = ["d", "a", "c", "cloudy", "b"];

const timelapseOf = (more: object): object => ({
  mapType: "imagery",
  sceneIds: NAMES.map(idOf),
  extent,
  longestSidePx: 200,
  maxCloudCover: 0.5,
  frameMs: 400,
  ...more,
});

describe("timelapse", () => {
  let fixture: SceneFixture;
  let bench: MapBench;
  let token: string;
  const opened = new AsyncDisposableStack();

  before(async () => {
    fixture = opened.use(await scene());
    const { stored } = fixture;
    const renderer = opened.use(renderInProcess(fixture.local, 2 ** 25));
    const scenes = [
      at(stored, "a", "2024-03-05 10:10:00", 0.1),
      at(stored, "b", "2024-03-10 10:10:00", 0.2, 3),
      at(stored, "cloudy", "2024-03-15 10:10:00", 0.9),
      at(stored, "c", "2024-06-01 10:10:00", 0),
      at(stored, "d", "2024-06-01 10:15:00", 0),
    ];
    bench = opened.use(await mapBench(scenes, systemClock));
    bench.renderer.render = async (request) => await renderer.render(request);
    ({ token } = await bench.addUser("a@example.com", ["mapsvc.release", "imagery.images", "algorithms"]));
  });

  after(async () => opened.disposeAsync());

  async function animate(more: object): Promise<{ readonly json: Answer["json"]; readonly file: Buffer }> {
    const { status, json, text } = await bench.run("/mapsvc/timelapse", timelapseOf(more), token);
    assert.equal(status, 200, text);
    const answer = await fetch(json.url);
    assert.equal(answer.status, 200);
    const file = Buffer.from(await answer.arrayBuffer());
    assert.equal(file.length, json.size);
    assert.equal(answer.headers.get("content-type"), `image/${(more as { format?: string }).format ?? "webp"}`);
    return { json, file };
  }

  const refusal = async (body: object): Promise<readonly unknown[]> => {
    const answer = await bench.post("/mapsvc/timelapse/initiate", body, token);
    return [answer.status, answer.json.error];
  };

  for (const format of ["webp", "gif"] as const) {
    test(`an animated ${format} has a frame for each time and one for the gap, in order`, async () => {
      const { json, file } = await animate({ format });
      assert.deepEqual(
        json.frames.map(({ kind, label }: { kind: string; label: string }) => [kind, label]),
        [
          ["image", "2024-03-05 10:10 UTC"],
          ["image", "2024-03-10 10:10 UTC"],
          ["gap", "no image between 2024-03-10 and 2024-06-01"],
          ["image", "2024-06-01 10:10 UTC"],
        ],
      );
      assert.deepEqual(json.frames[3].sceneIds, [idOf("c"), idOf("d")]);
      assert.equal(json.frames[3].endDatetime, "2024-06-01 10:15:00");
      assert.deepEqual(
        json.leftOut.map(({ sceneId, reason }: { sceneId: string; reason: string }) => [sceneId, reason]),
        [[idOf("cloudy"), "CLOUD-COVER"]],
      );
      assert.ok(json.attributions.length > 0);
      const { pages, delay, width, pageHeight } = await sharp(file, { animated: true }).metadata();
      assert.deepEqual([pages, width, pageHeight], [4, json.widthPx, json.heightPx]);
      assert.deepEqual(delay, [400, 400, 400, 400]);
      assert.equal(json.widthPx, 200);
    });
  }

  test("frames of the same pixels are equal above their text, whatever the statistics of their scenes", async () => {
    const { json, file } = await animate({ mapType: "imagery", format: "webp" });
    const page = async (index: number): Promise<Buffer> => await sharp(file, { page: index }).raw().toBuffer();
    const [first, second, gap] = [await page(0), await page(1), await page(2)];
    const channels = first.length / (json.widthPx * json.heightPx);
    const heights = await sharp(file, { page: 0 }).metadata();
    assert.equal(heights.width, json.widthPx);
    const rowBytes = json.widthPx * channels;
    const differing = Array.from({ length: json.heightPx }, (_, row) => row).filter(
      (row) =>
        !first
          .subarray(row * rowBytes, (row + 1) * rowBytes)
          .equals(second.subarray(row * rowBytes, (row + 1) * rowBytes)),
    );
    assert.ok(differing.length > 0, "the dates differ");
    // Lossy blocks of 16 rows beside the text may differ.
    const pictureHeight = Math.round(200 * heightOverWidth());
    assert.ok(differing[0]! >= pictureHeight - 32, `row ${differing[0]} of ${pictureHeight}`);
    assert.notDeepEqual(first.subarray(0, rowBytes * 20), gap.subarray(0, rowBytes * 20));
  });

  test("existing maps are animated, whose map IDs grant the access", async () => {
    const release = { mapTypes: ["ndvi"], sceneIds: [idOf("a"), idOf("c")], extent };
    const { json } = await bench.run("/mapsvc/release", release, token);
    const mapIds = json.maps.map(({ mapId }: { mapId: string }) => mapId);
    const other = await bench.addUser("b@example.com", ["mapsvc.release"]);
    const made = await bench.run("/mapsvc/timelapse", { mapIds, longestSidePx: 64 }, other.token);
    assert.equal(made.status, 200, made.text);
    assert.equal(made.json.frames.length, 3);
    assert.ok(made.json.widthPx >= 96, "text has room");
    const refused = await bench.post("/mapsvc/timelapse/initiate", timelapseOf({}), other.token);
    assert.equal(refused.status, 401);
  });

  test("requests that cannot be met are refused before they start", async () => {
    assert.deepEqual(await refusal({}), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refusal({ ...timelapseOf({}), mapIds: ["x"] }), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refusal(timelapseOf({ fileName: "nothing.png" })), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refusal(timelapseOf({ longestSidePx: 5000 })), [422, "VALIDATION-ERROR"]);
    assert.deepEqual(await refusal({ mapIds: ["x"] }), [400, "INVALID-MAP-ID"]);
    assert.deepEqual(await refusal(timelapseOf({ sceneIds: ["ee.COPERNICUS_S2_SR_HARMONIZED.none"] })), [
      404,
      "NON-EXISTING-SCENE",
    ]);
  });

  test("without an image there is no animation, and no folder stays", async () => {
    const { status, json } = await bench.run("/mapsvc/timelapse", timelapseOf({ sceneIds: [idOf("cloudy")] }), token);
    assert.deepEqual([status, json.error], [424, "ZERO-TILES-AVAILABLE"]);
    assert.deepEqual(await readdir(bench.workFolder), []);
  });
});

/** Of the extent in Web Mercator. */
function heightOverWidth(): number {
  return 0.02 / Math.cos((49.61 * Math.PI) / 180) / 0.05;
}
