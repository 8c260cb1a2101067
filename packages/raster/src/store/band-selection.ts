import type { SourceRaster } from "../source-raster.ts";

/** A band of a raster, with the nodata value that applies to it. */
export interface SelectedBand {
  readonly band: number;
  readonly nodata: number | null;
}

/** The raster with only the bands given, in their order; disposing of it is left to the owner of the original. */
export function selectBands(raster: SourceRaster, selection: readonly SelectedBand[]): SourceRaster {
  const bands = selection.map(({ band, nodata }) => {
    const source = raster.bands[band];
    if (source === undefined) throw new RangeError(`raster has ${raster.bands.length} bands, none with index ${band}`);
    return { ...source, nodata };
  });
  const paletteIsFirst = selection[0]?.band === 0;
  return {
    widthPx: raster.widthPx,
    heightPx: raster.heightPx,
    bands,
    georeference: raster.georeference,
    crs: raster.crs,
    palette: paletteIsFirst ? raster.palette : null,
    hasMask: raster.hasMask,
    metadata: raster.metadata,
    blockHeightPx: raster.blockHeightPx,
    async readRows(firstRow, rowCount, signal) {
      const rows = await raster.readRows(firstRow, rowCount, signal);
      return selection.flatMap(({ band }) => rows[band] ?? []);
    },
    readMask: (firstRow, rowCount, signal) => raster.readMask(firstRow, rowCount, signal),
    async [Symbol.asyncDispose]() {},
  };
}
