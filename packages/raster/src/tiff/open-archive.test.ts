import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createWriteStream, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import yazl from "yazl";
import { unzipped } from "../archive/testing.ts";
import { zipOfQuotedEntries, zipOfSharedEntry } from "../archive/zip-bombs-testing.ts";
import { RasterError } from "../raster-error.ts";
import { temporaryFolder } from "./gdal-testing.ts";
import { openArchive } from "./open-archive.ts";
import { buildTiff, geoKeyTag, imageTags } from "./tiff-building.ts";
import { TAG } from "./tags.ts";

const { signal } = new AbortController();

function band(value: number): Buffer {
  const tags = imageTags(2, 2, { [TAG.geoKeyDirectory]: geoKeyTag({ 1024: 1, 3072: 32_633 }) });
  return Buffer.from(buildTiff([{ tags, blocks: [new Uint8Array(4).fill(value)] }]));
}

async function zip(path: string, entries: Readonly<Record<string, Buffer>>): Promise<void> {
  const file = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) file.addBuffer(content, name);
  file.end();
  await pipeline(file.outputStream, createWriteStream(path));
}

/** Bytes of the files in the folders of a folder; folders that are removed meanwhile hold none. */
function sizeBelow(folder: string): number {
  return globSync("*/**", { cwd: folder })
    .map((path) => statSync(join(folder, path), { throwIfNoEntry: false }))
    .reduce((sum, one) => sum + (one?.isFile() === true ? one.size : 0), 0);
}

async function refusal(path: string, folder: string, limits = {}): Promise<RasterError> {
  let failure: unknown = null;
  try {
    await using archive = await openArchive(path, folder, { limits });
    void archive;
  } catch (error) {
    failure = error;
  }
  assert.ok(failure instanceof RasterError, String(failure));
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith("archive-")),
    [],
    "extracted files were left behind",
  );
  return failure;
}

test("band files come in natural order with their document, and leave nothing behind", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "scene.zip");
  await zip(path, {
    "scene/B10.tif": band(10),
    "scene/B2.TIF": band(2),
    "scene/B1.tiff": band(1),
    "scene/scene.json": Buffer.from('{"satellite":"TEST-1","bands":"B01,B02,B10"}'),
    "scene/readme.txt": Buffer.from("hello"),
    "__MACOSX/scene/._B1.tiff": Buffer.from("side file"),
  });
  {
    await using archive = await openArchive(path, folder.path);
    assert.deepEqual(
      archive.rasters.map((entry) => entry.name),
      ["B1.tiff", "B2.TIF", "B10.tif"],
    );
    assert.equal(archive.document?.fields.satellite, "TEST-1");
    const values = await Promise.all(
      archive.rasters.map(async ({ raster }) => (await raster.readRows(0, 2, signal))[0]?.[0]),
    );
    assert.deepEqual(values, [1, 2, 10]);
  }
  assert.deepEqual(readdirSync(folder.path), ["scene.zip"]);
});

test("archives that are too much, unsafe or useless are refused as bad documents with the cause", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "bad.zip");
  const cases: readonly (readonly [Readonly<Record<string, Buffer>>, Record<string, number>, RegExp])[] = [
    [{ "readme.txt": Buffer.from("x") }, {}, /no GeoTIFF/],
    [{ "a.tif": band(1), "b.tif": band(2), "c.tif": band(3) }, { maxEntries: 2 }, /3 entries, expected at most 2/],
    [{ "a.tif": Buffer.alloc(5_000_000) }, { maxTotalBytes: 1_000_000 }, /5000000 bytes, expected at most 1000000/],
    [{ "a.tif": Buffer.alloc(20 * 1024 * 1024) }, {}, /expands \d+ times, expected at most 200/],
    // Neither file is large, but together they are more than 16 MiB and 200 times the archive.
    [
      { "a.tif": Buffer.alloc(9e6), "b.tif": Buffer.alloc(9e6) },
      {},
      /with "b\.tif" to 18000000 bytes, expected at most 16777216/,
    ],
    [{ [`${"x".repeat(2000)}.tif`]: band(1) }, {}, /file name of 2004 bytes, expected at most 1024/],
    [
      { "a.json": Buffer.alloc(900, 32), "b.json": Buffer.alloc(900, 32), "c.tif": band(1) },
      { maxDocumentsBytes: 1000 },
      /with "b\.json" to 1800 bytes, expected at most 1000/,
    ],
    [{ "a.tif": band(1), "inner.zip": Buffer.from("x") }, {}, /another archive, "inner\.zip"/],
    [{ "x/a.tif": band(1), "y/A.TIF": band(2) }, {}, /two files named "A\.TIF"/],
    [{ "a.tif": band(1), "scene.json": Buffer.from("{not json") }, {}, /scene\.json is not JSON/],
    [
      { "a.tif": band(1), "scene.json": Buffer.from('{"cloudCover":40}') },
      {},
      /cloudCover is 40, expected a number from 0 to 1/,
    ],
    [{ "a.tif": band(1), "scene.json": Buffer.alloc(2000, 32) }, { maxDocumentBytes: 1000 }, /exceeds 1000 bytes/],
  ];
  for (const [entries, limits, message] of cases) {
    await zip(path, entries);
    const error = await refusal(path, folder.path, limits);
    assert.equal(error.reason, "bad-document", error.message);
    assert.match(error.message, message);
  }
  writeFileSync(path, "no zip at all");
  assert.match((await refusal(path, folder.path)).message, /not a readable zip/);
});

test("entries that share bytes are refused before one of them is unpacked", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "bomb.zip");
  const zeros = Buffer.alloc(10_000_000);
  for (const bytes of [zipOfSharedEntry(500, zeros), zipOfQuotedEntries(100, zeros)]) {
    writeFileSync(path, bytes);
    assert.ok(bytes.length < 64 * 1024, String(bytes.length));
    const error = await refusal(path, folder.path);
    assert.equal(error.reason, "bad-document");
    assert.match(error.message, /holds "\d+\.tif" up to byte \d+ and "\d+\.tif" from byte \d+/);
  }
  // The bombs are sound but for the overlap: an independent reader unpacks them.
  const unpacked = await unzipped(zipOfQuotedEntries(3, zeros));
  assert.deepEqual(
    [...unpacked.values()].map(({ length }) => length),
    [zeros.length + 70, zeros.length + 35, zeros.length],
  );
});

test("an entry that is no TIFF stops the unpacking: neither it nor the next is written", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "noise.zip");
  const noise = randomBytes(3_000_000);
  await zip(path, { "a.tif": band(1), "b.tif": noise, "c.tif": band(2) });
  let mostBytes = 0;
  const watching = setInterval(() => {
    mostBytes = Math.max(mostBytes, sizeBelow(folder.path));
  }, 1);
  const error = await refusal(path, folder.path);
  clearInterval(watching);
  assert.equal(error.reason, "unreadable");
  assert.match(error.message, /holds "b\.tif", which starts with bytes [0-9a-f]{8}, expected a TIFF header/);
  assert.ok(mostBytes < noise.length, String(mostBytes));
  // A TIFF whose directory is broken is refused before the file after it is unpacked, which would be refused as well.
  await zip(path, { "a.tif": Buffer.concat([Buffer.from("II*\0"), Buffer.alloc(60, 255)]), "b.tif": noise });
  assert.match((await refusal(path, folder.path)).message, /^a\.tif: has/);
});

test("names that leave the folder, encryption and sizes that lie are refused", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "bad.zip");
  const patched = async (name: string, change: (bytes: Buffer, central: number) => void): Promise<RasterError> => {
    await zip(path, { [name]: Buffer.alloc(100_000, 7) });
    const bytes = readFileSync(path);
    change(bytes, bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2])));
    writeFileSync(path, bytes);
    return refusal(path, folder.path);
  };
  for (const unsafe of ["../a.tif", "/aa.tif", "C:/a.tif"]) {
    const error = await patched("x".repeat(unsafe.length - 4) + ".tif", (bytes, central) => {
      bytes.write(unsafe, 30);
      bytes.write(unsafe, central + 46);
    });
    assert.equal(error.reason, "bad-document");
    assert.match(error.message, /unsafe|relative|absolute|invalid/i);
  }
  const encrypted = await patched("a.tif", (bytes, central) =>
    bytes.writeUInt16LE(bytes.readUInt16LE(central + 8) | 1, central + 8),
  );
  assert.match(encrypted.message, /encrypted/);
  // The directory promises 10 bytes, the stream holds 100 000.
  const lying = await patched("a.tif", (bytes, central) => bytes.writeUInt32LE(10, central + 24));
  assert.equal(lying.reason, "bad-document");
});

test("damaged archives end in a RasterError and leave nothing behind", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "fuzz.zip");
  await zip(path, { "a.tif": band(1), "scene.json": Buffer.from("{}") });
  const original = readFileSync(path);
  const change = fc.record({ at: fc.nat({ max: original.length - 1 }), value: fc.integer({ min: 0, max: 255 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), fc.nat({ max: 40 }), async (changes, cut) => {
      const bytes = Buffer.from(original.subarray(0, original.length - (cut > 30 ? cut : 0)));
      for (const { at, value } of changes) if (at < bytes.length) bytes[at] = value;
      writeFileSync(path, bytes);
      try {
        await using archive = await openArchive(path, folder.path);
        for (const { raster } of archive.rasters) await raster.readRows(0, 1, signal);
      } catch (error) {
        if (!(error instanceof RasterError)) throw error;
      }
      assert.deepEqual(readdirSync(folder.path), ["fuzz.zip"]);
    }),
    { numRuns: 200 },
  );
});
