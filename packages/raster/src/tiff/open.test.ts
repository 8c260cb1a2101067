import assert from "node:assert/strict";
import { test } from "node:test";
import * as zlib from "node:zlib";
import * as fc from "fast-check";
import { RasterError } from "../raster-error.ts";
import { requireCrs } from "../crs/require-crs.ts";
import { bufferSource } from "./byte-sources.ts";
import { openTiff } from "./open.ts";
import { TAG } from "./tags.ts";
import { ascii, buildTiff, double, geoKeyTag, imageTags, long, short } from "./tiff-building.ts";

const { signal } = new AbortController();

const UTM_KEYS = { 1024: 1, 1025: 1, 3072: 32_633 };
const GEO_TAGS = {
  [TAG.modelPixelScale]: double(10, 10, 0),
  [TAG.modelTiepoint]: double(0, 0, 0, 500_000, 5_000_000, 0),
  [TAG.geoKeyDirectory]: geoKeyTag(UTM_KEYS),
};

async function refusal(bytes: Uint8Array, rows = true): Promise<RasterError> {
  try {
    const raster = await openTiff(bufferSource(bytes, "test.tif"));
    if (rows) await raster.readRows(0, raster.heightPx, signal);
  } catch (error) {
    assert.ok(error instanceof RasterError, String(error));
    return error;
  }
  throw new Error("the file was accepted");
}

test("a four-pixel file gives the bytes that were put into it, in either byte order, classic and big", async () => {
  for (const bigEndian of [false, true]) {
    for (const bigTiff of [false, true]) {
      const tags = imageTags(2, 2, { ...GEO_TAGS, [TAG.bitsPerSample]: short(16), [TAG.gdalNodata]: ascii("9") });
      const block = Uint8Array.from(bigEndian ? [1, 0, 2, 0, 3, 0, 4, 5] : [0, 1, 0, 2, 0, 3, 5, 4]);
      const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [block] }], { bigEndian, bigTiff })));
      assert.deepEqual(await raster.readRows(0, 2, signal), [Uint16Array.of(256, 512, 768, 1029)]);
      assert.deepEqual(await raster.readRows(1, 1, signal), [Uint16Array.of(768, 1029)]);
      assert.deepEqual(raster.georeference, { kind: "affine", transform: [10, 0, 500_000, 0, -10, 5_000_000] });
      assert.equal(raster.crs?.epsg, 32_633);
      assert.equal(raster.bands[0]?.nodata, 9);
      assert.equal(raster.hasMask, false);
    }
  }
});

test("horizontal differences of 8, 16, 32 and 64 bits are summed with wrap-around", async () => {
  // 250, +10 -> 4 (mod 256) and so on for each width; 64-bit samples are floats summed by their bits.
  const cases = [
    { bits: 8, format: 1, block: Uint8Array.of(250, 10), expected: Uint8Array.of(250, 4) },
    {
      bits: 16,
      format: 1,
      block: new Uint8Array(Uint16Array.of(65_530, 10).buffer),
      expected: Uint16Array.of(65_530, 4),
    },
    {
      bits: 32,
      format: 1,
      block: new Uint8Array(Uint32Array.of(4_294_967_290, 10).buffer),
      expected: Uint32Array.of(4_294_967_290, 4),
    },
    {
      bits: 64,
      format: 3,
      block: new Uint8Array(BigUint64Array.of(0x3f_f0_00_00_ff_ff_ff_ffn, 1n).buffer),
      expected: new Float64Array(BigUint64Array.of(0x3f_f0_00_00_ff_ff_ff_ffn, 0x3f_f0_00_01_00_00_00_00n).buffer),
    },
  ];
  for (const { bits, format, block, expected } of cases) {
    const tags = imageTags(2, 1, {
      [TAG.bitsPerSample]: short(bits),
      [TAG.sampleFormat]: short(format),
      [TAG.compression]: short(8),
      [TAG.predictor]: short(2),
    });
    const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [zlib.deflateSync(block)] }])));
    assert.deepEqual(await raster.readRows(0, 1, signal), [expected]);
  }
});

test("PackBits follows the example of the TIFF 6.0 specification", async () => {
  const packed = [0xfe, 0xaa, 0x02, 0x80, 0x00, 0x2a, 0xfd, 0xaa, 0x03, 0x80, 0x00, 0x2a, 0x22, 0xf7, 0xaa];
  const plain = [0xaa, 0xaa, 0xaa, 0x80, 0, 0x2a, 0xaa, 0xaa, 0xaa, 0xaa, 0x80, 0, 0x2a, 0x22, ...Array(10).fill(0xaa)];
  const tags = imageTags(24, 1, { [TAG.compression]: short(32_773) });
  const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [Uint8Array.from(packed)] }])));
  assert.deepEqual(await raster.readRows(0, 1, signal), [Uint8Array.from(plain)]);
});

test("LZW decodes a stream assembled from the codes of the TIFF 6.0 specification", async () => {
  // Section 13: pixels 7 7 7 8 8 7 7 6 6 become the codes 256 7 258 8 8 258 6 6 257, nine bits each.
  const codes = [256, 7, 258, 8, 8, 258, 6, 6, 257];
  const bits = codes
    .map((code) => code.toString(2).padStart(9, "0"))
    .join("")
    .padEnd(88, "0");
  const block = Uint8Array.from({ length: 11 }, (_, i) => Number.parseInt(bits.slice(i * 8, i * 8 + 8), 2));
  const tags = imageTags(9, 1, { [TAG.compression]: short(5) });
  const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [block] }])));
  assert.deepEqual(await raster.readRows(0, 1, signal), [Uint8Array.of(7, 7, 7, 8, 8, 7, 7, 6, 6)]);
});

test("alpha, palette, mask directory and absent tiles are told apart", async () => {
  const rgba = imageTags(1, 2, {
    [TAG.photometric]: short(2),
    [TAG.samplesPerPixel]: short(4),
    [TAG.bitsPerSample]: short(8, 8, 8, 8),
    [TAG.extraSamples]: short(2),
  });
  const withAlpha = await openTiff(
    bufferSource(buildTiff([{ tags: rgba, blocks: [Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 200)] }])),
  );
  assert.deepEqual(
    withAlpha.bands.map((band) => band.colorInterpretation),
    ["red", "green", "blue"],
  );
  assert.deepEqual(await withAlpha.readRows(0, 2, signal), [
    Uint8Array.of(1, 4),
    Uint8Array.of(2, 5),
    Uint8Array.of(3, 6),
  ]);
  assert.deepEqual(await withAlpha.readMask(0, 2, signal), Uint8Array.of(0, 255));
  assert.deepEqual(await withAlpha.readMask(1, 1, signal), Uint8Array.of(255));

  const colours = imageTags(2, 1, {
    [TAG.photometric]: short(3),
    [TAG.bitsPerSample]: short(1),
    [TAG.colorMap]: short(0, 65_535, 256, 512, 0, 33_023),
  });
  const mask = imageTags(2, 1, {
    [TAG.newSubfileType]: long(4),
    [TAG.photometric]: short(4),
    [TAG.bitsPerSample]: short(1),
  });
  const indexed = await openTiff(
    bufferSource(
      buildTiff([
        { tags: colours, blocks: [Uint8Array.of(0b0100_0000)] },
        { tags: mask, blocks: [Uint8Array.of(0b1000_0000)] },
      ]),
    ),
  );
  assert.deepEqual(indexed.palette, [
    [0, 1, 0],
    [255, 2, 128],
  ]);
  assert.deepEqual(await indexed.readRows(0, 1, signal), [Uint8Array.of(0, 1)]);
  assert.deepEqual(await indexed.readMask(0, 1, signal), Uint8Array.of(255, 0));

  const sparse = imageTags(20, 16, {
    [TAG.tileWidth]: short(16),
    [TAG.tileLength]: short(16),
    [TAG.gdalNodata]: ascii("255"),
  });
  const holes = await openTiff(
    bufferSource(buildTiff([{ tags: sparse, blocks: [null, new Uint8Array(256).fill(3)] }])),
  );
  const [row] = await holes.readRows(5, 1, signal);
  assert.deepEqual(row, Uint8Array.of(...Array(16).fill(255), 3, 3, 3, 3));
});

test("transformation matrices and PixelIsPoint move corners as GeoTIFF 1.1 says", async () => {
  const matrix = double(8, 3, 0, 100, 2, -9, 0, 200, 0, 0, 0, 0, 0, 0, 0, 1);
  for (const [kind, transform] of [
    [1, [8, 3, 100, 2, -9, 200]],
    [2, [8, 3, 94.5, 2, -9, 203.5]],
  ] as const) {
    const tags = imageTags(1, 1, {
      [TAG.modelTransformation]: matrix,
      [TAG.geoKeyDirectory]: geoKeyTag({ ...UTM_KEYS, 1025: kind }),
    });
    const raster = await openTiff(bufferSource(buildTiff([{ tags, blocks: [Uint8Array.of(1)] }])));
    assert.deepEqual(raster.georeference, { kind: "affine", transform });
  }
});

test("files that lie, are cut or loop are refused as unreadable with what was got and expected", async () => {
  const block = Uint8Array.from({ length: 64 }, (_, i) => i);
  const good = { tags: imageTags(8, 8, GEO_TAGS), blocks: [block] };
  const file = buildTiff([good]);
  const unreadable: readonly (readonly [Uint8Array, RegExp])[] = [
    [new Uint8Array(), /0 bytes long/],
    [new TextEncoder().encode("not a tiff at all"), /starts with bytes 6e 6f 74 20/],
    [buildTiff([good], { lastNext: 72 + 24 * 8 }), /directory|loop|entries|beyond|at bytes/],
    [buildTiff([{ ...good, tags: { ...good.tags, [TAG.imageWidth]: long(4_000_000_000) } }]), /ImageWidth 4000000000/],
    [buildTiff([{ ...good, tags: { ...good.tags, [TAG.imageLength]: long(0) } }]), /ImageLength 0/],
    [
      buildTiff([{ ...good, tags: { ...good.tags, [TAG.samplesPerPixel]: short(600) } }]),
      /600 samples per pixel, expected 1 to 512/,
    ],
    [buildTiff([{ ...good, tags: { ...good.tags, [TAG.stripByteCounts]: long(1e9) } }]), /only \d+ bytes long/],
    [buildTiff([{ ...good, tags: { ...good.tags, [TAG.stripOffsets]: long(4e9) } }]), /truncated or damaged/],
    [
      buildTiff([{ ...good, tags: { ...good.tags, [TAG.imageLength]: long(9), [TAG.rowsPerStrip]: long(9) } }]),
      /ends after 64 of 72/,
    ],
    [buildTiff([{ ...good, tags: { ...good.tags, [TAG.rowsPerStrip]: long(2) } }]), /offsets of 1 strips, expected 4/],
    [
      buildTiff([
        {
          ...good,
          tags: {
            ...good.tags,
            [TAG.imageWidth]: long(60_000),
            [TAG.imageLength]: long(60_000),
            [TAG.rowsPerStrip]: long(60_000),
            [TAG.compression]: short(8),
          },
        },
      ]),
      /strips of 3600000000 bytes/,
    ],
    [file.subarray(0, file.length - 30), /truncated|beyond|expected/],
  ];
  for (const [bytes, message] of unreadable) {
    const error = await refusal(bytes);
    assert.equal(error.reason, "unreadable", error.message);
    assert.match(error.message, message);
  }
  const loop = await refusal(buildTiff([good], { lastNext: new DataView(file.buffer).getUint32(4, true) }));
  assert.match(loop.message, /loop in its directories/);
});

test("offsets, counts and sizes of wrong types are refused before any pixel is read", async () => {
  const good = { tags: imageTags(8, 8, GEO_TAGS), blocks: [new Uint8Array(64)] };
  const half = double(72.5);
  const tiles = { [TAG.tileWidth]: short(16), [TAG.tileLength]: short(16) };
  const cases: readonly (readonly [Parameters<typeof imageTags>[2], RegExp])[] = [
    [{ [TAG.stripOffsets]: half }, /tag 273 of field type 12, expected 1, 3, 4, 13, 16, 18/],
    [{ [TAG.stripOffsets]: ascii("abc") }, /tag 273 of field type 2/],
    [{ [TAG.stripByteCounts]: half }, /tag 279 of field type 12/],
    [{ ...tiles, [TAG.tileOffsets]: half }, /tag 324 of field type 12/],
    [{ ...tiles, [TAG.tileByteCounts]: ascii("64") }, /tag 325 of field type 2/],
    [{ [TAG.imageWidth]: double(8) }, /tag 256 of field type 12/],
    [{ [TAG.rowsPerStrip]: ascii("8") }, /tag 278 of field type 2/],
    [{ [TAG.modelPixelScale]: ascii("10 10") }, /tag 33550 of field type 2, expected 11, 12/],
    [{ ...tiles, [TAG.tileWidth]: short(0) }, /TileWidth 0/],
    [{ ...tiles, [TAG.tileLength]: long(2 ** 31) }, /TileLength 2147483648/],
  ];
  for (const [tags, message] of cases) {
    const error = await refusal(buildTiff([{ ...good, tags: { ...good.tags, ...tags } }]));
    assert.equal(error.reason, "unreadable", error.message);
    assert.match(error.message, message);
  }
  // Signed types and counts beyond the file, patched into the entry of StripOffsets.
  for (const [type, count, message] of [
    [8, 1, /tag 273 of field type 8/],
    [9, 1, /tag 273 of field type 9/],
    [4, 0xff_ff_ff_ff, /17179869180 bytes of values in tag 273/],
  ] as const) {
    const bytes = buildTiff([good]);
    const view = new DataView(bytes.buffer);
    const directory = view.getUint32(4, true);
    const entry = Array.from({ length: view.getUint16(directory, true) }, (_, i) => directory + 2 + i * 12).find(
      (at) => view.getUint16(at, true) === TAG.stripOffsets,
    );
    assert.ok(entry !== undefined);
    view.setUint16(entry + 2, type, true);
    view.setUint32(entry + 4, count, true);
    const error = await refusal(bytes);
    assert.equal(error.reason, "unreadable", error.message);
    assert.match(error.message, message);
  }
});

test("directories that share their values cannot fill memory together", async () => {
  const description = ascii("x".repeat(1000));
  const directory = { tags: imageTags(8, 8, { [TAG.imageDescription]: description }), blocks: [new Uint8Array(64)] };
  const bytes = buildTiff(Array.from({ length: 5 }, () => directory));
  const limits = { maxFileTagBytes: 3000 };
  await assert.rejects(openTiff(bufferSource(bytes), { limits }), { message: /1001 bytes of values in tag 270/ });
  await using raster = await openTiff(bufferSource(bytes));
  assert.equal(raster.widthPx, 8);
});

test("a block that expands further than its pixels is refused, not expanded", async () => {
  const bomb = zlib.deflateSync(new Uint8Array(50 * 1024 * 1024));
  const zstdBomb = zlib.zstdCompressSync(new Uint8Array(50 * 1024 * 1024));
  for (const [compression, block] of [
    [8, bomb.subarray(0, 100_000)],
    [50_000, zstdBomb],
  ] as const) {
    const tags = imageTags(300, 300, { ...GEO_TAGS, [TAG.compression]: short(compression) });
    const before = process.memoryUsage().arrayBuffers;
    const error = await refusal(buildTiff([{ tags, blocks: [block] }]));
    assert.equal(error.reason, "unreadable");
    assert.ok(process.memoryUsage().arrayBuffers - before < 20e6);
  }
});

function plainFile(extra: Parameters<typeof imageTags>[2]): Uint8Array {
  return buildTiff([{ tags: imageTags(8, 8, extra), blocks: [new Uint8Array(512)] }]);
}

test("sound files of kinds that are not read are unsupported and say which kind", async () => {
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [plainFile({ [TAG.sampleFormat]: short(5), [TAG.bitsPerSample]: short(32) }), /complex samples/],
    [plainFile({ [TAG.compression]: short(34_712) }), /JPEG 2000 \(TIFF compression 34712\)/],
    [plainFile({ [TAG.compression]: short(4) }), /group 4 fax/],
    [plainFile({ [TAG.bitsPerSample]: short(24) }), /24-bit uint/],
    [plainFile({ [TAG.bitsPerSample]: short(8, 16), [TAG.samplesPerPixel]: short(2) }), /samples of 8 and 16 bits/],
    [plainFile({ ...GEO_TAGS, [TAG.geoKeyDirectory]: geoKeyTag({ 1024: 1, 3072: 9999 }) }), /EPSG:9999/],
  ];
  for (const [bytes, message] of cases) {
    const error = await refusal(bytes);
    assert.equal(error.reason, "unsupported", error.message);
    assert.match(error.message, message);
  }
  const plain = await openTiff(bufferSource(plainFile({}), "plain.tif"));
  assert.throws(() => requireCrs(plain, "plain.tif"), { reason: "unsupported", message: /no georeference/ });
  const placed = await openTiff(
    bufferSource(plainFile({ ...GEO_TAGS, [TAG.geoKeyDirectory]: geoKeyTag({}) }), "placed.tif"),
  );
  assert.throws(() => requireCrs(placed, "placed.tif"), { message: /no coordinate reference system/ });
});

test("an aborted read rejects with the reason of the signal", async () => {
  const raster = await openTiff(bufferSource(buildTiff([{ tags: imageTags(8, 8), blocks: [new Uint8Array(64)] }])));
  const controller = new AbortController();
  controller.abort(new Error("stopped"));
  await assert.rejects(raster.readRows(0, 8, controller.signal), /stopped/);
});

test("damaged files end in a RasterError or in pixels, never in a crash, a hang or a flood of memory", async () => {
  const picture = Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (i * 7) % 251);
  const lzwClear = Uint8Array.of(0x80, 0x01, 0x40, 0x20, 0x10, 0x10, 0x08, 0x04, 0x02, 0x01);
  const samples = {
    [TAG.samplesPerPixel]: short(3),
    [TAG.bitsPerSample]: short(8, 8, 8),
    [TAG.photometric]: short(2),
    ...GEO_TAGS,
  };
  const rgb = imageTags(40, 30, samples);
  const sharp = (await import("sharp")).default;
  const image = sharp(picture, { raw: { width: 40, height: 30, channels: 3 } });
  const blocks: readonly (readonly [number, Uint8Array])[] = [
    [1, picture],
    [8, zlib.deflateSync(picture)],
    [50_000, zlib.zstdCompressSync(picture)],
    [5, lzwClear],
    [32_773, picture],
    [7, await image.clone().jpeg().toBuffer()],
    [50_001, await image.clone().webp().toBuffer()],
  ];
  const files = blocks.flatMap(([compression, block]) => [
    buildTiff([
      { tags: { ...rgb, [TAG.compression]: short(compression), [TAG.predictor]: short(2) }, blocks: [block] },
    ]),
    buildTiff(
      [
        {
          tags: { ...rgb, [TAG.compression]: short(compression), [TAG.rowsPerStrip]: long(10) },
          blocks: [block, block, null],
        },
      ],
      { bigTiff: true, bigEndian: true },
    ),
  ]);
  const before = process.memoryUsage().rss;
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
    value: fc.integer({ min: 0, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: files.length - 1 }),
      fc.array(change, { minLength: 0, maxLength: 8 }),
      fc.boolean(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (index, changes, headOnly, keep) => {
        const original = files[index] ?? new Uint8Array();
        const damaged = original.slice(0, changes.length === 0 ? Math.floor(original.length * keep) : original.length);
        // Half of the runs hit the directory, which is at the end of the file.
        const first = headOnly ? Math.max(0, damaged.length - 400) : 0;
        for (const { at, value } of changes) damaged[first + Math.floor(at * (damaged.length - first))] = value;
        try {
          const raster = await openTiff(bufferSource(damaged), {
            limits: { maxBlockRowBytes: 1e7, maxBlockBytes: 1e7 },
          });
          const rows = Math.min(
            raster.heightPx,
            raster.blockHeightPx,
            Math.max(1, Math.floor(1e7 / (raster.widthPx * raster.bands.length))),
          );
          await raster.readRows(0, rows, signal);
          await raster.readMask(0, rows, signal);
        } catch (error) {
          if (!(error instanceof RasterError)) throw error;
        }
      },
    ),
    { numRuns: 600 },
  );
  assert.ok(process.memoryUsage().rss - before < 400e6);
});
