import assert from "node:assert/strict";
import { test } from "node:test";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { decodeFootprint } from "@swath/kernel/geometry/footprint-codec";
import { parseItem, rowsOf } from "./item-row.ts";
import { readItems } from "./read-items.ts";
import { namedSceneId, registeredSceneId } from "./registered-id.ts";

const HOSTS = {
  hosts: ["https://cogs.example.com"],
  rewriteHrefs: [{ from: "s3://own/", to: "https://cogs.example.com/own/" }],
};
const TARGET = { provider: "local", dataset: "uploads", owner: "group:1" };

function item(members: object = {}, href = "https://cogs.example.com/red.tif"): object {
  return {
    type: "Feature",
    id: "one",
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [10, 50],
          [11, 50],
          [11, 51],
          [10, 51],
          [10, 50],
        ],
      ],
    },
    properties: { datetime: "2026-06-03T11:24:36Z", "acme:pilot": "Ada" },
    assets: {
      red: {
        href,
        type: "image/tiff; application=geotiff",
        roles: ["data"],
        bands: [{ name: "red", "eo:common_name": "red" }],
      },
    },
    links: [{ rel: "self", href: "javascript:alert(1)" }],
    ...members,
  };
}

async function read(...items: readonly (object | string)[]) {
  const lines = items.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  const { columns, ...rest } = await readItems({ bytes: Buffer.from(lines.join("\n")), target: TARGET, hosts: HOSTS });
  return { ...rest, rows: columns.flatMap(rowsOf) };
}

async function reason(one: object | string): Promise<string> {
  const { refused } = await read(one);
  return refused[0]?.reason ?? "accepted";
}

test("an item becomes a row that keeps its properties and the files on allowed hosts, without links", async () => {
  const assets = {
    ...(item() as { assets: object }).assets,
    script: { href: "javascript:alert(1)" },
    page: { href: "https://elsewhere.example/page.html" },
    preview: { href: "https://cogs.example.com/preview.png", type: "image/png" },
  };
  const { rows, refused } = await read(item({ assets, "x:foreign": 1 }));
  assert.deepEqual(refused, []);
  const [row] = rows;
  assert.ok(row !== undefined);
  const kept = parseItem(row.item);
  assert.deepEqual(Object.keys(kept).toSorted(), ["assets", "geometry", "id", "properties", "stac_version", "type"]);
  assert.deepEqual(Object.keys(kept["assets"] as object), ["red", "preview"]);
  assert.equal((kept["properties"] as Record<string, unknown>)["acme:pilot"], "Ada");
  assert.equal(row.acquiredAt, "2026-06-03T11:24:36.000Z");
  const footprint = decodeFootprint(Buffer.from(row.footprint, "hex"));
  assert.ok(Math.abs(areaKm2(footprint) - row.areaKm2) < 1e-5);
});

test("items of one identifier in different groups, and lines of one identifier, do not meet", async () => {
  const ids = ["group:1", "group:2", "user:1"].map((owner) => registeredSceneId({ ...TARGET, owner }, "one"));
  assert.equal(new Set(ids).size, 3);
  const long = registeredSceneId(TARGET, "é/".repeat(100));
  assert.match(long, /^local\.uploads\.[0-9a-f]{32}$/u);
  assert.notEqual(long, registeredSceneId(TARGET, "é/".repeat(99)));
  const [first = ""] = ids;
  assert.equal(namedSceneId(TARGET, "one"), first);
  assert.equal(namedSceneId(TARGET, first), first);
  const { rows } = await read(item(), item({ properties: { datetime: "2026-06-04T00:00:00Z" } }));
  assert.deepEqual(
    rows.map(({ sceneId, acquiredAt }) => [sceneId, acquiredAt]),
    [[first, "2026-06-04T00:00:00.000Z"]],
  );
});

test("an asset by S3 is accepted where the operator rewrites its bucket, and nowhere else", async () => {
  assert.equal(await reason(item({}, "s3://own/red.tif")), "accepted");
  assert.match(await reason(item({}, "s3://others/red.tif")), /s3: is not http or https/u);
  const alternate = { alternate: { https: { href: "https://cogs.example.com/red.tif" } } };
  const red = { ...(item() as { assets: { red: object } }).assets.red, href: "s3://others/red.tif", ...alternate };
  const { rows } = await read(item({ assets: { red } }));
  assert.deepEqual(Object.keys(parseItem(rows[0]?.item ?? "{}")["assets"] as object), ["red"]);
});

test("hostile lines are refused with their reasons", async () => {
  const star = Array.from({ length: 10_001 }, (_, i) => [Math.cos(i), Math.sin(i)]);
  const expected: readonly (readonly [object | string, RegExp])[] = [
    ["nonsense", /^is no JSON$/u],
    ['{"id": NaN}', /^is no JSON$/u],
    ["[]", /^is no object/u],
    ["null", /^is no object/u],
    [item({ id: "a\u0000b" }), /U\+0000/u],
    [item({ id: "a\u001fb" }), /control characters/u],
    [item({ id: 7 }), /^has no id/u],
    [item({ id: "x".repeat(257) }), /257 characters/u],
    [item({ type: "Point" }), /^is no GeoJSON Feature/u],
    [item({ properties: null }), /^has no properties/u],
    [item({ properties: {} }), /neither datetime nor start_datetime/u],
    [item({ assets: { note: { href: "https://cogs.example.com/a.txt" } } }), /no asset that is a GeoTIFF/u],
    [item({ geometry: { type: "Polygon", coordinates: [star] } }), /10001 positions/u],
    [
      item({
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 1],
              [0, 0],
            ],
          ],
        },
      }),
      /no geometry and no bbox/u,
    ],
    [
      item({
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [0, 91],
              [1, 91],
              [1, 95],
              [0, 91],
            ],
          ],
        },
      }),
      /no geometry/u,
    ],
    [item({ properties: { datetime: "2026-06-03T00:00:00Z", text: "x".repeat(100_000) } }), /100000 characters/u],
    ["x".repeat(1_000_001), /^has 1000001 bytes/u],
    [item({}, "red.tif"), /no absolute address/u],
    [item({}, "https://cogs.example.com.evil.example/red.tif"), /not among those/u],
    [item({}, "http://cogs.example.com/red.tif"), /other schemes or ports/u],
    [item({}, "https://cogs.example.com:8443/red.tif"), /other schemes or ports/u],
    [item({}, "https://u:p@cogs.example.com/red.tif"), /credentials/u],
  ];
  for (const [one, pattern] of expected) assert.match(await reason(one), pattern, JSON.stringify(one).slice(0, 200));
  assert.equal(await reason(Buffer.from([0x7b, 0xff, 0x7d]).toString("latin1")), "is no JSON");
});

test("refused lines are all counted, and the first hundred told", async () => {
  const { refused, refusedCount, rows } = await read(...Array.from({ length: 150 }, () => "x"), "", item());
  assert.deepEqual([refused.length, refusedCount, rows.length, refused[99]?.line], [100, 150, 1, 100]);
});

test("an outline that crosses itself becomes the area that it encloses", async () => {
  const bowtie = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ];
  const { rows, refused } = await read(item({ geometry: { type: "Polygon", coordinates: [bowtie] } }));
  assert.deepEqual(refused, []);
  const footprint = decodeFootprint(Buffer.from(rows[0]?.footprint ?? "", "hex"));
  assert.equal(footprint.coordinates.length, 2);
});
