/**
 * A plain GeoTIFF made byte by byte: four uint16 bands (blue, green, red, nir), uncompressed, chunky, one strip,
 * UTM or degrees of WGS 84. Pixel (column, row) of band b is `value(b, column, row)`; 0 is nodata.
 */
export interface GeotiffOptions {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly epsg: number;
  readonly originX: number;
  readonly originY: number;
  readonly resolutionM: number;
  /** Second value of ModelPixelScale; `resolutionM` unless given. */
  readonly scaleY?: number;
  readonly value: (band: number, column: number, row: number) => number;
  /** Leave the coordinate reference system out. */
  readonly withoutCrs?: boolean;
}

const BANDS = ["Blue", "Green", "Red", "NIR"] as const;

type Entry = readonly [tag: number, type: 2 | 3 | 4 | 12, values: readonly number[] | string];

function makeGeotiff(options: GeotiffOptions): Uint8Array {
  const { widthPx, heightPx } = options;
  const pixelBytes = widthPx * heightPx * BANDS.length * 2;
  const metadata = `<GDALMetadata>${BANDS.map((name, index) => `<Item name="DESCRIPTION" sample="${index}" role="description">${name}</Item>`).join("")}</GDALMetadata>\0`;
  const geo: Entry[] = options.withoutCrs ? [] : [[34735, 3, geoKeys(options.epsg)]];
  const entries: Entry[] = [
    [256, 4, [widthPx]],
    [257, 4, [heightPx]],
    [258, 3, [16, 16, 16, 16]],
    [259, 3, [1]],
    [262, 3, [1]],
    [273, 4, [8]],
    [277, 3, [4]],
    [278, 4, [heightPx]],
    [279, 4, [pixelBytes]],
    [284, 3, [1]],
    [338, 3, [0, 0, 0]],
    [339, 3, [1, 1, 1, 1]],
    [33550, 12, [options.resolutionM, options.scaleY ?? options.resolutionM, 0]],
    [33922, 12, [0, 0, 0, options.originX, options.originY, 0]],
    ...geo,
    [42112, 2, metadata],
    [42113, 2, "0\0"],
  ];

  const sizeOf = { 2: 1, 3: 2, 4: 4, 12: 8 } as const;
  const directoryOffset = 8 + pixelBytes;
  let overflowOffset = directoryOffset + 2 + entries.length * 12 + 4;
  const overflowBytes = entries.reduce(
    (sum, [, type, values]) => sum + (values.length * sizeOf[type] > 4 ? values.length * sizeOf[type] + 7 : 0),
    0,
  );
  const bytes = new Uint8Array(overflowOffset + overflowBytes);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0x4949, true);
  view.setUint16(2, 42, true);
  view.setUint32(4, directoryOffset, true);

  let position = 8;
  for (let row = 0; row < heightPx; row++) {
    for (let column = 0; column < widthPx; column++) {
      for (let band = 0; band < BANDS.length; band++) {
        view.setUint16(position, options.value(band, column, row), true);
        position += 2;
      }
    }
  }

  view.setUint16(directoryOffset, entries.length, true);
  entries.forEach(([tag, type, values], index) => {
    const at = directoryOffset + 2 + index * 12;
    const size = values.length * sizeOf[type];
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, values.length, true);
    let target = at + 8;
    if (size > 4) {
      overflowOffset = Math.ceil(overflowOffset / 8) * 8;
      view.setUint32(at + 8, overflowOffset, true);
      target = overflowOffset;
      overflowOffset += size;
    }
    for (let i = 0; i < values.length; i++) {
      const value = typeof values === "string" ? values.charCodeAt(i) : (values[i] ?? 0);
      if (type === 2) view.setUint8(target + i, value);
      else if (type === 3) view.setUint16(target + i * 2, value, true);
      else if (type === 4) view.setUint32(target + i * 4, value, true);
      else view.setFloat64(target + i * 8, value, true);
    }
  });
  return bytes;
}

/** Directory of GeoKeys of pixels as areas: degrees of WGS 84, or a projected system. */
function geoKeys(epsg: number): readonly number[] {
  const [model, key] = epsg === 4326 ? [2, 2048] : [1, 3072];
  return [1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 1, key, 0, 1, epsg];
}

/** 256 x 256 pixels of 10 m near 15° E on the equator: water in the west, vegetation in the east. */
export function coastGeotiff(overrides: Partial<GeotiffOptions> = {}): Uint8Array {
  return makeGeotiff({
    widthPx: 256,
    heightPx: 256,
    epsg: 32633,
    originX: 500_000,
    originY: 100_000,
    resolutionM: 10,
    value: (band, column, row) => {
      const texture = (column * 7 + row * 13) % 31;
      const water = [900, 800, 500, 200];
      const vegetation = [400, 700, 500, 3500];
      return ((column < 100 ? water : vegetation)[band] ?? 0) + texture;
    },
    ...overrides,
  });
}
