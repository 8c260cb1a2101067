import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { fromBuffer } from "yauzl";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import { decodeSki } from "@swath/kernel/ski/ski-file";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

interface Listed {
  readonly mapType: string;
  readonly gridFiles: Readonly<Record<string, readonly string[]>>;
  readonly availableDatasets: Readonly<Record<string, readonly (readonly [string, unknown])[]>>;
}

interface Released {
  readonly mapType: string;
  readonly mapId: string;
  readonly tiles: readonly (readonly [number, number, number])[];
}

/** Where and when the simulated world has something to show, the most general dataset first. */
const WORLDS = [
  {
    dataset: ["ee", "COPERNICUS/S2_SR_HARMONIZED"],
    place: [2.26, 41.395],
    sideDeg: 0.02,
    from: "2023-04-01",
    to: "2023-09-01",
  },
  { dataset: ["ab", "pleiades-neo"], place: [153.13, -27.42], sideDeg: 0.002, from: "2022-01-01", to: "2024-01-01" },
  {
    dataset: ["ee", "LANDSAT/LC08/C02/T1"],
    place: [2.26, 41.395],
    sideDeg: 0.02,
    from: "2023-04-01",
    to: "2023-09-01",
  },
  { dataset: ["ee", "COPERNICUS/S1_GRD"], place: [2.26, 41.395], sideDeg: 0.02, from: "2023-04-01", to: "2023-07-01" },
  {
    dataset: ["ee", "JAXA/GPM_L3/GSMaP/v6/operational"],
    place: [153, -27],
    sideDeg: 8,
    from: "2023-04-01",
    to: "2023-04-02",
  },
  {
    dataset: ["ee", "COPERNICUS/S5P/OFFL/L3_CH4"],
    place: [120, -25],
    sideDeg: 2,
    from: "2023-04-01",
    to: "2023-04-04",
  },
  { dataset: ["noaa", "VIIRS/Monthly"], place: [153, -27.4], sideDeg: 0.5, from: "2023-04-01", to: "2023-07-01" },
] as const;
type World = (typeof WORLDS)[number];

interface GridFile {
  readonly suffix: string;
  readonly name: string;
  readonly bytes: Buffer;
  readonly label: string;
  /** By GDAL, when it is installed. */
  readonly isOpened: boolean;
}

/** As many as one release takes. */
const TYPES_AT_ONCE = 20;
/** What a series of ships takes at least. */
const MOST_SCENES = 3;
/** Bands that no dataset of the constellation has. */
const ABSENT_ROLE = /^(?:HH|HV|G1|Y)$/;

const MEDIA: Readonly<Record<string, RegExp>> = {
  png: /^image\/png$/,
  webp: /^image\/webp$/,
  ski: /^application\//,
  json: /^application\/json/,
  geojson: /^application\/geo\+json/,
  geotiff: /^image\/tiff/,
  "visu-geotiff": /^image\/tiff/,
  shz: /^application\//,
  zip: /^application\/zip/,
};
const TILE_PX = 512;

const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;
const gdalInstalled = has("gdalinfo") && has("ogrinfo");
const popplerInstalled = spawnSync("pdfinfo", ["-v"]).error === undefined;

function extentOf({ place: [lon, lat], sideDeg }: World) {
  const half = sideDeg / 2;
  return {
    type: "Polygon",
    coordinates: [
      [
        [lon - half, lat - half],
        [lon + half, lat - half],
        [lon + half, lat + half],
        [lon - half, lat + half],
        [lon - half, lat - half],
      ],
    ],
  };
}

/** Worlds that the listing says a type can be released of; whether their bands suit it only a release tells. */
function worldsOf({ availableDatasets }: Listed): readonly World[] {
  return WORLDS.filter(({ dataset: [provider, dataset] }) =>
    (availableDatasets[provider] ?? []).some(([name]) => name === dataset),
  );
}

/** Names and contents of an archive, as yauzl reads it. */
async function unzipped(bytes: Buffer): Promise<ReadonlyMap<string, number>> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>();
  const sizes = new Map<string, number>();
  fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, archive) => {
    if (error !== null || archive === undefined) {
      reject(error ?? new Error("no archive"));
      return;
    }
    archive.on("error", reject);
    archive.on("end", () => resolve(sizes));
    archive.on("entry", (entry: { readonly fileName: string }) => {
      archive.openReadStream(entry as Parameters<typeof archive.openReadStream>[0], (failed, stream) => {
        if (failed !== null || stream === undefined) {
          reject(failed ?? new Error("no stream"));
          return;
        }
        let size = 0;
        stream.on("data", (chunk: Buffer) => (size += chunk.length));
        stream.on("error", reject);
        stream.on("end", () => {
          sizes.set(entry.fileName, size);
          archive.readEntry();
        });
      });
    });
    archive.readEntry();
  });
  return await promise;
}

describe("every map type", () => {
  let service: ServiceProcess;
  let demo: RawClient;
  let folder: string;
  const listing = new Map<string, Listed>();
  const scenes = new Map<World, readonly string[]>();
  const maps: Released[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "swath-every-type-"));
    service = await ServiceProcess.start();
    demo = await new RawClient(service.baseUrl).login(DEMO);
    const { body } = await demo.post("/mapsvc/map-types/list");
    for (const entry of body as readonly Listed[]) listing.set(entry.mapType, entry);
  });

  after(async () => {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Up to as many scenes as any type needs, which may be compared. */
  async function scenesOf(world: World): Promise<readonly string[]> {
    const known = scenes.get(world);
    if (known !== undefined) return known;
    const [provider, dataset] = world.dataset;
    const found = await demo.run("/imagery/search", {
      datasets: [{ provider, dataset }],
      extent: extentOf(world),
      startDatetime: `${world.from} 00:00:00`,
      endDatetime: `${world.to} 00:00:00`,
      minIntersection: 1,
    });
    assert.equal(found.status, 200, JSON.stringify(found.body));
    const all: readonly {
      readonly sceneId: string;
      readonly cloudCover?: number;
      readonly relativeOrbitNumberStart?: number;
      readonly orbitPass?: string;
    }[] = found.body.results;
    const clear = all.toSorted((a, b) => (a.cloudCover ?? 0) - (b.cloudCover ?? 0));
    const [first] = clear;
    assert.ok(first !== undefined, `no scene of ${dataset}`);
    const isRadar = first.relativeOrbitNumberStart !== undefined;
    const alike = clear.filter(
      (scene) =>
        !isRadar ||
        (scene.relativeOrbitNumberStart === first.relativeOrbitNumberStart && scene.orbitPass === first.orbitPass),
    );
    const chosen = alike.slice(0, MOST_SCENES).map(({ sceneId }) => sceneId);
    scenes.set(world, chosen);
    return chosen;
  }

  /** Releases types of one scene, then those that compare scenes of two and of three; the types whose bands it lacks. */
  async function release(world: World, mapTypes: readonly string[]): Promise<readonly string[]> {
    const all = await scenesOf(world);
    const unsuited: string[] = [];
    let waiting = mapTypes;
    for (let count = 1; count <= all.length && waiting.length > 0; count++) {
      const more: string[] = [];
      for (let from = 0; from < waiting.length; from += TYPES_AT_ONCE) {
        const released = await demo.run("/mapsvc/release", {
          mapTypes: waiting.slice(from, from + TYPES_AT_ONCE),
          sceneIds: all.slice(0, count),
          extent: extentOf(world),
        });
        assert.equal(released.status, 200, JSON.stringify(released.body));
        maps.push(...released.body.maps);
        for (const failed of released.body.failed) {
          assert.match(failed.errorCode, /^(?:UNSUPPORTED-IMAGERY|GSD-TOO-COARSE)$/, JSON.stringify(failed));
          (/compares scenes/.test(failed.errorMessage) ? more : unsuited).push(failed.mapType);
        }
      }
      waiting = more;
    }
    return [...unsuited, ...waiting];
  }

  /** All types but the indices of bands that no dataset here has. */
  function wholeTypes(): readonly Listed[] {
    return [...listing.values()].filter(
      ({ mapType }) => !(SPECTRAL_INDICES[mapType]?.roles.some((role) => ABSENT_ROLE.test(role)) ?? false),
    );
  }

  test("each is listed with files of every suffix that it can have, and has data to be tried on", () => {
    assert.ok(listing.size > 250, `${listing.size} types`);
    for (const [id, { gridFiles }] of listing) {
      const names = Object.values(gridFiles).flat();
      assert.ok(names.includes("metadata.json"), id);
      assert.ok(
        names.some((name) => name.endsWith(".ski")),
        id,
      );
      assert.ok((gridFiles["geotiff"] ?? []).includes("analysis.geotiff"), id);
      assert.equal(new Set(names).size, names.length, `${id} lists a name twice`);
      for (const suffix of Object.keys(gridFiles)) assert.ok(suffix in MEDIA, `${id} lists ${suffix}`);
    }
    const without = wholeTypes().filter((entry) => worldsOf(entry).length === 0);
    assert.deepEqual(
      without.map(({ mapType }) => mapType),
      [],
    );
  });

  test("each is released on a scene of its kind", { timeout: 900_000 }, async () => {
    let waiting = wholeTypes();
    for (const world of WORLDS) {
      const fitting = waiting.filter((entry) => worldsOf(entry).includes(world)).map(({ mapType }) => mapType);
      if (fitting.length === 0) continue;
      const unsuited = await release(world, fitting);
      waiting = waiting.filter(({ mapType }) => !fitting.includes(mapType) || unsuited.includes(mapType));
    }
    assert.deepEqual(
      [...new Set(maps.map(({ mapType }) => mapType))].toSorted(),
      wholeTypes()
        .map(({ mapType }) => mapType)
        .toSorted(),
    );
  });

  /** Types whose GeoTIFFs GDAL opens: all but the indices, and of these, which one code draws, one of each domain. */
  function openedTypes(): ReadonlySet<string> {
    const ofDomain = new Map(
      maps.flatMap(({ mapType }) => {
        const index = SPECTRAL_INDICES[mapType];
        return index === undefined ? [] : [[index.domain, mapType] as const];
      }),
    );
    const others = maps.map(({ mapType }) => mapType).filter((mapType) => SPECTRAL_INDICES[mapType] === undefined);
    return new Set([...others, ...ofDomain.values()]);
  }

  /** Fetches and opens all files of a map's first tile. */
  async function checkFiles({ mapType, mapId, tiles }: Released, isOpened: boolean): Promise<void> {
    const [z, x, y] = tiles[0]!;
    const counts = new Map<string, number>();
    const listed = Object.entries(listing.get(mapType)!.gridFiles);
    const files = listed.flatMap(([suffix, names]) => names.map((name) => ({ suffix, name })));
    const checkFile = async ({ suffix, name }: { suffix: string; name: string }): Promise<void> => {
      const label = `${mapType} ${name}`;
      const answer = await fetch(`${service.baseUrl}/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/${name}?force_download=1`);
      assert.equal(answer.status, 200, `${label}: ${answer.status === 200 ? "" : await answer.clone().text()}`);
      assert.match(answer.headers.get("content-type") ?? "", MEDIA[suffix]!, label);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(bytes.length, Number(answer.headers.get("content-length") ?? bytes.length), label);
      const count = await inspect({ suffix, name, bytes, label, isOpened });
      if (count !== null) counts.set(suffix, count);
      if (suffix === "zip") assert.ok((count ?? 0) >= 2, `${label} holds ${count} files`);
    };
    await Promise.all(files.map(checkFile));
    const [features, shapes] = [counts.get("geojson"), counts.get("shz")];
    if (features !== undefined && shapes !== undefined) {
      assert.equal(shapes, features, `${mapType}: features of the shapefile`);
    }
  }

  test("every grid file of a tile comes back as what it says it is", { timeout: 900_000 }, async (t) => {
    if (!gdalInstalled) t.diagnostic("GDAL is not installed: GeoTIFFs and shapefiles are checked by signature only");
    const opened = openedTypes();
    for (const map of maps) await checkFiles(map, opened.has(map.mapType));
  });

  /** Opens a file with a tool that is not ours; the number of its features or members where it has such. */
  async function inspect(file: GridFile): Promise<number | null> {
    const { suffix, name, bytes, label } = file;
    switch (suffix) {
      case "png":
        assert.equal(bytes.subarray(0, 8).toString("hex"), "89504e470d0a1a0a", label);
        assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [TILE_PX, TILE_PX], label);
        return null;
      case "webp":
        assert.equal(bytes.toString("latin1", 0, 4) + bytes.toString("latin1", 8, 12), "RIFFWEBP", label);
        assert.equal(bytes.readUInt32LE(4) + 8, bytes.length, label);
        return null;
      case "ski": {
        const { bands } = decodeSki(bytes, (packed, maxOutputLength) => gunzipSync(packed, { maxOutputLength }));
        assert.ok(bands.length > 0, label);
        assert.ok(
          bands.every(({ widthPx, heightPx }) => widthPx <= TILE_PX && heightPx <= TILE_PX),
          label,
        );
        return null;
      }
      case "json":
        assert.equal(typeof JSON.parse(bytes.toString()), "object", label);
        return null;
      case "geojson": {
        const { type, features } = JSON.parse(bytes.toString());
        assert.equal(type, "FeatureCollection", label);
        return features.length;
      }
      case "geotiff":
      case "visu-geotiff":
        assert.match(bytes.subarray(0, 4).toString("hex"), /^(?:49492a00|4d4d002a|49492b00)$/, label);
        if (gdalInstalled && file.isOpened) openTiff(bytes, label);
        return null;
      case "shz":
      case "zip": {
        const entries = await unzipped(bytes);
        assert.ok(entries.size > 0, label);
        return suffix === "shz" ? shapesIn(bytes, entries, label) : entries.size;
      }
      default:
        return assert.fail(`${label}: nothing is known of ${suffix} (${name})`);
    }
  }

  function openTiff(bytes: Buffer, label: string): void {
    const path = join(folder, "tile.tif");
    writeFileSync(path, bytes);
    const info = spawnSync("gdalinfo", ["-json", "-checksum", path], { encoding: "utf8" });
    assert.equal(info.status, 0, `${label}: ${info.stderr}`);
    assert.equal(info.stderr.trim(), "", `${label}: ${info.stderr}`);
    const { size, coordinateSystem, bands } = JSON.parse(info.stdout);
    assert.deepEqual(size, [TILE_PX, TILE_PX], label);
    assert.match(coordinateSystem.wkt, /3857/, label);
    assert.ok(bands.length > 0, label);
  }

  function shapesIn(bytes: Buffer, entries: ReadonlyMap<string, number>, label: string): number | null {
    const suffixes = [...entries.keys()].map((entry) => entry.slice(entry.lastIndexOf(".")));
    for (const needed of [".shp", ".shx", ".dbf", ".prj"]) assert.ok(suffixes.includes(needed), `${label} ${needed}`);
    if (!gdalInstalled) return null;
    const path = join(folder, "tile.zip");
    writeFileSync(path, bytes);
    let count = 0;
    for (const entry of entries.keys()) {
      if (!entry.endsWith(".shp")) continue;
      const info = spawnSync("ogrinfo", ["-ro", "-so", "-al", `/vsizip/${path}/${entry}`], { encoding: "utf8" });
      assert.equal(info.status, 0, `${label}: ${info.stderr}`);
      count += Number(/Feature Count: (\d+)/.exec(info.stdout)?.[1] ?? Number.NaN);
    }
    assert.ok(Number.isInteger(count), label);
    return count;
  }

  test("a report shows them all and opens with poppler", async (t) => {
    const wanted = [...new Map(maps.map((map) => [map.mapType, map.mapId])).values()].slice(0, 20);
    const report = await demo.run("/mapsvc/pdf-report", { maps: wanted, title: "Every map type" });
    assert.equal(report.status, 200, JSON.stringify(report.body));
    const bytes = Buffer.from(await (await fetch(report.body.url)).arrayBuffer());
    assert.equal(bytes.toString("latin1", 0, 5), "%PDF-");
    assert.equal(bytes.length, report.body.size);
    if (!popplerInstalled) {
      t.diagnostic("poppler is not installed: the report is checked by signature only");
      return;
    }
    const path = join(folder, "report.pdf");
    writeFileSync(path, bytes);
    const info = spawnSync("pdfinfo", [path], { encoding: "utf8" });
    assert.equal(info.status, 0, info.stderr);
    assert.equal(Number(/^Pages:\s+(\d+)/m.exec(info.stdout)?.[1]), report.body.pages);
    assert.match(info.stdout, /Page size:\s+595\.\d+ x 841\.\d+ pts \(A4\)/);
  });
});
