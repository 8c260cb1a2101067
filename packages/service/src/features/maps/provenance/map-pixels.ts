import { ServiceError } from "@swath/kernel/errors/service-error";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { PixelDigest } from "@swath/maps/render/pixel-digest";
import type { GridWindow } from "@swath/raster/sample/grid-window";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import { drawingOf } from "../grid-files/drawing.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { objectsFileName } from "../grid-files/objects-file-name.ts";
import { nativePixels } from "../native-pixels.ts";

/** Pixels of a digest: each map of a release has one, so the work must stay small. */
const MAX_SIDE_PX = 256;

/**
 * The digest of the decoded pixels of a map; null where it has none that can be read. Of an area wider than 256 pixels
 * the pixels are averages of 2 by 2, 4 by 4 and so on.
 */
export async function digestPixels(
  renderer: Pick<GridRenderer, "render">,
  loaded: LoadedMap,
  signal: AbortSignal,
): Promise<ProvenanceRecord["pixels"]> {
  const [window, reduction] = windowOf(loaded);
  const fileName = objectsFileName(loaded.mapType);
  const request = { ...(await drawingOf(loaded, fileName, window, {}).request()), digest: true } as const;
  try {
    const file = await renderer.render(request, signal);
    if (file.kind !== "file") return null;
    const digest = JSON.parse(new TextDecoder().decode(file.body)) as PixelDigest | null;
    return digest === null ? null : { ...digest, reduction };
  } catch (error) {
    // Unreadable pixels fail the files of the map, too, with their reason.
    if (error instanceof ServiceError && !signal.aborted) return null;
    throw error;
  }
}

/** The pixels of the scene, as few as one digest may have; of scenes without a grid those of Web Mercator. */
function windowOf(loaded: LoadedMap): readonly [window: GridWindow, reduction: number | null] {
  const pixels = nativePixels(loaded);
  if (typeof pixels === "string") {
    return [{ kind: "bounds", bounds: mbr(loaded.clip), maxSizePx: MAX_SIDE_PX }, null];
  }
  let reduction = 1;
  while (Math.max(pixels.widthPx, pixels.heightPx) > MAX_SIDE_PX * reduction) reduction *= 2;
  const column = Math.floor(pixels.column / reduction);
  const row = Math.floor(pixels.row / reduction);
  const widthPx = Math.ceil((pixels.column + pixels.widthPx) / reduction) - column;
  const heightPx = Math.ceil((pixels.row + pixels.heightPx) / reduction) - row;
  return [{ ...pixels, reduction, column, row, widthPx, heightPx }, reduction];
}
