import { createMapTypes } from "../registry.ts";
import type { PlacedObject } from "../analysis/placed-object.ts";
import type { GridRequest } from "./grid-renderer.ts";
import { gridRequest, sceneFixture, type SceneFixture } from "./testing.ts";
import type { PixelArray } from "@swath/raster/source-raster";

const mapTypes = createMapTypes([]);

/** Pixels of the fixture: 10 m, 6 km from (500000, 5500000) of UTM zone 32N. */
export const RESULT_SIZE = 600;

/** Squares of 40 pixels, classes 0 (no data) to 5 in turn. */
function classesAt(column: number, row: number): number {
  return (Math.floor(column / 40) + 2 * Math.floor(row / 40)) % 6;
}

/** The layers of a result of a map type, stored as an analysis stores them. */
export async function resultFixture(mapType: string, planes: readonly PixelArray[]): Promise<SceneFixture> {
  const rendering = mapTypes.find(mapType)?.rendering;
  if (rendering?.kind !== "result") throw new Error(`${mapType} is not drawn from results`);
  const fixture = await sceneFixture({
    widthPx: RESULT_SIZE,
    heightPx: RESULT_SIZE,
    bands: planes,
    roles: planes.map(() => null),
    quantity: planes[0] instanceof Uint8Array ? "class" : "other",
    nodata: planes[0] instanceof Uint8Array ? 0 : Number.NaN,
  });
  return fixture;
}

export function landCover(): Promise<SceneFixture> {
  const plane = Uint8Array.from({ length: RESULT_SIZE * RESULT_SIZE }, (_, i) =>
    classesAt(i % RESULT_SIZE, Math.floor(i / RESULT_SIZE)),
  );
  return resultFixture("wrunc", [plane]);
}

export function resultRequest(
  fixture: SceneFixture,
  mapType: string,
  fileName: string,
  window: GridRequest["window"],
  more: Partial<GridRequest> & { readonly objects?: readonly PlacedObject[] } = {},
): GridRequest {
  const { objects = [], ...rest } = more;
  return gridRequest(fixture.stored, mapType, fileName, window, { result: { objects, metadata: {} }, ...rest });
}
