import assert from "node:assert/strict";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { systemClock, type Clock } from "@swath/base/clock";
import { sceneFixture, type SceneFixture } from "@swath/maps/render/testing";
import { landscape } from "@swath/raster/testing/landscape";
import { renderInProcess } from "@swath/maps/render/render-in-process";
import { boxArea, boxPolygon } from "../../credits/testing.ts";
import { mapBench, type Answer, type MapBench } from "../testing.ts";

/** Side of the scene, pixels of 10 m. */
export const SIZE = 900;
const extent = boxPolygon([9.01, 49.59, 9.1, 49.64]);

/** Pixels of a band of the scene, blue to near infrared. */
export function bandPixels(band: number): Uint16Array {
  return landscape(new Uint16Array(SIZE * SIZE), SIZE, band, 5_000);
}

/** 9 km of 10 m pixels, drawn by the real renderer. */
async function scene(): Promise<SceneFixture> {
  return await sceneFixture({
    widthPx: SIZE,
    heightPx: SIZE,
    bands: [0, 1, 2, 3].map(bandPixels),
    roles: ["B", "G", "R", "N"],
    quantity: "reflectance",
    reflectanceMult: 1e-4,
    nodata: 0,
    scene: {
      sceneId: "ee.COPERNICUS_S2_SR_HARMONIZED.fixture",
      provider: "ee",
      dataset: "COPERNICUS/S2_SR_HARMONIZED",
      footprint: boxArea([9.0, 49.57, 9.12, 49.65]),
    },
  });
}

export interface ExportBench extends AsyncDisposable {
  readonly maps: MapBench;
  readonly token: string;
  readonly stored: StoredScene;
  readonly origin: string;
  readonly byType: ReadonlyMap<
    string,
    { readonly mapId: string; readonly maxZoom: number; readonly tiles: readonly (readonly number[])[] }
  >;
  /** Exports and fetches the file. */
  export(body: object): Promise<{ readonly answer: Answer; readonly bytes: Uint8Array; readonly type: string | null }>;
}

/**
 * Imagery and NDVI of a scene, released over an area of it, to be exported.
 *
 * @param change replaces the stored scene, whose pixels stay
 */
export async function exportBench(
  change: (stored: StoredScene) => StoredScene = (same) => same,
  clock: Clock = systemClock,
): Promise<ExportBench> {
  await using stack = new AsyncDisposableStack();
  const fixture = stack.use(await scene());
  const renderer = stack.use(renderInProcess(fixture.local, 2 ** 25));
  const maps = stack.use(await mapBench([change(fixture.stored)], clock));
  maps.renderer.render = async (request) => await renderer.render(request);
  const { token } = await maps.addUser("a@example.com", ["mapsvc.release", "imagery.images", "algorithms"]);
  const request = { mapTypes: ["imagery", "ndvi"], sceneIds: [fixture.stored.scene.sceneId], extent };
  const released = await maps.run("/mapsvc/release", request, token);
  assert.equal(released.json.maps?.length, 2, released.text);
  const opened = stack.move();
  return {
    maps,
    token,
    stored: fixture.stored,
    origin: maps.address,
    byType: new Map(released.json.maps.map((map: { mapType: string }) => [map.mapType, map])),
    async export(body) {
      const answer = await maps.run("/mapsvc/export", body, token);
      if (answer.status !== 200) return { answer, bytes: new Uint8Array(), type: null };
      const file = await fetch(answer.json.url);
      assert.equal(file.status, 200);
      const bytes = new Uint8Array(await file.arrayBuffer());
      assert.equal(bytes.length, answer.json.size);
      return { answer, bytes, type: file.headers.get("content-type") };
    },
    [Symbol.asyncDispose]: async () => opened.disposeAsync(),
  };
}
