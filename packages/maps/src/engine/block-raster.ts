import type { PixelRect } from "../analysis/block.ts";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { PixelArray, SourceRaster } from "@swath/raster/source-raster";
import { blockRowsOf, type AnalysisGrid } from "./analysis-grid.ts";

/** Pixels of one block's core, one plane per layer. */
export type ComputedLayers = readonly (Uint8Array | Float32Array)[];

/**
 * The window of an analysis as a raster, computed during reading. It requests block rows in order, one ahead of the
 * present one: two of them are in memory and all threads have work.
 *
 * @param compute pixels of the block whose core is given
 */
export function blockRaster(
  grid: AnalysisGrid,
  window: PixelRect,
  layers: readonly ResultLayer[],
  crs: SourceRaster["crs"],
  compute: (core: PixelRect, signal: AbortSignal) => Promise<ComputedLayers>,
): SourceRaster {
  const { blockPx } = grid;
  const blockRows = blockRowsOf(window, blockPx);
  const computing = new Map<number, Promise<readonly PixelArray[]>>();

  const begin = (index: number, signal: AbortSignal): void => {
    const cores = blockRows[index];
    if (cores === undefined || computing.has(index)) return;
    const row = assemble(cores, window.columns, layers, (core) => compute(core, signal));
    // Met when it is read; must not count as unhandled when something else fails first.
    row.catch(() => {});
    computing.set(index, row);
  };

  return {
    widthPx: window.columns,
    heightPx: window.rows,
    bands: layerBands(layers),
    georeference: { kind: "affine", transform: windowTransform(grid, window) },
    crs,
    palette: null,
    hasMask: false,
    metadata: {},
    blockHeightPx: blockPx,
    async readRows(firstRow, rowCount, signal) {
      const parts: (readonly PixelArray[])[] = [];
      for (let row = firstRow; row < firstRow + rowCount;) {
        const index = Math.floor(row / blockPx);
        begin(index, signal);
        begin(index + 1, signal);
        const planes = await computing.get(index)!;
        const start = row - index * blockPx;
        const take = Math.min(firstRow + rowCount, (index + 1) * blockPx) - row;
        parts.push(planes.map((plane) => plane.subarray(start * window.columns, (start + take) * window.columns)));
        for (const old of computing.keys()) if (old < index) computing.delete(old);
        row += take;
      }
      return parts.length === 1 ? parts[0]! : layers.map((_, i) => joined(parts.map((planes) => planes[i]!)));
    },
    async readMask() {
      return null;
    },
    async [Symbol.asyncDispose]() {
      computing.clear();
    },
  };
}

/** The layers of a result as bands of a raster. */
export function layerBands(layers: readonly ResultLayer[]): SourceRaster["bands"] {
  return layers.map((layer) => ({
    dataType: layer.kind === "classes" ? "uint8" : "float32",
    description: layer.name,
    wavelengthNm: null,
    nodata: layer.kind === "classes" ? 0 : Number.NaN,
    scale: 1,
    offset: 0,
    unit: layer.kind === "values" ? layer.unit : null,
    colorInterpretation: "gray",
  }));
}

/** Where the window's pixels are. */
export function windowTransform(grid: AnalysisGrid, { column, row }: PixelRect): AnalysisGrid["geotransform"] {
  const [a, b, c, d, e, f] = grid.geotransform;
  return [a, b, c + a * column + b * row, d, e, f + d * column + e * row];
}

async function assemble(
  cores: readonly PixelRect[],
  columns: number,
  layers: readonly ResultLayer[],
  compute: (core: PixelRect) => Promise<ComputedLayers>,
): Promise<readonly PixelArray[]> {
  const rows = cores[0]?.rows ?? 0;
  const left = cores[0]?.column ?? 0;
  const planes = layers.map(({ kind }) =>
    kind === "classes" ? new Uint8Array(columns * rows) : new Float32Array(columns * rows),
  );
  await Promise.all(
    cores.map(async (core) => {
      const computed = await compute(core);
      for (const [i, plane] of planes.entries()) {
        const part = computed[i]!;
        for (let row = 0; row < core.rows; row++) {
          plane.set(part.subarray(row * core.columns, (row + 1) * core.columns), row * columns + core.column - left);
        }
      }
    }),
  );
  return planes;
}

function joined(parts: readonly PixelArray[]): PixelArray {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const whole = parts[0] instanceof Float32Array ? new Float32Array(length) : new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
