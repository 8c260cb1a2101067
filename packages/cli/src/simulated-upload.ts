import { deflateSync } from "node:zlib";
import { TRUTH_CLASSES } from "@swath/service/simulator/render";
import { sceneDocument, SIMULATED_BANDS } from "@swath/service/simulator/scene-document";
import { planScene } from "@swath/service/simulator/simulate-scene";
import { writeGeoTiff } from "@swath/service/simulator/write-geotiff";
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
const CLOUD_CLASS = TRUTH_CLASSES.indexOf("clouds");
/** Rows between two turns of the event loop, so that answers and interrupts are heard. */
const ROWS_PER_TURN = 32;

/** Draws the scene of a seed. Equal seeds give equal bytes. */
export async function simulateUpload(seed: number, signal: AbortSignal): Promise<SimulatedUpload> {
  const scene = planScene({ seed, widthPx: SIDE_PX, heightPx: SIDE_PX, resolutionM: RESOLUTION_M });
  const rows: (readonly Uint16Array[])[] = [];
  const truth = new Uint8Array(SIDE_PX);
  let clouds = 0;
  for (let row = 0; row < SIDE_PX; row += 1) {
    const bands = SIMULATED_BANDS.map(() => new Uint16Array(SIDE_PX));
    scene.renderRow(row, 0, bands, truth);
    for (const value of truth) if (value === CLOUD_CLASS) clouds += 1;
    rows.push(bands);
    if (row % ROWS_PER_TURN === 0) {
      signal.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const chunks = writeGeoTiff(
    {
      ...scene.options,
      bandNames: SIMULATED_BANDS.map(({ names }) => names[0]),
      deflate: (strip) => deflateSync(strip, { level: 1 }),
    },
    (row, bands) => {
      for (const [index, band] of bands.entries()) band.set(rows[row]?.[index] ?? []);
    },
  );
  return {
    tiff: new Blob(chunks.map((chunk) => new Uint8Array(chunk))),
    document: { ...sceneDocument(scene, clouds / (SIDE_PX * SIDE_PX)) },
    widthPx: SIDE_PX,
    heightPx: SIDE_PX,
    resolutionM: RESOLUTION_M,
  };
}
