import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import { extentArea } from "@swath/kernel/geometry/extent";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr, splitBounds } from "@swath/kernel/geometry/mbr";
import sharp from "sharp";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { ManualTime } from "@swath/raster/remote/testing";
import { keyOf } from "@swath/kernel/scenes/scene-key";
import type { SourceQuery } from "@swath/raster/source/scene-source";
import type { StacSourceConfig } from "./config.ts";
import { createStacSource, type StacSource } from "./stac-source.ts";
import { filesOf, LANDSAT_ASSETS, landsatItems, madeItem } from "./testing/sample-items.ts";
import {
  ALL_CONFORMANCE,
  type SeenRequest,
  sendJson,
  type StacItemJson,
  type StacServer,
  type StacServerOptions,
  startStacServer,
} from "./testing/stac-server.ts";
import { tiledTiff } from "@swath/raster/testing/tiled-tiff";

const never = new AbortController().signal;
const DATASET = { provider: "ee", dataset: "LANDSAT/LC08/C02/T1", collections: ["landsat-8-c2-l2"] };
const UNSORTED = ALL_CONFORMANCE.filter((one) => !one.endsWith("#sort"));

function box(west: number, south: number, east: number, north: number): MultiPolygon {
  const area = extentArea(boundsPolygon([west, south, east, north]));
  assert.ok(area !== null);
  return area;
}

const EVERYWHERE = box(3, 50, 9, 56);

function query(more: Partial<SourceQuery> = {}): SourceQuery {
  const extent = more.extent ?? EVERYWHERE;
  return {
    provider: DATASET.provider,
    dataset: DATASET.dataset,
    extent,
    boxes: splitBounds(mbr(extent)),
    fromMs: null,
    toMs: null,
    after: null,
    limit: 1000,
    ...more,
  };
}

interface Bench {
  readonly server: StacServer;
  readonly time: ManualTime;
  readonly source: StacSource;
  /** Searches that the server saw. */
  readonly searches: () => readonly SeenRequest[];
}

async function bench(
  t: TestContext,
  serverOptions: StacServerOptions,
  config: Partial<StacSourceConfig> = {},
): Promise<Bench> {
  const server = await startStacServer(serverOptions);
  const time = new ManualTime(Date.UTC(2024, 0, 1));
  const source = createStacSource(
    {
      kind: "stac",
      url: server.url,
      datasets: [DATASET],
      rewriteHrefs: [{ from: LANDSAT_ASSETS, to: `${server.url}/files/` }],
      ...config,
    },
    { clock: time, timers: time, random: () => 0.5 },
  );
  t.after(async () => {
    await source[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  return { server, time, source, searches: () => server.requests.filter(({ path }) => path === "/search") };
}

/** Answers of the search only; the landing page stays as it is. */
function onSearch(answer: (n: number, ...rest: Parameters<NonNullable<StacServer["intercept"]>>) => boolean) {
  let n = 0;
  return (...[request, response]: Parameters<NonNullable<StacServer["intercept"]>>): boolean =>
    request.path === "/search" ? answer(++n, request, response) : false;
}

function failure(code: ErrorCode, pattern: RegExp) {
  return (error: unknown) => error instanceof ServiceError && error.code === code && pattern.test(error.message);
}

/** Identifiers in the order of searches, worked out from the items themselves. */
function expectedIds(items: readonly StacItemJson[]): readonly string[] {
  return items
    .map(({ id, properties }) => ({ id, time: String(properties["datetime"]).slice(0, 19) }))
    .toSorted((a, b) => (a.time === b.time ? (a.id < b.id ? -1 : 1) : a.time < b.time ? 1 : -1))
    .map(({ id }) => id);
}

const ids = (scenes: readonly { readonly foreignId: string }[]): readonly string[] =>
  scenes.map(({ foreignId }) => foreignId);

for (const [name, serverOptions, config] of [
  ["POST with merged bodies", { paging: "merge" }, {}],
  ["POST with whole bodies", { paging: "body" }, {}],
  ["POST with links to GET", { paging: "get" }, {}],
  ["GET, because POST is not there", { post: false }, {}],
  ["GET, because POST is refused", { post: false, conformsTo: ALL_CONFORMANCE }, { method: "auto" }],
  ["a catalogue that cannot sort", { conformsTo: UNSORTED }, {}],
  ["a catalogue that says it sorts and does not", { conformsTo: UNSORTED }, { sort: "auto" }],
] as const) {
  test(`all items are found in order over many pages: ${name}`, async (t) => {
    const items = landsatItems();
    const { source, server } = await bench(t, { items, maxPage: 9, ...serverOptions }, config);
    if (name.includes("is refused")) {
      server.intercept = (request, response) => {
        if (request.path !== "/") return false;
        const links = [{ rel: "search", href: `${server.url}/search`, method: "POST" }];
        sendJson(response, 200, { conformsTo: ALL_CONFORMANCE, links });
        return true;
      };
    }
    if (name.includes("and does not")) {
      server.intercept = (request, response) => {
        if (request.path !== "/") return false;
        sendJson(response, 200, { conformsTo: ALL_CONFORMANCE, links: [{ rel: "search", href: "search" }] });
        return true;
      };
    }
    const page = await source.search(query(), never);
    assert.deepEqual(ids(page.scenes), expectedIds(items));
    assert.equal(page.end, true);
  });
}

test("scenes of the same second are ordered by identifier, however pages cut them", async (t) => {
  const items = [4, 2, 5, 1, 3].map((n) => madeItem(`S${n}`, `2024-01-01T00:00:00.${n}00Z`, 5, 52));
  const { source } = await bench(t, { items, maxPage: 2 });
  const seen: string[] = [];
  let after = null;
  for (let i = 0; i < 10; i++) {
    const page = await source.search(query({ limit: 2, after }), never);
    seen.push(...ids(page.scenes));
    const last = page.scenes.at(-1);
    if (page.end || last === undefined) break;
    after = keyOf(last);
  }
  assert.deepEqual(seen, ["S1", "S2", "S3", "S4", "S5"]);
});

test("extents across the antimeridian and time intervals are asked for as they are meant", async (t) => {
  const east = madeItem("E", "2023-05-01T00:00:00Z", 177.5, -18);
  const west = madeItem("W", "2023-05-02T00:00:00Z", -179.9, -18);
  const elsewhere = madeItem("X", "2023-05-02T00:00:00Z", 5, 52);
  for (const config of [{}, { method: "GET" as const }, { sort: "slices" as const }]) {
    const { source } = await bench(t, { items: [east, west, elsewhere] }, config);
    const extent = box(179, -17.5, 181, -17);
    const page = await source.search(query({ extent }), never);
    assert.deepEqual(ids(page.scenes), ["W", "E"]);
    const toMs = Date.UTC(2023, 4, 2);
    assert.deepEqual(ids((await source.search(query({ extent, toMs }), never)).scenes), ["E"]);
    assert.deepEqual(ids((await source.search(query({ extent, fromMs: toMs }), never)).scenes), ["W"]);
    assert.deepEqual(await source.search(query({ extent, fromMs: toMs, toMs }), never), { scenes: [], end: true });
  }
});

test("a 429 with Retry-After is waited for, and a 500 repeated", async (t) => {
  const items = landsatItems();
  const { source, server, time } = await bench(t, { items });
  server.intercept = onSearch((n, _request, response) => {
    if (n > 2) return false;
    response.writeHead(n === 1 ? 429 : 500, n === 1 ? { "retry-after": "12" } : {}).end("{}");
    return true;
  });
  const page = await source.search(query({ limit: 5 }), never);
  assert.equal(page.scenes.length, 5);
  assert.deepEqual(time.waits, [12_000, 750]);
});

test("a catalogue that is down is SERVICE-UNAVAILABLE, then left alone, then asked by one probe", async (t) => {
  const items = landsatItems();
  const { source, server, time } = await bench(t, { items });
  let down = true;
  server.intercept = (_request, response) => {
    if (down) response.writeHead(500).end("oops");
    return down;
  };
  await assert.rejects(source.search(query(), never), failure("SERVICE-UNAVAILABLE", /answered 500, after 4 tries/));
  await assert.rejects(source.search(query(), never), failure("SERVICE-UNAVAILABLE", /answered 500|left alone/));
  const asked = server.requests.length;
  await assert.rejects(source.search(query(), never), failure("SERVICE-UNAVAILABLE", /left alone for another 30 s/));
  assert.equal(server.requests.length, asked);
  down = false;
  time.nowMs += 30_000;
  assert.equal((await source.search(query({ limit: 3 }), never)).scenes.length, 3);
});

test("a slow catalogue is given up after the timeout, and the caller's abort ends it at once", async (t) => {
  const { source, server, time } = await bench(t, { items: landsatItems() }, { timeoutMs: 5000, attempts: 2 });
  server.intercept = onSearch(() => {
    time.expire();
    return true;
  });
  await assert.rejects(source.search(query(), never), failure("SERVICE-UNAVAILABLE", /within 5000 ms, after 2 tries/));
  const controller = new AbortController();
  server.intercept = onSearch(() => {
    controller.abort(new Error("given up"));
    return true;
  });
  await assert.rejects(source.search(query(), controller.signal), /given up/);
});

test("a page that is cut on its way is asked for again; JSON that stays invalid is SCENE-UNREADABLE", async (t) => {
  const items = landsatItems();
  const { source, server } = await bench(t, { items });
  server.intercept = onSearch((n, _request, response) => {
    const whole = JSON.stringify({ type: "FeatureCollection", features: items.slice(0, 50) });
    if (n === 1) {
      response.writeHead(200, { "content-length": whole.length });
      response.write(whole.slice(0, 1000), () => response.destroy());
      return true;
    }
    if (n === 2) response.end(whole.slice(0, 1000));
    return n === 2;
  });
  assert.equal((await source.search(query({ limit: 5 }), never)).scenes.length, 5);
  server.intercept = onSearch((_n, _request, response) => {
    response.end("<html>maintenance</html>");
    return true;
  });
  await assert.rejects(source.search(query(), never), failure("SCENE-UNREADABLE", /invalid JSON, after 4 tries/));
});

test("an answer without features and refusals say what the catalogue said", async (t) => {
  const { source, server } = await bench(t, { items: [] });
  const answers: readonly (readonly [number, unknown, ErrorCode, RegExp])[] = [
    [200, { type: "Catalog" }, "SCENE-UNREADABLE", /without features, expected a FeatureCollection/],
    [
      400,
      { code: "BadRequest", description: "limit is too large" },
      "SERVICE-UNAVAILABLE",
      /answered 400: limit is too large/,
    ],
    [401, {}, "SERVICE-UNAVAILABLE", /check the credentials/],
  ];
  for (const [status, json, code, pattern] of answers) {
    server.intercept = onSearch((_n, _request, response) => {
      sendJson(response, status, json);
      return true;
    });
    await assert.rejects(source.search(query(), never), failure(code, pattern));
  }
});

test("items that repeat count once; items without time or of other collections are skipped and counted", async (t) => {
  const items = landsatItems();
  const [first, second, third] = items;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const timeless = { ...second, properties: { ...second.properties, datetime: null } };
  const foreign = { ...third, collection: "other" };
  const { source, server } = await bench(t, { items });
  server.intercept = onSearch((_n, _request, response) => {
    const features = [first, first, timeless, "nonsense", null, foreign, first];
    sendJson(response, 200, { type: "FeatureCollection", features });
    return true;
  });
  const page = await source.search(query(), never);
  assert.deepEqual(ids(page.scenes), [first.id]);
  assert.equal(page.end, true);
  assert.deepEqual(source.skipped, { "no datetime": 1, "other collection": 1 });
});

test("links to a page that was read already end as SCENE-UNREADABLE, an empty last page ends the search", async (t) => {
  const items = landsatItems().slice(0, 3);
  const { source, server } = await bench(t, { items });
  let features: readonly StacItemJson[] = items;
  server.intercept = onSearch((_n, _request, response) => {
    const links = [{ rel: "next", href: `${server.url}/search?token=7` }];
    sendJson(response, 200, { type: "FeatureCollection", features, links });
    return true;
  });
  await assert.rejects(source.search(query(), never), failure("SCENE-UNREADABLE", /leads back to one that was read/));
  features = [];
  assert.deepEqual(await source.search(query(), never), { scenes: [], end: true });
});

test("a catalogue that gives fewer items than it counts and no link is asked again for the rest", async (t) => {
  const items = landsatItems();
  const { source, server } = await bench(t, { items, maxPage: 10 });
  server.intercept = null;
  const all: string[] = [];
  let after = null;
  let calls = 0;
  // The proxy in front strips all links.
  const { url } = server;
  server.intercept = onSearch((n, request, response) => {
    if (n % 2 === 0) return false;
    void fetch(`${url}/search`, { method: "POST", body: JSON.stringify(request.body) }).then(async (inner) => {
      sendJson(response, 200, { ...((await inner.json()) as object), links: [] });
    });
    return true;
  });
  for (; calls < 60; calls++) {
    const page = await source.search(query({ after }), never);
    all.push(...ids(page.scenes));
    const last = page.scenes.at(-1);
    if (page.end || last === undefined) break;
    after = keyOf(last);
  }
  assert.deepEqual(all, expectedIds(items));
  assert.ok(calls > 5);
});

test("a search over more pages than allowed answers what is complete, and nothing complete is an error", async (t) => {
  const items = landsatItems();
  const { source } = await bench(t, { items, maxPage: 5 }, { maxPages: 2 });
  const page = await source.search(query(), never);
  assert.deepEqual(ids(page.scenes), expectedIds(items).slice(0, page.scenes.length));
  assert.ok(page.scenes.length >= 8 && !page.end);
  const same = Array.from({ length: 20 }, (_, i) => madeItem(`S${i}`, "2024-01-01T00:00:00Z", 5, 52));
  const crowded = await bench(t, { items: same, maxPage: 5 }, { maxPages: 2 });
  await assert.rejects(
    crowded.source.search(query(), never),
    failure("SERVICE-UNAVAILABLE", /2 pages gave no complete/),
  );
});

test("properties that items must have are asked for and checked", async (t) => {
  const items = [...landsatItems()].slice(0, 10).map((item, i) => ({
    ...item,
    properties: { ...item.properties, platform: i % 2 === 0 ? "landsat-8" : "landsat-9" },
  }));
  const datasets = [{ ...DATASET, where: { platform: "landsat-9" } }];
  const { source, searches } = await bench(t, { items }, { datasets });
  assert.equal((await source.search(query(), never)).scenes.length, 5);
  assert.deepEqual(searches()[0]?.body?.["query"], { platform: { eq: "landsat-9" } });
  const plain = await bench(t, { items, conformsTo: [] }, { datasets });
  assert.equal((await plain.source.search(query(), never)).scenes.length, 5);
  assert.equal(plain.searches()[0]?.body?.["query"], undefined);
});

test("a scene is found by its identifier, also a very long one, and null when there is none", async (t) => {
  const long = madeItem(`${"L".repeat(150)}/ü?#`, "2023-05-01T10:20:30.456Z", 5, 52);
  const odd = madeItem("a b/c:d.é%2F", "2023-05-02T10:20:30Z", 5, 52);
  const { source } = await bench(t, { items: [long, odd] });
  const { scenes } = await source.search(query(), never);
  assert.equal(scenes.length, 2);
  assert.deepEqual(await source.scene(scenes[1]?.sceneId ?? "", never), scenes[1]);
  assert.equal(scenes[1]?.foreignId, long.id);
  assert.equal(await source.scene("ee.LANDSAT-_LC08-_C02-_T1.none", never), null);
  assert.equal(await source.scene("other.dataset.none", never), null);
  await assert.rejects(
    source.search(query({ dataset: "other" }), never),
    failure("DATASET-NOT-SUPPORTED-FOR-SEARCH", /other/),
  );
});

test("opening reads only the blocks of the window, with pixels and metadata of the item", async (t) => {
  const items = [madeItem("LC08_L2SP_1", "2023-05-01T10:20:30Z", 5, 52)];
  const { source, server } = await bench(t, { items, file: filesOf(items, LANDSAT_ASSETS) });
  const [scene] = (await source.search(query(), never)).scenes;
  assert.ok(scene !== undefined);
  await using opened = await source.open(scene, { extent: box(5.3, 53.1, 5.4, 53.2) }, never);
  assert.deepEqual(
    opened.metadata.bands.map(({ role }) => role),
    ["R", "N"],
  );
  assert.deepEqual(
    opened.metadata.bands.map(({ names }) => names),
    scene.bands.map(({ names }) => names),
  );
  assert.deepEqual(
    opened.metadata.bands.map(({ reflectanceMult }) => reflectanceMult),
    scene.bands.map(({ reflectanceMult }) => reflectanceMult),
  );
  const raster = opened.rasters[0]?.raster;
  assert.ok(raster !== undefined && raster.georeference.kind === "affine");
  // 64 pixels over two degrees: columns 9.6 to 12.8 and rows 9.6 to 12.8 lie in the first tile of 16, with their margin in the second.
  assert.deepEqual([raster.widthPx, raster.heightPx], [32, 32]);
  const [values] = await raster.readRows(3, 1, never);
  assert.deepEqual(values?.slice(0, 3), Uint16Array.of(1192, 1193, 1194));
  const files = server.requests.filter(({ path }) => path.startsWith("/files/"));
  assert.ok(files.length <= 2 + 1, `${files.length} requests for two headers and one row of blocks`);
  await using again = await source.open(scene, null, never);
  assert.equal(again.rasters[0]?.raster.widthPx, 64);
});

test("Sentinel-2 pixels of new baselines come on the old scale, and none becomes nodata", async (t) => {
  const made = madeItem("S2B_MSIL2A_20230101T100319", "2023-01-01T10:03:19Z", 5, 52);
  const href = `${LANDSAT_ASSETS}B04.tif`;
  const item = {
    ...made,
    properties: { ...made.properties, platform: "sentinel-2b", "s2:processing_baseline": "05.09" },
    assets: { B04: { href, type: "image/tiff", "eo:bands": [{ name: "B04", common_name: "red" }] } },
  };
  const { source } = await bench(t, { items: [item], file: filesOf([item], LANDSAT_ASSETS) });
  const [scene] = (await source.search(query(), never)).scenes;
  assert.ok(scene !== undefined);
  await using opened = await source.open(scene, null, never);
  const [values] = (await opened.rasters[0]?.raster.readRows(0, 2, never)) ?? [];
  // The file holds 1000 + column + 64 * row.
  assert.deepEqual(values?.slice(0, 3), Uint16Array.of(1, 1, 2));
  assert.equal(values?.[64 + 5], 69);
  assert.equal(opened.metadata.bands[0]?.reflectanceAdd, 0);
});

test("files that are elsewhere, of another kind or gone are told apart", async (t) => {
  const item = madeItem("LC08_L2SP_1", "2023-05-01T10:20:30Z", 5, 52);
  const assets = (href: string, type = "image/tiff") => ({
    ...item,
    assets: { SR_B4: { href, type, roles: ["data"], "eo:bands": [{ name: "SR_B4", common_name: "red" }] } },
  });
  const cases: readonly (readonly [StacItemJson, ErrorCode, RegExp])[] = [
    [assets("https://evil.example.org/x.tif"), "SERVICE-UNAVAILABLE", /evil\.example\.org is not among those/],
    [assets("http://169.254.169.254/x.tif"), "SERVICE-UNAVAILABLE", /169\.254\.169\.254 is not among those/],
    [assets("s3://bucket/x.tif"), "UNSUPPORTED-IMAGERY", /s3:\/\/bucket\/x\.tif, expected an http address/],
    [assets("x.jp2", "image/jp2"), "UNSUPPORTED-IMAGERY", /JPEG 2000/],
    [assets("/files/gone.tif"), "SCENE-UNREADABLE", /status 404/],
    [{ ...item, assets: {} }, "UNSUPPORTED-IMAGERY", /no file whose bands are known/],
  ];
  for (const [one, code, pattern] of cases) {
    const { source } = await bench(t, { items: [one] });
    const [scene] = (await source.search(query(), never)).scenes;
    assert.ok(scene !== undefined);
    await assert.rejects(source.open(scene, null, never), failure(code, pattern));
  }
});

test("a thumbnail is the item's small picture, decoded and encoded anew within 512 pixels; else null", async (t) => {
  const picture = await sharp({ create: { width: 1500, height: 900, channels: 3, background: "#336699" } })
    .jpeg()
    .toBuffer();
  const item = madeItem("LC08_L2SP_1", "2023-05-01T10:20:30Z", 5, 52);
  const withPictures = {
    ...item,
    assets: {
      ...(item["assets"] as object),
      overview: { href: "/files/large.jpg", type: "image/jpeg", roles: ["overview"] },
      thumbnail: { href: "/files/broken.jpg", type: "image/jpeg", roles: ["thumbnail"] },
    },
  };
  const file = (path: string) =>
    path === "large.jpg" ? picture : path === "broken.jpg" ? picture.subarray(0, 200) : null;
  const { source } = await bench(t, { items: [withPictures], file });
  const [scene] = (await source.search(query(), never)).scenes;
  assert.ok(scene !== undefined);
  const found = await source.thumbnail(scene, never);
  assert.equal(found?.mediaType, "image/jpeg");
  const { width, height } = await sharp(found?.body).metadata();
  assert.deepEqual([width, height], [512, 307]);
  const bare = await bench(t, { items: [item] });
  assert.equal(await bare.source.thumbnail(scene, never), null);
});

test("where an item has no picture, one is drawn from the overviews of its files", async (t) => {
  const side = 1024;
  const tiff = tiledTiff({
    widthPx: side,
    heightPx: side,
    tilePx: 128,
    epsg: 32_631,
    origin: [600_000, 5_800_000],
    pixelSize: 30,
    nodata: 0,
    overviews: [2, 4],
    // West of the middle there is nothing; the rest brightens southwards.
    valueAt: (column, row) => (column < side / 2 ? 0 : 10_000 + row),
  });
  const item = madeItem("LC08_L2SP_1", "2023-05-01T10:20:30Z", 5, 52);
  const { server, source } = await bench(t, {
    items: [item],
    file: (path) => (path.endsWith("_SR_B4.TIF") ? tiff : null),
  });
  const [scene] = (await source.search(query(), never)).scenes;
  assert.ok(scene !== undefined);
  server.requests.length = 0;
  const found = await source.thumbnail(scene, never);
  assert.equal(found?.mediaType, "image/png");
  const { data, info } = await sharp(found?.body).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [512, 512]);
  const pixel = (column: number, row: number): number[] => [...data.subarray((row * 512 + column) * 4).subarray(0, 4)];
  assert.deepEqual(pixel(100, 200), [0, 0, 0, 0]);
  const [north, south] = [pixel(400, 60), pixel(400, 450)];
  assert.equal(north[3], 255);
  assert.ok((south[0] ?? 0) > (north[0] ?? 0) + 100, `${north.join(" ")} and ${south.join(" ")}`);
  const read = server.requests.filter(({ path }) => path.startsWith("/files/")).length;
  // The header, the directories at the end, and the overview: its half megabyte of 2.8.
  assert.ok(read <= 6, `${read} requests`);
});

test("secrets come from files, go to their hosts only, and appear in no error", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "stac-"));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "token"), "hunter2\n");
  const items = [madeItem("LC08_L2SP_1", "2023-05-01T10:20:30Z", 5, 52)];
  const files = await startStacServer({ items: [], file: filesOf(items, LANDSAT_ASSETS) });
  t.after(() => files[Symbol.asyncDispose]());
  const server = await startStacServer({ items });
  t.after(() => server[Symbol.asyncDispose]());
  let signatures = 0;
  server.intercept = (request, response) => {
    if (request.path !== "/sas") return false;
    signatures += 1;
    sendJson(response, 200, {
      token: `sig=hunter3-${signatures}`,
      "msft:expiry": new Date(time.nowMs + 3_600_000).toISOString(),
    });
    return true;
  };
  const time = new ManualTime();
  const config: StacSourceConfig = {
    kind: "stac",
    url: server.url,
    hosts: [files.url],
    datasets: [DATASET],
    rewriteHrefs: [{ from: LANDSAT_ASSETS, to: `${files.url}/files/` }],
    credentials: [
      { kind: "bearer", hosts: [server.url], token: { file: join(folder, "token") } },
      { kind: "sas", hosts: [files.url], tokenUrl: `${server.url}/sas` },
    ],
  };
  await using source = createStacSource(config, { clock: time, timers: time });
  const [scene] = (await source.search(query(), never)).scenes;
  assert.ok(scene !== undefined);
  await (await source.open(scene, null, never))[Symbol.asyncDispose]();
  assert.equal(signatures, 1);
  assert.ok(server.requests.every(({ headers }) => headers.authorization === "Bearer hunter2"));
  assert.ok(files.requests.length > 0 && files.requests.every(({ query: q }) => q.get("sig") === "hunter3-1"));
  assert.ok(files.requests.every(({ headers }) => headers.authorization === undefined));
  time.nowMs += 3_550_000;
  files.intercept = (_request, response) => {
    response.writeHead(500).end();
    return true;
  };
  await assert.rejects(source.open(scene, null, never), (error) => !String(error).includes("hunter"));
  assert.equal(signatures, 2);
  assert.throws(
    () =>
      createStacSource(
        { ...config, credentials: [{ kind: "bearer", hosts: ["x.test"], token: { env: "SWATH_NO_SUCH" } }] },
        { clock: time },
      ),
    /SWATH_NO_SUCH is empty, expected a secret/,
  );
});
