/** TIFF 6.0, BigTIFF, GeoTIFF 1.1 and GDAL tag numbers the reader asks for. */
export const TAG = {
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  documentName: 269,
  imageDescription: 270,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  software: 305,
  dateTime: 306,
  artist: 315,
  hostComputer: 316,
  predictor: 317,
  colorMap: 320,
  tileWidth: 322,
  tileLength: 323,
  tileOffsets: 324,
  tileByteCounts: 325,
  extraSamples: 338,
  sampleFormat: 339,
  jpegTables: 347,
  copyright: 33_432,
  modelPixelScale: 33_550,
  modelTiepoint: 33_922,
  modelTransformation: 34_264,
  geoKeyDirectory: 34_735,
  geoDoubleParams: 34_736,
  geoAsciiParams: 34_737,
  gdalMetadata: 42_112,
  gdalNodata: 42_113,
  lercParameters: 50_674,
} as const;

/** Bytes of one value of each TIFF field type. */
export const FIELD_TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1, // BYTE
  2: 1, // ASCII
  3: 2, // SHORT
  4: 4, // LONG
  5: 8, // RATIONAL
  6: 1, // SBYTE
  7: 1, // UNDEFINED
  8: 2, // SSHORT
  9: 4, // SLONG
  10: 8, // SRATIONAL
  11: 4, // FLOAT
  12: 8, // DOUBLE
  13: 4, // IFD
  16: 8, // LONG8
  17: 8, // SLONG8
  18: 8, // IFD8
};

const UNSIGNED = [1, 3, 4, 13, 16, 18];
const FLOATING = [11, 12];

/** Field types that a tag may have, where another would make its values meaningless; all types for those not listed. */
export const TAG_TYPES: ReadonlyMap<number, readonly number[]> = new Map([
  ...[
    TAG.newSubfileType,
    TAG.imageWidth,
    TAG.imageLength,
    TAG.bitsPerSample,
    TAG.compression,
    TAG.photometric,
    TAG.fillOrder,
    TAG.stripOffsets,
    TAG.samplesPerPixel,
    TAG.rowsPerStrip,
    TAG.stripByteCounts,
    TAG.planarConfiguration,
    TAG.predictor,
    TAG.colorMap,
    TAG.tileWidth,
    TAG.tileLength,
    TAG.tileOffsets,
    TAG.tileByteCounts,
    TAG.extraSamples,
    TAG.sampleFormat,
    TAG.geoKeyDirectory,
    TAG.lercParameters,
  ].map((tag): [number, readonly number[]] => [tag, UNSIGNED]),
  ...[TAG.modelPixelScale, TAG.modelTiepoint, TAG.modelTransformation, TAG.geoDoubleParams].map(
    (tag): [number, readonly number[]] => [tag, FLOATING],
  ),
]);

/** Tags read as values; the others are skipped without being fetched. */
export const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(TAG));
