import { MAX_FILE_PIXELS } from "./export-formats.ts";
import type { MapFacts } from "../maps/layer.ts";

/** Pixels of a file that is not made yet. */
export interface FileSize {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Before compression. */
  readonly bytes: number;
}

const TILE_PX = 512;
/** Of a value, or of red, green, blue and opacity. */
const BYTES_PER_PIXEL = 4;

/** About the size of a raster of the whole map; null where its area is not known or the file has no pixels. */
export function fileSize({ bounds, maxZoom }: Pick<MapFacts, "bounds" | "maxZoom">, format: string): FileSize | null {
  const most = MAX_FILE_PIXELS[format];
  if (bounds === null || most === undefined) return null;
  const [west, south, east, north] = bounds;
  let worldPx = TILE_PX * 2 ** maxZoom;
  const width = (east - west) / 360;
  const height = (mercatorY(north) - mercatorY(south)) / (2 * Math.PI);
  // A coarser zoom has a quarter of the pixels.
  while (width * height * worldPx ** 2 > most) worldPx /= 2;
  const [widthPx, heightPx] = [Math.max(1, Math.ceil(width * worldPx)), Math.max(1, Math.ceil(height * worldPx))];
  return { widthPx, heightPx, bytes: widthPx * heightPx * BYTES_PER_PIXEL };
}

function mercatorY(latitudeDeg: number): number {
  const latitude = (Math.max(-85.051, Math.min(85.051, latitudeDeg)) * Math.PI) / 180;
  return Math.log(Math.tan(Math.PI / 4 + latitude / 2));
}
