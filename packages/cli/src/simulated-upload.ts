import { deflateSync } from "node:zlib";
import { sampleRows, sampleScene } from "@swath/simulator/sample-scene";
import { sceneDocument } from "@swath/simulator/scene-document";
import { cloudCoverOf } from "@swath/simulator/world/render";
import { writeGeoTiff } from "@swath/simulator/write-geotiff";
import type { SceneDocument } from "./scene-document.ts";

/** A made-up scene as a user would upload it. */
export interface SimulatedUpload {
  readonly tiff: Blob;
  readonly document: SceneDocument;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly resolutionM: number;
}

const SIDE_PX = 1600;
const RESOLUTION_M = 2.5;

/** Draws the scene of a seed. Equal seeds give equal bytes. */
export async function simulateUpload(seed: number, signal: AbortSignal): Promise<SimulatedUpload> {
  const options = { seed, widthPx: SIDE_PX, heightPx: SIDE_PX, resolutionM: RESOLUTION_M };
  const model = sampleScene(options);
  const rows: (readonly Uint16Array[])[] = [];
  for await (const part of sampleRows(model, signal)) {
    for (let row = 0; row < part.rows; row += 1) {
      rows.push(part.bands.map((band) => band.subarray(row * SIDE_PX, (row + 1) * SIDE_PX)));
    }
  }
  const chunks = writeGeoTiff(
    {
      ...options,
      epsg: model.crsEpsg,
      originX: model.bands[0]?.originX ?? 0,
      originY: model.bands[0]?.originY ?? 0,
      bandNames: model.bands.map(({ names }) => names[0] ?? ""),
      deflate: (strip) => deflateSync(strip, { level: 1 }),
    },
    (row, bands) => {
      for (const [index, band] of bands.entries()) band.set(rows[row]?.[index] ?? []);
    },
  );
  return {
    tiff: new Blob(chunks.map((chunk) => new Uint8Array(chunk))),
    document: { ...sceneDocument(model, cloudCoverOf(model)) },
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    resolutionM: RESOLUTION_M,
  };
}
