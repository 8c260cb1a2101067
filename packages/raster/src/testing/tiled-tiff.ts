import { ascii, type BuiltDirectory, buildTiff, double, geoKeyTag, long, short } from "../tiff/tiff-building.ts";
import { TAG } from "../tiff/tags.ts";

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
  /** Stated as the value without data. */
  readonly nodata?: number;
  /** Factors of overviews, whose pixels are the central pixels of their blocks. */
  readonly overviews?: readonly number[];
}

/** A GeoTIFF of one band of uint16 in uncompressed tiles, written byte by byte: its header at the end, as any order is legal. */
export function tiledTiff(options: TiledTiffOptions): Uint8Array {
  const { origin, pixelSize, epsg } = options;
  return buildTiff([
    {
      blocks: tilesOf(options, 1),
      tags: {
        ...sizeTags(options, 1),
        [TAG.modelPixelScale]: double(pixelSize, pixelSize, 0),
        [TAG.modelTiepoint]: double(0, 0, 0, origin[0], origin[1], 0),
        [34_735]: geoKeyTag({ 1024: epsg === 4326 ? 2 : 1, 1025: 1, [epsg === 4326 ? 2048 : 3072]: epsg }),
        ...(options.nodata === undefined ? {} : { [TAG.gdalNodata]: ascii(String(options.nodata)) }),
        ...(options.paddingBytes === undefined
          ? {}
          : { [TAG.imageDescription]: ascii("x".repeat(options.paddingBytes)) }),
      },
    },
    ...(options.overviews ?? []).map((factor) => ({
      blocks: tilesOf(options, factor),
      tags: { ...sizeTags(options, factor), [TAG.newSubfileType]: long(1) },
    })),
  ]);
}

function sizeOf({ widthPx, heightPx }: TiledTiffOptions, factor: number): readonly [number, number] {
  return [Math.ceil(widthPx / factor), Math.ceil(heightPx / factor)];
}

function sizeTags(options: TiledTiffOptions, factor: number): BuiltDirectory["tags"] {
  const [widthPx, heightPx] = sizeOf(options, factor);
  return {
    [TAG.imageWidth]: long(widthPx),
    [TAG.imageLength]: long(heightPx),
    [TAG.bitsPerSample]: short(16),
    [TAG.compression]: short(1),
    [TAG.photometric]: short(1),
    [TAG.tileWidth]: long(options.tilePx),
    [TAG.tileLength]: long(options.tilePx),
  };
}

function tilesOf(options: TiledTiffOptions, factor: number): readonly Uint8Array[] {
  const { tilePx, valueAt } = options;
  const [widthPx, heightPx] = sizeOf(options, factor);
  const blocks: Uint8Array[] = [];
  for (let top = 0; top < heightPx; top += tilePx) {
    for (let left = 0; left < widthPx; left += tilePx) {
      const tile = new DataView(new ArrayBuffer(tilePx * tilePx * 2));
      for (let row = 0; row < tilePx; row++) {
        for (let column = 0; column < tilePx; column++) {
          const [x, y] = [left + column, top + row];
          const middle = (index: number): number => index * factor + Math.floor(factor / 2);
          const value = x < widthPx && y < heightPx ? valueAt(middle(x), middle(y)) : 0;
          tile.setUint16((row * tilePx + column) * 2, value, true);
        }
      }
      blocks.push(new Uint8Array(tile.buffer));
    }
  }
  return blocks;
}
