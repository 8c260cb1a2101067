import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import { BytesNeeded } from "@swath/raster/cog/byte-supply";
import type { PixelJob } from "./grid-job.ts";
import { readNativeWindow, type NativeWindow } from "./native-window.ts";

/** A band of a scene on the grid of a file, exactly as it is stored. */
export interface StoredPixels {
  readonly names: readonly string[];
  /** NaN where invalid or outside the released area. */
  readonly values: Float64Array;
}

/** Every band of the scene, one after the other; pixels of coarser bands are repeated. Nothing is interpolated. */
export function* storedBands(job: PixelJob): Iterable<StoredPixels> {
  const { bands } = job.request.raster;
  const maps = bands.map((band) => pixelMap(job, band));
  prepare(job, maps);
  for (const [position, band] of bands.entries()) {
    const { columns, rows, cover } = maps[position]!;
    const { pixels, valid } = readNativeWindow(job.access, band, cover);
    const values = new Float64Array(columns.length * rows.length).fill(Number.NaN);
    for (const [row, from] of rows.entries()) {
      for (const [column, x] of columns.entries()) {
        const at = row * columns.length + column;
        const source = from * cover.widthPx + x;
        if (job.coverage[at]! >= 128 && valid[source] !== 0) values[at] = pixels[source]!;
      }
    }
    yield { names: job.request.scene.bands[position]?.names ?? [`band ${position + 1}`], values };
    job.access.kernel.reset();
  }
}

/** For each column and row of the file the one of a window of the band. */
interface PixelMap {
  readonly cover: Pick<NativeWindow, "x" | "y" | "widthPx" | "heightPx">;
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

function pixelMap({ frame }: PixelJob, { geotransform }: StoredBand): PixelMap {
  const inverse = invertAffine(geotransform);
  const { widthPx, heightPx, geotransform: own } = frame.grid;
  const columns = Int32Array.from({ length: widthPx }, (_, column) =>
    Math.floor(applyAffine(inverse, applyAffine(own, column + 0.5, 0)[0], 0)[0]),
  );
  const rows = Int32Array.from({ length: heightPx }, (_, row) =>
    Math.floor(applyAffine(inverse, 0, applyAffine(own, 0, row + 0.5)[1])[1]),
  );
  const [x, y] = [columns[0]!, rows[0]!];
  const cover = { x, y, widthPx: columns.at(-1)! - x + 1, heightPx: rows.at(-1)! - y + 1 };
  return { cover, columns: columns.map((column) => column - x), rows: rows.map((row) => row - y) };
}

/** Has the bytes of all remote bands fetched together. */
function prepare({ access, request }: PixelJob, maps: readonly PixelMap[]): void {
  const { bands } = request.raster;
  if (bands.every(({ key }) => access.supply.isLocal(key))) return;
  for (const [position, { cover }] of maps.entries()) {
    try {
      readNativeWindow(access, bands[position]!, cover);
    } catch (error) {
      if (!(error instanceof BytesNeeded)) throw error;
    }
    access.kernel.reset();
  }
  access.supply.demand();
}
