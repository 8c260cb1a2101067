import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { tiledTiff } from "@swath/raster/testing/tiled-tiff";
import { zipStore } from "../packages/cli/src/zip-store.ts";
import { bandFile, BANDS, item, itemFiles, ITEMS, type ItemFiles } from "./items-journey.ts";
import { upload } from "./main-job.ts";
import { RawClient, readJson } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

const TRANSACTION = "https://api.stacspec.org/v1.0.0/ogcapi-features/extensions/transaction";
const PASSWORD = "a password of eight or more";
const RIGHTS = ["imagery", "ingest-scene", "store", "mapsvc", "algorithms", "credits"];

/** A ring that crosses itself again and again. */
function star(points: number): number[][] {
  const ring = Array.from({ length: points }, (_, i) => [
    14.44 + 0.004 * Math.cos(i * 2.9),
    50.09 + 0.004 * Math.sin(i * 2.9),
  ]);
  return [...ring, ring[0] ?? []];
}

/** An item of one file. */
function itemOf(id: string, base: string, href: string) {
  const { red } = item(id, base).assets;
  return { ...item(id, base), assets: { red: { ...red, href } } };
}

describe("items whose files stay on another host", () => {
  const stack = new AsyncDisposableStack();
  let files: ItemFiles;
  let service: ServiceProcess;
  let demo: RawClient;
  let admin: RawClient;
  /** Of another group. */
  let stranger: RawClient;
  let base: string;

  before(async () => {
    files = stack.use(await itemFiles());
    base = `${files.server.url}/scene/`;
    service = stack.use(await ServiceProcess.start({ SWATH_CATALOG: files.catalogue }));
    const anonymous = new RawClient(service.baseUrl);
    demo = await anonymous.login(DEMO);
    admin = await anonymous.login(ADMIN);
    stranger = await userOfGroup(anonymous, "stranger@swath.example");
  });
  after(() => stack.disposeAsync());

  async function userOfGroup(anonymous: RawClient, email: string): Promise<RawClient> {
    const organization = await admin.post("/organization/create", { name: email });
    const group = await admin.post("/group/create", {
      organizationId: organization.body.id,
      name: email,
      permissions: RIGHTS,
      licenseEnd: "2099-01-01T00:00:00Z",
    });
    const groupId = group.body.id;
    const created = await admin.post("/user/organization/create-user", {
      email,
      password: PASSWORD,
      name: email,
      groupId,
      isManager: false,
      accounting: groupId,
      taskingAccounting: groupId,
    });
    assert.equal(created.status, 200, JSON.stringify(created.body));
    return await anonymous.login({ email, password: PASSWORD });
  }

  async function registered(id: string, from = base, properties: object = {}): Promise<string> {
    const { status, body } = await demo.post(ITEMS, item(id, from, properties));
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  async function tilesOf(sceneId: string, mapTypes = ["imagery", "ndvi"]): Promise<string[]> {
    const { geometry: extent } = item("", base);
    const sceneIds = [sceneId];
    const allocated = await demo.post("/credits/area/allocate-geojson", { sceneIds, geojson: extent });
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
    const released = await demo.run("/mapsvc/release", { mapTypes, sceneIds, extent });
    assert.deepEqual(released.body.failed, [], JSON.stringify(released.body));
    const tiles: string[] = [];
    for (const { mapId, mapType, tiles: drawn } of released.body.maps) {
      for (const [z, x, y] of drawn) {
        const file = mapType === "imagery" ? "truecolor.png" : "ndvi.png";
        const tile = await demo.get(`/mapsvc/grid/${mapId}/-/${z}/${x}/${y}/${file}`);
        const bytes = Buffer.from(await tile.arrayBuffer());
        assert.equal(tile.status, 200, `${mapType} ${bytes.toString("utf8", 0, 500)}`);
        tiles.push(bytes.toString("base64"));
      }
    }
    return tiles;
  }

  test("the class Transaction is declared where the operator allows hosts", async () => {
    assert.ok((await readJson(await demo.get("/stac/conformance"))).conformsTo.includes(TRANSACTION));
    assert.ok((await readJson(await demo.get("/stac"))).conformsTo.includes(TRANSACTION));
  });

  test("registering reads headers, and the pixels of a release are those of the same files ingested", async () => {
    files.server.requests.length = 0;
    const sceneId = await registered("equal");
    assert.ok(files.server.requests.length <= BANDS.length, `${files.server.requests.length} requests`);
    assert.ok(files.server.requests.every(({ headers }) => headers["range"] !== undefined));

    const entries = BANDS.map((band, index) => ({ name: `${band}.tif`, content: new Blob([bandFile(index).slice()]) }));
    const document = new Blob([JSON.stringify(item("equal", "./"))]);
    const zip = await zipStore([...entries, { name: "scene.json", content: document }]);
    const filepath = await upload(demo, new Uint8Array(await zip.arrayBuffer()), ".zip", "equal");
    const ingested = await demo.post("/imagery/ingest-scene", { provider: "local", filepath });
    assert.equal(ingested.status, 200, JSON.stringify(ingested.body));
    const [{ sceneId: twin }] = ingested.body.ingestedScenes;

    const [info, twinInfo] = await Promise.all(
      [sceneId, twin].map(async (id) => (await demo.post("/imagery/scene-info", { sceneId: id })).body),
    );
    const described = (scene: typeof info) => [scene.crsEpsg, scene.datetime, scene.satellite, scene.cloudCover];
    assert.deepEqual(described(info), described(twinInfo));
    const grids = (scene: typeof info) =>
      scene.bands
        .map((band: { names: string[]; pixelSizeX: number; crsOriginX: number; crsOriginY: number }) =>
          [band.names[0], band.pixelSizeX, band.crsOriginX, band.crsOriginY].join(),
        )
        .toSorted();
    assert.deepEqual(grids(info), grids(twinInfo));
    const [tiles, twins] = [await tilesOf(sceneId), await tilesOf(twin)];
    assert.ok(tiles.length > 1);
    assert.deepEqual(tiles, twins);
  });

  test("of a large scene a release reads the store tiles of its area by range, and no more", async () => {
    const SIDE_PX = 3000;
    const bytes = tiledTiff({
      widthPx: SIDE_PX,
      heightPx: SIDE_PX,
      tilePx: 256,
      epsg: 32_633,
      origin: [460_000, 5_550_000],
      pixelSize: 10,
      nodata: 0,
      valueAt: (column, row) => 1 + ((column + row) % 1000),
    });
    for (const band of ["red", "nir"]) files.server.files.set(`/large/${band}.tif`, bytes);
    const from = `${files.server.url}/large/`;
    const { red, nir } = item("large", from).assets;
    const ring = [
      [14.444, 49.8333],
      [14.85, 49.8333],
      [14.85, 50.1008],
      [14.444, 50.1008],
      [14.444, 49.8333],
    ];
    const geometry = { type: "Polygon", coordinates: [ring] };
    const made = await demo.post(ITEMS, { ...item("large", from), bbox: undefined, geometry, assets: { red, nir } });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    files.server.requests.length = 0;
    const tiles = await tilesOf(made.body.id, ["ndvi"]);
    assert.ok(tiles.length > 0);
    const read = files.server.requests.reduce((sum, { headers }) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/u.exec(String(headers["range"])) ?? [];
      assert.ok(first !== undefined && last !== undefined, "the whole file was asked for");
      return sum + Math.min(Number(last), bytes.length - 1) - Number(first) + 1;
    }, 0);
    assert.ok(read < bytes.length / 4, `${read} of ${2 * bytes.length} bytes were read`);
  });

  test("a registered scene belongs to the group: searched, listed and hidden as an ingested one", async () => {
    const sceneId = await registered("private");
    const search = { provider: "local", dataset: "uploads", extent: item("", base).geometry };
    const ids = async (client: RawClient): Promise<string[]> =>
      (await client.run("/imagery/search", search)).body.results.map((scene: { sceneId: string }) => scene.sceneId);
    assert.ok((await ids(demo)).includes(sceneId));
    assert.ok(!(await ids(stranger)).includes(sceneId));
    assert.ok((await ids(admin)).includes(sceneId));
    const downloadable = await demo.run("/imagery/search", { ...search, onlyDownloadable: true });
    assert.ok(JSON.stringify(downloadable.body).includes(sceneId));
    const listed = await demo.post("/imagery/scene/list", { sceneId });
    assert.deepEqual([listed.body.results[0].sceneId, listed.body.results[0].visibility], [sceneId, "group"]);
    for (const path of [`${ITEMS}/${sceneId}`, `${ITEMS}/private`]) {
      assert.equal((await demo.get(path)).status, 200);
      assert.equal((await stranger.get(path)).status, 404);
      for (const method of ["PUT", "PATCH", "DELETE"] as const) {
        const body = method === "DELETE" ? undefined : item("private", base);
        const hidden = await stranger.send(method, path, body);
        const absent = await stranger.send(method, `${path}0`, body);
        assert.deepEqual([hidden.status, absent.status], [404, 404], `${method} ${path}`);
        const told = [hidden, absent].map(({ body: { description } }) => description.replaceAll(/items? \S+/gu, "ID"));
        assert.equal(told[0], told[1]);
      }
    }
    const twin = await stranger.post(ITEMS, item("private", base));
    assert.equal(twin.status, 201, "another group has an item of the same id");
    assert.notEqual(twin.body.id, sceneId);

    const shared = await demo.post("/imagery/scene/set-visibility", { sceneId, visibility: "public" });
    assert.equal(shared.status, 200, JSON.stringify(shared.body));
    assert.ok((await ids(stranger)).includes(sceneId));
    assert.equal((await stranger.send("DELETE", `${ITEMS}/${sceneId}`)).status, 401);
    const thumbnail = await stranger.get(`/imagery/thumbnail?scene_id=${sceneId}`);
    assert.equal(thumbnail.status, 200, await thumbnail.clone().text());
  });

  test("an item is deleted by its group, restored within a day, and registered again", async () => {
    const sceneId = await registered("deleted");
    assert.equal((await demo.send("DELETE", `${ITEMS}/deleted`)).status, 200);
    assert.equal((await demo.get(`${ITEMS}/deleted`)).status, 404);
    assert.equal((await demo.send("DELETE", `${ITEMS}/deleted`)).status, 404);
    assert.equal((await demo.post("/imagery/scene/restore", { sceneId })).status, 200);
    assert.equal((await demo.get(`${ITEMS}/deleted`)).status, 200);
    assert.equal((await demo.send("DELETE", `${ITEMS}/deleted`)).status, 200);
    assert.equal(await registered("deleted"), sceneId);
    assert.equal((await demo.post(ITEMS, item("deleted", base))).status, 409);
  });

  test("of two writers with one ETag the first wins, and the second is refused with 412", async () => {
    const path = `${ITEMS}/${await registered("contested")}`;
    const etag = (await demo.get(path)).headers.get("etag") ?? "";
    assert.match(etag, /^"/u);
    const write = (cloud: number) =>
      demo.send("PUT", path, item("contested", base, { "eo:cloud_cover": cloud }), { "If-Match": etag });
    const answers = await Promise.all([write(11), write(22)]);
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 412],
    );
    const winner = answers.find(({ status }) => status === 200);
    assert.notEqual(winner?.headers.get("etag"), etag);
    const now = await readJson(await demo.get(path));
    assert.equal(now.properties["eo:cloud_cover"], winner?.body.properties["eo:cloud_cover"]);
    assert.equal((await demo.send("PUT", path, item("contested", base), { "If-Match": "*" })).status, 200);
    assert.equal((await demo.send("PUT", path, item("another", base))).status, 400);
    assert.equal((await demo.send("PUT", `${ITEMS}/absent`, item("absent", base))).status, 404);
  });

  test("of a scene with maps or paid area the place and the files stay", async () => {
    const sceneId = await registered("used");
    await tilesOf(sceneId);
    files.server.files.set("/other/red.tif", bandFile(2, 5));
    const other = {
      ...item("used", base),
      assets: { red: { ...item("used", base).assets["red"], href: `${files.server.url}/other/red.tif` } },
    };
    const refused = await demo.send("PUT", `${ITEMS}/${sceneId}`, other);
    assert.deepEqual([refused.status, refused.body.code], [409, "CONFLICT"]);
    const described = await demo.send("PUT", `${ITEMS}/${sceneId}`, item("used", base, { "eo:cloud_cover": 33 }));
    assert.equal(described.status, 200, JSON.stringify(described.body));
    assert.equal(described.body.properties["eo:cloud_cover"], 33);
  });

  test("a broken or missing file is refused when the item is registered", async () => {
    files.server.files.set("/broken/red.tif", new Uint8Array(4096).fill(7));
    const broken = await demo.post(ITEMS, itemOf("broken", base, `${files.server.url}/broken/red.tif`));
    assert.deepEqual([broken.status, broken.body.code], [424, "SCENE-UNREADABLE"], JSON.stringify(broken.body));
    assert.match(broken.body.description, /item broken: /u);
    const missing = await demo.post(ITEMS, itemOf("missing", base, `${files.server.url}/none/red.tif`));
    assert.ok(missing.status >= 400 && missing.status < 500, JSON.stringify(missing.body));
    assert.equal((await demo.get(`${ITEMS}/broken`)).status, 404);
    const both = {
      type: "FeatureCollection",
      features: [item("whole", base), itemOf("torn", base, `${files.server.url}/broken/red.tif`)],
    };
    assert.equal((await demo.post(ITEMS, both)).status, 424);
    assert.equal((await demo.get(`${ITEMS}/whole`)).status, 404, "all or none");
  });

  test("addresses outside of the allowed hosts are never asked", async () => {
    const port = new URL(files.server.url).port;
    const addresses = [
      "javascript:alert(1)//red.tif",
      "file:///etc/passwd.tif",
      "s3://other-bucket/red.tif",
      "https://example.org/red.tif",
      "http://169.254.169.254/latest/red.tif",
      `http://localhost:${port}/scene/red.tif`,
      `http://user:secret@127.0.0.1:${port}/scene/red.tif`,
      "//127.0.0.1/red.tif",
      "red.tif",
      "/vsicurl/http://127.0.0.1/red.tif",
    ];
    files.server.requests.length = 0;
    for (const href of addresses) {
      const { status, body } = await demo.post(ITEMS, itemOf("foreign", base, href));
      assert.deepEqual([status, body.code], [400, "BAD-REQUEST"], `${href}: ${JSON.stringify(body)}`);
    }
    assert.equal(files.server.requests.length, 0);
    files.server.intercept = (path, response) => {
      if (path !== "/away/red.tif") return false;
      response.writeHead(302, { location: "http://127.0.0.1:1/red.tif" }).end();
      return true;
    };
    const moved = await demo.post(ITEMS, itemOf("foreign", base, `${files.server.url}/away/red.tif`));
    files.server.intercept = null;
    assert.equal(moved.status, 503, JSON.stringify(moved.body));
    assert.match(moved.body.description, /may not be asked/u);
    assert.equal(await registered("by-s3", "s3://scenes/"), (await readJson(await demo.get(`${ITEMS}/by-s3`))).id);
  });

  test("hostile items are refused, each with its reason, and harm nobody", async () => {
    const shaped = (coordinates: unknown) => ({
      ...item("shaped", base),
      bbox: undefined,
      geometry: { type: "Polygon", coordinates },
    });
    const refused: [object, number][] = [
      [item("a\u0007b", base), 400],
      [item("", base), 400],
      [item("x".repeat(300), base), 400],
      [item("large", base, { text: "x".repeat(150_000) }), 400],
      [item("huge", base, { text: "x".repeat(10_000_000) }), 413],
      [shaped([star(10_001)]), 400],
      [shaped([[[null, null]]]), 400],
      [
        shaped([
          [
            [Infinity, 0],
            [1, 0],
            [1, 1],
            [Infinity, 0],
          ],
        ]),
        400,
      ],
      [{ ...item("timeless", base), properties: { datetime: null } }, 400],
      [{ ...item("files", base), assets: {} }, 400],
      [{ type: "FeatureCollection", features: [] }, 400],
      [{ type: "FeatureCollection", features: Array.from({ length: 101 }, (_, i) => item(`n${i}`, base)) }, 400],
      [{ type: "FeatureCollection", features: [item("twice", base), item("twice", base)] }, 400],
      [{ type: "Point" }, 400],
    ];
    for (const [body, expected] of refused) {
      const { status, body: answer } = await demo.post(ITEMS, body);
      assert.equal(status, expected, `${JSON.stringify(body).slice(0, 200)}: ${JSON.stringify(answer)}`);
    }
    const crossing = await demo.post(ITEMS, { ...shaped([star(24)]), id: "crossing" });
    assert.equal(crossing.status, 201, JSON.stringify(crossing.body));
    const slashed = await registered("2026/06/03 a%2Fb?c#d");
    const found = await demo.get(`${ITEMS}/${encodeURIComponent("2026/06/03 a%2Fb?c#d")}`);
    assert.equal((await readJson(found)).id, slashed);
    const dataset = await demo.post("/stac/collections/ee.COPERNICUS-_S2__SR__HARMONIZED/items", item("paid", base));
    assert.ok([400, 404].includes(dataset.status), JSON.stringify(dataset.body));
  });

  test("an import registers, replaces and refuses lines, and a broken file fails at its release", async () => {
    const broken = {
      ...item("late", base),
      assets: { red: { ...item("", base).assets["red"], href: `${files.server.url}/broken/red.tif` } },
    };
    files.server.requests.length = 0;
    const lines = [
      JSON.stringify(item("line-1", base)),
      "",
      "nonsense",
      '{"id": NaN}',
      JSON.stringify(broken),
      JSON.stringify(item("line-1", base)),
    ];
    const send = (text: string) => demo.send("PUT", "/stac/collections/local.uploads/import", text);
    const first = await send(lines.join("\n"));
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const counts = ({ body: { created, replaced, unchanged, refused } }: typeof first) => [
      created,
      replaced,
      unchanged,
      refused,
    ];
    assert.deepEqual(counts(first), [2, 0, 0, 2]);
    assert.deepEqual(
      first.body.refusals.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      [
        [3, "is no JSON"],
        [4, "is no JSON"],
      ],
    );
    assert.equal(files.server.requests.length, 0);
    assert.deepEqual(counts(await send(lines.join("\n"))), [0, 0, 2, 2]);
    assert.deepEqual(counts(await send(JSON.stringify(item("line-1", base, { "eo:cloud_cover": 50 })))), [0, 1, 0, 0]);
    const { id } = await readJson(await demo.get(`${ITEMS}/late`));
    const { geometry: extent } = item("", base);
    await demo.post("/credits/area/allocate-geojson", { sceneIds: [id], geojson: extent });
    const released = await demo.run("/mapsvc/release", { mapTypes: ["ndvi"], sceneIds: [id], extent });
    assert.match(JSON.stringify(released.body), /SCENE-UNREADABLE/u);
    const absent = await stranger.send("PUT", "/stac/collections/ee.absent/import", "{}");
    assert.equal(absent.status, 404);
  });
});
