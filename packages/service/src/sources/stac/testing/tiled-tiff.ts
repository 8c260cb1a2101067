import { ascii, buildTiff, double, geoKeyTag, long, short } from "../../../platform/raster-io/tiff/tiff-building.ts";
import { TAG } from "../../../platform/raster-io/tiff/tags.ts";

export interface TiledTiffOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tilePx: number;
  readonly epsg: number;
  /** CRS coordinates of the outer corner of the first pixel. */
  readonly origin: readonly [number, number];
  readonly pixelSize: number;
  readonly valueAt: (column: number, row: number) => number;
  /** Bytes of text in front of the pixels, to make the header as long as wanted. */
  readonly paddingBytes?: number;
}

/** A GeoTIFF of one band of uint16 in uncompressed tiles, written byte by byte: its header at the end, as any order is legal. */
export function tiledTiff(options: TiledTiffOptions): Uint8Array {
  const { widthPx, heightPx, tilePx } = options;
  const blocks: Uint8Array[] = [];
  for (let top = 0; top < heightPx; top += tilePx) {
    for (let left = 0; left < widthPx; left += tilePx) {
      const tile = new DataView(new ArrayBuffer(tilePx * tilePx * 2));
      for (let row = 0; row < tilePx; row++) {
        for (let column = 0; column < tilePx; column++) {
          const inside = left + column < widthPx && top + row < heightPx;
          tile.setUint16((row * tilePx + column) * 2, inside ? options.valueAt(left + column, top + row) : 0, true);
        }
      }
      blocks.push(new Uint8Array(tile.buffer));
    }
  }
  return buildTiff([
    {
      blocks,
      tags: {
        [TAG.imageWidth]: long(widthPx),
        [TAG.imageLength]: long(heightPx),
        [TAG.bitsPerSample]: short(16),
        [TAG.compression]: short(1),
        [TAG.photometric]: short(1),
        [TAG.tileWidth]: long(tilePx),
        [TAG.tileLength]: long(tilePx),
        [TAG.modelPixelScale]: double(options.pixelSize, options.pixelSize, 0),
        [TAG.modelTiepoint]: double(0, 0, 0, options.origin[0], options.origin[1], 0),
        [34_735]: geoKeyTag({
          1024: options.epsg === 4326 ? 2 : 1,
          1025: 1,
          [options.epsg === 4326 ? 2048 : 3072]: options.epsg,
        }),
        ...(options.paddingBytes === undefined
          ? {}
          : { [TAG.imageDescription]: ascii("x".repeat(options.paddingBytes)) }),
      },
    },
  ]);
}
