import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { gdalInstalled, temporaryFolder } from "@swath/raster/tiff/gdal-testing";
import { Ajv } from "ajv";
import { sql } from "kysely";
import { createApiKeyService } from "../api-keys/service.ts";
import { boxArea, setPrice, testCaller } from "../credits/testing.ts";
import { stacBench, type BenchUser, type StacBench } from "../stac/testing.ts";
import { placeScene, type PlacedScene } from "./testing.ts";

const execute = promisify(execFile);
const RIGHTS = ["imagery.availability", "imagery.images.ab", "imagery.images.local", "credits"];
const HOUR_MS = 3_600_000;
const WHOLE = boxArea([13.9, 49.9, 14.2, 50.2]);
const HALF = boxArea([13.9, 49.9, 14.03, 50.2]);

let nowMs = Date.UTC(2026, 5, 1, 10, 20);
let bench: StacBench;
let ann: BenchUser;
let ben: BenchUser;
let free: PlacedScene;
let paid: PlacedScene;

before(async () => {
  bench = await stacBench({ clock: { now: () => new Date(nowMs) } });
  ann = await bench.addUser("ann", RIGHTS);
  ben = await bench.addUser("ben", RIGHTS);
  free = await placeScene(bench, "free");
  paid = await placeScene(bench, "paid", { dataset: "pleiades" });
  await setPrice(bench.db, "spot", 0n);
  await setPrice(bench.db, "pleiades", 2_000_000n);
  await bench.db.transaction().execute(async (trx) => {
    for (const { groupId } of [ann, ben]) {
      await bench.credits.createAccount(trx, groupId);
      await bench.credits.grant(trx, groupId, 1_000_000_000_000n, "test");
    }
  });
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into items of every shape
async function item({ sceneId }: PlacedScene, { token }: Pick<BenchUser, "token">, on = bench): Promise<any> {
  const { json, status } = await on.get(`/search?ids=${sceneId}`, token);
  assert.equal(status, 200, JSON.stringify(json));
  return json.features[0];
}

async function hrefOf(scene: PlacedScene, user: Pick<BenchUser, "token">, on = bench): Promise<string> {
  return (await item(scene, user, on)).assets.red.href;
}

function allocate({ sceneId }: PlacedScene, { groupId, id }: BenchUser, geojson = WHOLE): Promise<unknown> {
  const caller = testCaller({ userId: id, groupId, permissions: new Set(RIGHTS) });
  return bench.credits.allocateArea(caller, { sceneIds: [sceneId], geojson });
}

/** An address that nobody signed. */
async function refuses(address: string): Promise<void> {
  assert.equal((await fetch(address)).status, 401, address);
}

function prices({ properties }: { readonly properties: Readonly<Record<string, unknown>> }): readonly unknown[] {
  return ["swath:credits_per_km2", "swath:allocated_ratio", "order:status"].map((name) => properties[name]);
}

/** Statements of a search. */
async function statementsOf(query: string): Promise<number> {
  const earlier = bench.statements();
  assert.equal((await bench.get(`/search?collections=ab.pleiades&${query}`, ann.token)).status, 200);
  return bench.statements() - earlier;
}

function passMs(ms: number): void {
  nowMs += ms;
}

test("an item has an asset for each COG, at an absolute address that answers its bytes", async () => {
  const { assets, properties } = await item(free, ann);
  assert.deepEqual(Object.keys(assets), ["thumbnail", "blue", "red"]);
  const { href, ...red } = assets.red;
  assert.deepEqual(red, {
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    "proj:shape": [600, 600],
    "proj:transform": [1e-4, 0, 14, 0, -1e-4, 50.06].map((value, i) => red["proj:transform"][i] ?? value),
    title: "Red",
    roles: ["data", "reflectance"],
    gsd: 10,
    bands: [
      {
        name: "Red",
        "eo:common_name": "red",
        data_type: "uint16",
        nodata: 0,
        statistics: { minimum: 1, maximum: 10_000, mean: 2000, stddev: 500 },
        "raster:scale": 1e-4,
        "raster:offset": 0,
      },
    ],
    "file:size": free.cogs[1]?.byteLength,
  });
  assert.ok(Math.abs(red["proj:transform"][0] - 1e-4) < 1e-12 && Math.abs(red["proj:transform"][4] + 1e-4) < 1e-12);
  assert.deepEqual([properties["proj:code"], properties["proj:epsg"]], ["EPSG:4326", 4326]);
  assert.equal(new URL(href).pathname.split("/").at(-1), "red.tif");
  const answer = await fetch(href);
  assert.equal(answer.status, 200);
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), new Uint8Array(free.cogs[1] ?? []));
});

test("files answer ranges, HEAD and conditions, and scripts of other origins may read the headers", async () => {
  const href = await hrefOf(free, ann);
  const size = free.cogs[1]?.byteLength ?? 0;
  const ask = (headers: Record<string, string>, method = "GET") => fetch(href, { method, headers });
  const head = await ask({ origin: "https://viewer.example" }, "HEAD");
  assert.deepEqual(
    ["accept-ranges", "content-length", "content-type", "cache-control"].map((name) => head.headers.get(name)),
    ["bytes", String(size), "image/tiff; application=geotiff; profile=cloud-optimized", "private, max-age=3600"],
  );
  const exposed = (head.headers.get("access-control-expose-headers") ?? "").split(", ");
  for (const name of ["Content-Range", "ETag", "Accept-Ranges", "Content-Length"])
    assert.ok(exposed.includes(name), name);
  const etag = head.headers.get("etag") ?? "";
  assert.match(etag, /^"[\w-]{27}"$/u);
  const part = await ask({ range: "bytes=100-299", "if-range": etag });
  assert.deepEqual([part.status, part.headers.get("content-range")], [206, `bytes 100-299/${size}`]);
  assert.deepEqual(Buffer.from(await part.arrayBuffer()), Buffer.from(free.cogs[1]?.subarray(100, 300) ?? []));
  assert.equal((await ask({ range: "bytes=100-299", "if-range": '"other"' })).status, 200);
  assert.equal((await ask({ "if-none-match": etag })).status, 304);
  const beyond = await ask({ range: `bytes=${size}-` });
  assert.deepEqual([beyond.status, beyond.headers.get("content-range")], [416, `bytes */${size}`]);
});

test("a list of a thousand ranges is answered as the whole file", async () => {
  const ranges = Array.from({ length: 1000 }, (_, i) => `${i * 3}-${i * 3}`).join(",");
  const answer = await fetch(await hrefOf(free, ann), { headers: { range: `bytes=${ranges}` } });
  assert.equal(answer.status, 200);
  assert.equal((await answer.arrayBuffer()).byteLength, free.cogs[1]?.byteLength);
});

test("an address is the same within the hour, another in the next, and ends after 24 hours and the rest of the hour", async () => {
  let atMs = Date.UTC(2026, 5, 1, 10, 20);
  await using aged = await stacBench({ clock: { now: () => new Date(atMs) } });
  const user = await aged.addUser("old", RIGHTS);
  await setPrice(aged.db, "spot", 0n);
  const scene = await placeScene(aged, "aged");
  const first = await hrefOf(scene, user, aged);
  atMs += 40 * 60_000 - 1;
  assert.equal(await hrefOf(scene, user, aged), first);
  atMs += 1;
  assert.notEqual(await hrefOf(scene, user, aged), first);
  atMs += 24 * HOUR_MS - 1;
  assert.equal((await fetch(first)).status, 200);
  atMs += 1;
  const ended = await fetch(first);
  assert.deepEqual([ended.status, JSON.parse(await ended.text()).error], [401, "NOT-AUTHORIZED"]);
});

test("side files that GDAL looks for are not there, and no path leads elsewhere", async () => {
  const href = await hrefOf(free, ann);
  const home = href.slice(0, href.lastIndexOf("/"));
  const names = ["red.tif.aux.xml", "red.tif.ovr", "red.tif.msk", "red.xml", "red.aux", "RED.TIF", "..%2fred.tif"];
  for (const name of [...names, "..%2f..%2fblue.tif", "b0.tif%00", "nir.tif"]) {
    const { status } = await fetch(`${home}/${name}`);
    assert.ok(status === 404 || status === 400, `${name} is ${status}`);
  }
  assert.equal((await fetch(`${home}/`)).status, 404);
});

test("a token opens no other scene, and no changed token opens any", async () => {
  await placeScene(bench, "other");
  const href = await hrefOf(free, ann);
  await refuses(href.replace(free.sceneId, free.sceneId.replace("free", "other")));
  const token = new URL(href).pathname.split("/")[2] ?? "";
  const [grant = "", signature = ""] = token.split(".");
  const members = JSON.parse(Buffer.from(grant, "base64url").toString());
  const longer = Buffer.from(JSON.stringify([members[0], members[1], members[2] + 3600])).toString("base64url");
  const foreign = Buffer.from(JSON.stringify([ben.id, ...members.slice(1)])).toString("base64url");
  await refuses(href.replace(grant, longer));
  await refuses(href.replace(grant, foreign));
  await refuses(href.replace(signature, `${signature.slice(0, -1)}${signature.endsWith("A") ? "B" : "A"}`));
  assert.equal((await fetch(href.replace(token, "x"))).status, 404);
});

test("a priced scene has files for the group that allocated all of it, and its price and share for everybody", async () => {
  const none = await item(paid, ann);
  assert.deepEqual(Object.keys(none.assets), ["thumbnail"]);
  assert.deepEqual(prices(none), [2, 0, "orderable"]);
  await allocate(paid, ann, HALF);
  const half = await item(paid, ann);
  assert.deepEqual(Object.keys(half.assets), ["thumbnail"]);
  assert.ok(Math.abs(half.properties["swath:allocated_ratio"] - 0.5) < 1e-5, half.properties["swath:allocated_ratio"]);
  await allocate(paid, ann);
  const whole = await item(paid, ann);
  assert.deepEqual(prices(whole), [2, 1, "succeeded"]);
  assert.equal((await fetch(whole.assets.red.href)).status, 200);
  assert.deepEqual(Object.keys((await item(paid, ben)).assets), ["thumbnail"]);
});

test("the group that uploaded a scene has its files without an allocation, a reader of another group has not", async () => {
  const shared = await placeScene(bench, "shared", { provider: "local", dataset: "uploads", owner: ann.audience });
  await sql`update scenes set audience = null where scene_id = ${shared.sceneId}`.execute(bench.db);
  const { properties } = await item(shared, ann);
  assert.deepEqual([properties["swath:allocated_ratio"], properties["order:status"]], [0, "succeeded"]);
  const href = await hrefOf(shared, ann);
  assert.equal((await fetch(href)).status, 200);
  assert.deepEqual(Object.keys((await item(shared, ben)).assets), ["thumbnail"]);
  await sql`update scenes set owner = ${ben.audience} where scene_id = ${shared.sceneId}`.execute(bench.db);
  passMs(5_000);
  assert.equal((await fetch(href)).status, 402);
});

test("filters and orders read the price and the allocated share, for callers who may see them", async () => {
  const cheap = await placeScene(bench, "cheap", { dataset: "pleiades-neo" });
  const part = await placeScene(bench, "part", { dataset: "pleiades-neo" });
  await setPrice(bench.db, "pleiades-neo", 500_000n);
  const eve = await bench.addUser("eve", RIGHTS);
  await bench.db.transaction().execute((trx) => bench.credits.grant(trx, eve.groupId, 1_000_000_000_000n, "test"));
  await allocate(paid, eve);
  await allocate(part, eve, HALF);
  const ids = [cheap, free, paid, part].map(({ sceneId }) => sceneId).join(",");
  const found = async (query: Record<string, string>): Promise<string[]> => {
    const { json, status } = await bench.get(`/search?${new URLSearchParams({ ids, ...query }).toString()}`, eve.token);
    assert.equal(status, 200, JSON.stringify(json));
    return json.features.map(({ id }: { id: string }) => id.split(".").at(-1));
  };
  assert.deepEqual(await found({ filter: "swath:allocated_ratio = 1", sortby: "id" }), ["paid", "free"]);
  assert.deepEqual(await found({ filter: "swath:allocated_ratio BETWEEN 0.4 AND 0.6" }), ["part"]);
  assert.deepEqual(await found({ sortby: "-swath:credits_per_km2,-swath:allocated_ratio" }), [
    "paid",
    "part",
    "cheap",
    "free",
  ]);
  const plain = await bench.addUser("nobody", ["imagery.availability", "imagery.images.ab"]);
  const refused = await bench.get("/search?filter=swath:allocated_ratio>0", plain.token);
  assert.deepEqual([refused.status, refused.json.error], [400, "BAD-REQUEST"]);
});

test("prices are shown to callers who may ask for them only", async () => {
  const plain = await bench.addUser("plain", ["imagery.availability", "imagery.images.ab"]);
  const { properties } = await item(paid, plain);
  assert.equal("swath:credits_per_km2" in properties || "swath:allocated_ratio" in properties, false);
  assert.equal(properties["order:status"], "orderable");
});

test("access ends five seconds after a right, a holding, a scene or a user does", async () => {
  const cat = await bench.addUser("cat", RIGHTS);
  await bench.db.transaction().execute(async (trx) => {
    await bench.credits.grant(trx, cat.groupId, 1_000_000_000_000n, "test");
  });
  await allocate(paid, cat);
  const lost = await placeScene(bench, "lost", { owner: cat.audience });
  const [held, own] = [await hrefOf(paid, cat), await hrefOf(lost, cat)];
  const ended = async (href: string, status: number, code: string): Promise<void> => {
    passMs(5_000);
    const answer = await fetch(href);
    assert.deepEqual([answer.status, JSON.parse(await answer.text()).error], [status, code]);
  };
  for (const href of [held, own]) assert.equal((await fetch(href)).status, 200);
  await sql`delete from scenes where scene_id = ${lost.sceneId}`.execute(bench.db);
  await ended(own, 404, "NON-EXISTING-SCENE");
  await bench.db
    .updateTable("groups")
    .set({ permissions: ["imagery.availability"] })
    .where("id", "=", cat.groupId)
    .execute();
  await ended(held, 401, "NOT-AUTHORIZED");
  await bench.db.updateTable("groups").set({ permissions: RIGHTS }).where("id", "=", cat.groupId).execute();
  passMs(5_000);
  assert.equal((await fetch(held)).status, 200);
  await setPrice(bench.db, "spot", 1_000_000n);
  await ended(await hrefOfFree(), 402, "CREDITS-ERROR");
  await setPrice(bench.db, "spot", 0n);
  await bench.users.setBlocked(cat.id, true);
  await ended(held, 401, "NOT-AUTHORIZED");
});

/** The address of a scene that was free when the item was read. */
async function hrefOfFree(): Promise<string> {
  await setPrice(bench.db, "spot", 0n);
  const href = await hrefOf(free, ann);
  await setPrice(bench.db, "spot", 1_000_000n);
  return href;
}

test("a changed password and a revoked API key end the addresses that they were signed for", async () => {
  const dan = await bench.addUser("dan", RIGHTS);
  const href = await hrefOf(free, dan);
  assert.equal((await fetch(href)).status, 200);
  const keys = createApiKeyService({
    db: bench.db,
    clock: { now: () => new Date(nowMs) },
    audit: { record: () => Promise.resolve() },
    users: { requireMayChange: () => Promise.resolve() },
  });
  const owner = testCaller({ userId: dan.id, groupId: dan.groupId, permissions: new Set(RIGHTS) });
  const request = { name: "tools", permissions: ["imagery.availability", "imagery.images.ab"] };
  const { id, key } = await keys.create(owner, request, "test");
  const byKey = await hrefOf(free, { token: key });
  assert.equal((await fetch(byKey)).status, 200);
  await sql`update users set token_version = token_version + 1 where id = ${dan.id}`.execute(bench.db);
  passMs(5_000);
  assert.deepEqual([(await fetch(href)).status, (await fetch(byKey)).status], [401, 200]);
  await keys.revoke(owner, { id }, "test");
  passMs(5_000);
  assert.equal((await fetch(byKey)).status, 401);
});

test("a scene of another group has no item and so no address", async () => {
  const own = await placeScene(bench, "own", { owner: ann.audience });
  assert.equal((await fetch(await hrefOf(own, ann))).status, 200);
  const { json } = await bench.get(`/search?ids=${own.sceneId}`, ben.token);
  assert.deepEqual(json.features, []);
});

test("items fit the schemas of their extensions and of the prefix swath", async () => {
  const schemas = join(import.meta.dirname, "../../../../../e2e/standards/schemas");
  await allocate(paid, ben, HALF);
  for (const document of [await item(free, ann), await item(paid, ben)]) {
    const files = document.stac_extensions.map((url: string) => url.replace("https://", ""));
    assert.ok(files.some((file: string) => file.includes("/order/")));
    for (const file of [...files, "swath/v1.0.0/schema.json"]) {
      const check = new Ajv({ allErrors: true, strict: false }).compile(
        JSON.parse(readFileSync(join(schemas, file), "utf8")),
      );
      assert.ok(check(document), `${file}: ${JSON.stringify(check.errors)}`);
    }
  }
});

test("a page takes the same statements however many items it has, and one less without prices and assets", async () => {
  const scenes = await Promise.all(
    Array.from({ length: 12 }, (_, n) => placeScene(bench, `many-${n}`, { dataset: "pleiades" })),
  );
  for (const scene of scenes.slice(0, 3)) await allocate(scene, ann);
  await statementsOf("limit=1");
  const one = await statementsOf("limit=1");
  assert.deepEqual([await statementsOf("limit=12"), await statementsOf("limit=12&fields=id,geometry")], [one, one - 1]);
});

test("a reader of single bytes costs no more statements than one read", async () => {
  const href = await hrefOf(free, ann);
  const earlier = bench.statements();
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const answer = await fetch(href, { headers: { range: `bytes=${n}-${n}` } });
      return [answer.status, (await answer.arrayBuffer()).byteLength];
    }),
  );
  assert.deepEqual(new Set(answers.map(String)), new Set(["206,1"]));
  const statements = bench.statements() - earlier;
  assert.ok(statements <= 6, `${statements} statements`);
});

test("fields that name no asset sign nothing", async () => {
  const { json } = await bench.get(`/search?ids=${free.sceneId}&fields=id,properties.datetime`, ann.token);
  assert.deepEqual(Object.keys(json.features[0]), ["type", "stac_version", "id", "collection", "properties"]);
});

test("GDAL reads the pixels of the source by /vsicurl, and an item collection as STACIT", async (t) => {
  if (!gdalInstalled) {
    t.skip("GDAL is not installed");
    return;
  }
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "red.tif"), free.cogs[1] ?? new Uint8Array());
  const { assets, ...document } = await item(free, ann);
  const collection = { type: "FeatureCollection", features: [{ ...document, assets }] };
  writeFileSync(join(folder.path, "items.json"), JSON.stringify(collection));
  const crop = async (source: string, name: string): Promise<Uint8Array> => {
    const path = join(folder.path, name);
    // The service runs in this process, which must answer meanwhile.
    await execute("gdal_translate", ["-q", "-srcwin", "210", "320", "300", "250", "-of", "ENVI", source, path]);
    return readFileSync(path);
  };
  const local = await crop(join(folder.path, "red.tif"), "local");
  assert.ok(local.some((value) => value !== local[0]));
  assert.deepEqual(await crop(`/vsicurl/${assets.red.href}`, "remote"), local);
  assert.deepEqual(await crop(`STACIT:"${join(folder.path, "items.json")}":asset=red`, "stacit"), local);
});
