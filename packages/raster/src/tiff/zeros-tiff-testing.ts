import { deflateSync } from "node:zlib";
import { buildTiff, double, geoKeyTag, imageTags, long, short } from "./tiff-building.ts";
import { TAG } from "./tags.ts";

/** A square of zeros in UTM zone 33N, in strips of the given height: a thousandth of its pixels in bytes. */
export function zerosTiff(sidePx: number, rowsPerStrip: number): Uint8Array {
  const block = deflateSync(new Uint8Array(sidePx * rowsPerStrip));
  const tags = imageTags(sidePx, sidePx, {
    [TAG.modelPixelScale]: double(10, 10, 0),
    [TAG.modelTiepoint]: double(0, 0, 0, 500_000, 5_500_000, 0),
    [TAG.geoKeyDirectory]: geoKeyTag({ 1024: 1, 3072: 32_633 }),
    [TAG.compression]: short(8),
    [TAG.rowsPerStrip]: long(rowsPerStrip),
  });
  return buildTiff([{ tags, blocks: Array.from({ length: sidePx / rowsPerStrip }, () => block) }]);
}
