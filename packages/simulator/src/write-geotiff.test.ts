import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { fromArrayBuffer } from "geotiff";
import { writeGeoTiff } from "./write-geotiff.ts";

const OPTIONS = {
  widthPx: 371,
  heightPx: 203,
  resolutionM: 2.5,
  epsg: 32629,
  originX: 534_000,
  originY: 4_572_000,
  bandNames: ["Blue", "Green", "Red", "NIR"],
};

const valueAt = (band: number, row: number, column: number): number => (band * 17_000 + row * 371 + column) % 65_536;

function write(compressed: boolean): ArrayBuffer {
  const chunks = writeGeoTiff(
    { ...OPTIONS, ...(compressed ? { deflate: (strip) => deflateSync(strip) } : {}) },
    (row, bands) => {
      for (const [band, values] of bands.entries()) {
        for (let column = 0; column < values.length; column += 1) values[column] = valueAt(band, row, column);
      }
    },
  );
  const file = Buffer.concat(chunks);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
}

for (const compressed of [false, true]) {
  test(`an independent reader finds pixels, place and names of a ${compressed ? "compressed" : "plain"} file`, async () => {
    const tiff = await fromArrayBuffer(write(compressed));
    const image = await tiff.getImage();
    assert.equal(image.getWidth(), 371);
    assert.equal(image.getHeight(), 203);
    assert.equal(image.getSamplesPerPixel(), 4);
    assert.deepEqual(image.getOrigin().slice(0, 2), [534_000, 4_572_000]);
    assert.deepEqual(image.getResolution().slice(0, 2), [2.5, -2.5]);
    assert.equal(image.getGeoKeys()?.["ProjectedCSTypeGeoKey"], 32629);
    const metadata = await image.getGDALMetadata(1);
    assert.equal(metadata?.["DESCRIPTION"], "Green");
    const rasters = await image.readRasters();
    for (let band = 0; band < 4; band += 1) {
      const values = rasters[band];
      assert.ok(values instanceof Uint16Array);
      for (const [row, column] of [
        [0, 0],
        [1, 370],
        [202, 0],
        [202, 370],
        [101, 200],
      ] as const) {
        assert.equal(values[row * 371 + column], valueAt(band, row, column));
      }
    }
  });
}
