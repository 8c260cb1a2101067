import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { decodeBand, encodeBand, SKI_TYPES, skiTypeOf, type SkiPixels } from "./band-file.ts";
import { isMaskedIn, maskedBandName, skiMaskBands } from "./mask-bands.ts";
import { SkiError } from "./ski-error.ts";
import { decodeSki, encodeSki, type SkiBand, type SkiFile } from "./ski-file.ts";
import { decodeTar, encodeTar, type TarEntry } from "./tar.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

const gzip = (bytes: Uint8Array): Uint8Array => gzipSync(bytes);
const gunzip = (bytes: Uint8Array, maxBytes: number): Uint8Array => gunzipSync(bytes, { maxOutputLength: maxBytes });
const identity = (bytes: Uint8Array): Uint8Array => bytes;

/** Runs it; nothing but a SkiError may come out. */
function orRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    assert.ok(error instanceof SkiError, String(error));
  }
}

function jsonEntry(name: string, value: unknown): TarEntry {
  return { name, data: new TextEncoder().encode(JSON.stringify(value)) };
}

function readArchive(...entries: readonly TarEntry[]): SkiFile {
  return decodeSki(encodeTar(entries), identity, { maxArchiveBytes: 1 << 20, maxBands: 2 });
}

const ARRAYS = {
  8: fc.uint8Array,
  9: fc.int8Array,
  16: fc.uint16Array,
  17: fc.int16Array,
  32: fc.uint32Array,
  33: fc.int32Array,
  64: fc.bigUint64Array,
  65: fc.bigInt64Array,
} as const;

const band = fc
  .record({ type: fc.constantFrom(...SKI_TYPES), widthPx: fc.nat(9), heightPx: fc.nat(9) })
  .chain(({ type, widthPx, heightPx }) => {
    const count = widthPx * heightPx;
    const array: fc.Arbitrary<SkiPixels> = ARRAYS[type]({ minLength: count, maxLength: count });
    return array.map((pixels) => ({ type, widthPx, heightPx, pixels }));
  });

test("a band is little-endian type, columns and rows, then differences to the row above", () => {
  const bytes = encodeBand({ widthPx: 3, heightPx: 2, pixels: new Uint8Array([1, 2, 200, 4, 1, 7]) });
  assert.deepEqual([...bytes], [8, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1, 2, 200, 3, 255, 63]);
  const wide = encodeBand({ widthPx: 1, heightPx: 2, pixels: new Int16Array([-32_768, 32_767]) });
  assert.deepEqual([...wide], [17, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x00, 0x80, 0xff, 0xff]);
  const long = encodeBand({ widthPx: 1, heightPx: 2, pixels: new BigUint64Array([1n, 0n]) });
  assert.deepEqual([...long.subarray(10)], [1, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]);
});

test("bands of every type and size survive", () => {
  fc.assert(
    fc.property(band, ({ type, widthPx, heightPx, pixels }) => {
      assert.equal(skiTypeOf(pixels), type);
      const bytes = encodeBand({ widthPx, heightPx, pixels });
      assert.equal(new DataView(bytes.buffer).getUint16(0, true), type);
      assert.deepEqual(decodeBand(bytes), { widthPx, heightPx, pixels });
    }),
    { numRuns: 300 },
  );
});

test("a file of bands that differ in size and type survives, in the order of the format and the same bytes again", () => {
  const names = fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(band, names), { maxLength: 4 }), fc.jsonValue(), (parts, meta) => {
      const bands = parts.map(([{ widthPx, heightPx, pixels }, list]): SkiBand => ({
        names: list,
        widthPx,
        heightPx,
        pixels,
      }));
      const written = encodeSki({ bands, version: "115", meta }, gzip);
      assert.deepEqual(written, encodeSki({ bands, version: "115", meta }, gzip));
      assert.deepEqual(decodeSki(written, gunzip), { bands, version: "115", meta: JSON.parse(JSON.stringify(meta)) });
      const files = decodeTar(gunzipSync(written), 100).map(({ name }) => name);
      const skb = bands.map((_, i) => `0000${i}.skb`);
      assert.deepEqual(files, ["info.json", ...skb, "meta.json"]);
    }),
    { numRuns: 60 },
  );
});

test("a band whose header lies about its size is refused before anything is allocated", () => {
  const bytes = encodeBand({ widthPx: 2, heightPx: 2, pixels: new Uint32Array(4) });
  for (const [at, value] of [
    [2, 0xffff_ffff],
    [6, 0xffff_ffff],
    [2, 0],
    [6, 3],
  ] as const) {
    const lying = bytes.slice();
    new DataView(lying.buffer).setUint32(at, value, true);
    assert.throws(() => decodeBand(lying), SkiError);
  }
  assert.throws(() => decodeBand(bytes.subarray(0, -1)), /has 25 bytes, expected 26/);
  assert.throws(() => decodeBand(new Uint8Array(9)), SkiError);
});

test("a big-endian band is refused by that name, unknown types by theirs", () => {
  const bytes = new Uint8Array([0, 8, 0, 0, 0, 1, 0, 0, 0, 1, 7]);
  assert.throws(() => decodeBand(bytes), /big-endian/);
  bytes[1] = 10;
  assert.throws(() => decodeBand(bytes), /type 2560/);
});

test("random bytes never do more than be refused", () => {
  const limits = { maxArchiveBytes: 1 << 16, maxBands: 8 };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      orRefused(() => decodeBand(bytes));
      orRefused(() => decodeTar(bytes, 8));
      orRefused(() => decodeSki(bytes, gunzip, limits));
      orRefused(() => decodeSki(bytes, identity, limits));
      orRefused(() => decodeSki(gzipSync(bytes), gunzip, limits));
    }),
    { numRuns: 400 },
  );
});

test("a good file that is cut short or changed anywhere is read or refused, never more", () => {
  const bands: SkiBand[] = [
    { names: ["red", "Red"], widthPx: 5, heightPx: 4, pixels: new Uint16Array(20).map((_, i) => i * 999) },
    { names: ["__MASK__red__"], widthPx: 5, heightPx: 4, pixels: new Uint8Array(20).fill(1) },
  ];
  const archive = encodeSki({ bands, version: "1", meta: {} }, identity);
  const read = (bytes: Uint8Array): void => orRefused(() => decodeSki(bytes, identity));
  fc.assert(
    fc.property(fc.nat(archive.length - 1), fc.nat(255), (at, value) => {
      read(archive.subarray(0, at));
      const changed = archive.slice();
      changed[at] = value;
      read(changed);
    }),
    { numRuns: 1_000 },
  );
});

test("a file that grows beyond its limit when decompressed is refused", () => {
  const bomb = gzipSync(new Uint8Array(10_000_000));
  assert.throws(() => decodeSki(bomb, gunzip, { maxArchiveBytes: 100_000, maxBands: 4 }), SkiError);
  assert.throws(() => decodeSki(new Uint8Array(2_000), identity, { maxArchiveBytes: 1_000, maxBands: 4 }), SkiError);
});

test("archives that lack a file, have one twice or list too many bands are refused", () => {
  const meta = jsonEntry("meta.json", {});
  const pixel = { name: "00000.skb", data: encodeBand({ widthPx: 1, heightPx: 1, pixels: new Uint8Array(1) }) };
  const one = { bands: [{ names: ["a"] }], version: "1" };
  assert.equal(readArchive(jsonEntry("info.json", one), pixel, meta).bands.length, 1);
  assert.throws(() => readArchive(jsonEntry("info.json", one), meta), /lacks 00000[.]skb/);
  assert.throws(() => readArchive(pixel, meta), /lacks info[.]json/);
  assert.throws(() => readArchive(jsonEntry("info.json", one), pixel), /lacks meta[.]json/);
  assert.throws(() => readArchive(jsonEntry("info.json", one), pixel, pixel, meta), /twice/);
  assert.throws(() => readArchive(jsonEntry("info.json", { ...one, version: 1 }), pixel, meta), /version/);
  assert.throws(
    () => readArchive(jsonEntry("info.json", { bands: [{ names: [] }], version: "1" }), pixel, meta),
    /names/,
  );
  assert.throws(
    () =>
      readArchive(jsonEntry("info.json", { bands: Array.from({ length: 3 }, () => ({ names: ["a"] })), version: "1" })),
    SkiError,
  );
});

test("the tar has times 0 and mode 0644, and names that do not fit are refused", () => {
  const archive = encodeTar([{ name: "a.txt", data: new Uint8Array([65]) }]);
  assert.equal(archive.length, 512 + 512 + 1024);
  const text = (from: number, to: number) => new TextDecoder().decode(archive.subarray(from, to));
  assert.equal(text(100, 107), "0000644");
  assert.equal(text(136, 147), "00000000000");
  assert.equal(text(257, 262), "ustar");
  assert.throws(() => encodeTar([{ name: "x".repeat(101), data: new Uint8Array() }]), RangeError);
  assert.throws(() => encodeTar([{ name: "ä", data: new Uint8Array() }]), RangeError);
});

test("folders and extended headers of other writers are passed over, and a leading ./ is dropped", () => {
  const archive = encodeTar([
    { name: "./", data: new Uint8Array() },
    { name: "pax", data: new Uint8Array(30) },
    { name: "./info.json", data: new Uint8Array([1]) },
  ]);
  const retype = (at: number, type: string): void => {
    archive[at + 156] = type.charCodeAt(0);
    const sum = archive.subarray(at, at + 512).reduce((s, byte, i) => s + (i >= 148 && i < 156 ? 32 : byte), 0);
    archive.set(new TextEncoder().encode(sum.toString(8).padStart(6, "0")), at + 148);
  };
  retype(0, "5");
  retype(512, "x");
  assert.deepEqual(decodeTar(archive, 10), [{ name: "info.json", data: archive.subarray(2_048, 2_049) }]);
  assert.throws(() => decodeTar(archive, 2), /more than 2/);
});

test("bit k of a mask band belongs to its k-th name", () => {
  const names = Array.from({ length: 9 }, (_, i) => `b${i}`);
  const masks = names.map((_, i) => Uint8Array.of(i === 1 || i === 8 ? 255 : 0, 1));
  const bands = skiMaskBands(names, masks, 2, 1);
  assert.equal(bands.length, 2);
  assert.deepEqual(bands[0]?.pixels, Uint8Array.of(0b10, 0xff));
  assert.deepEqual(bands[1]?.pixels, Uint8Array.of(1, 1));
  assert.equal(maskedBandName("__MASK__red__"), "red");
  assert.equal(maskedBandName("red"), null);
  assert.equal(isMaskedIn(bands, "b1", 0), true);
  assert.equal(isMaskedIn(bands, "b2", 0), false);
  assert.equal(isMaskedIn(bands, "b8", 0), true);
  assert.equal(isMaskedIn(bands, "none", 0), null);
});

test("texts are written and read as UTF-8, and what is not UTF-8 is refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
      const bytes = new TextEncoder().encode(text);
      assert.deepEqual(encodeUtf8(text.toWellFormed()), bytes);
      assert.equal(decodeUtf8(bytes), text.toWellFormed());
    }),
  );
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 6 }), (bytes) => {
      let expected: string | null = null;
      try {
        expected = strict.decode(bytes);
      } catch {
        assert.throws(() => decodeUtf8(bytes), SkiError);
        return;
      }
      assert.equal(decodeUtf8(bytes), expected);
    }),
    { numRuns: 2_000 },
  );
});
