import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { COAST_AREA, ingestCoast } from "../main-job.ts";
import { coastGeotiff } from "../make-geotiff.ts";
import type { RawClient } from "../raw-client.ts";

/** An ingested scene that its group holds whole, as the file that was ingested and as a map. */
export interface CoastMap {
  readonly sceneId: string;
  readonly collection: string;
  /** Path of the GeoTIFF: blue, green, red and near infrared. */
  readonly source: string;
  readonly mapId: string;
  readonly tile: readonly [zoom: number, x: number, y: number];
}

/** Degrees around the whole scene: a reader who holds all of it gets its pixels. */
const AROUND = [
  [14.99, 0.87],
  [15.04, 0.87],
  [15.04, 0.91],
  [14.99, 0.91],
  [14.99, 0.87],
];

/** Ingests the coast and makes its picture in true colour. */
export async function makeCoastMap(demo: RawClient, folder: string): Promise<CoastMap> {
  const bytes = coastGeotiff();
  const source = join(folder, "coast.tif");
  await writeFile(source, bytes);
  const sceneId = await ingestCoast(demo, bytes);
  const geojson = { type: "Polygon", coordinates: [AROUND] };
  const paid = await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson });
  assert.equal(paid.status, 200, JSON.stringify(paid.body));
  const released = await demo.run("/mapsvc/release", {
    mapTypes: ["imagery"],
    sceneIds: [sceneId],
    extent: COAST_AREA,
  });
  assert.equal(released.status, 200, JSON.stringify(released.body));
  const [{ mapId, tiles }] = released.body.maps;
  return { sceneId, collection: "local.uploads", source, mapId, tile: tiles[0] };
}
