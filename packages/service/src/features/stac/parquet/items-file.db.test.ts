import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { placeScene } from "../../assets/testing.ts";
import { setPrice } from "../../credits/testing.ts";
import { COLLECTION, sceneOver, stacBench, type StacBench } from "../testing.ts";
import { requireFileSize } from "./items-file.ts";

const PARQUET = "application/vnd.apache.parquet";
const MANY = 2_300;

let bench: StacBench;
let token: string;

before(async () => {
  bench = await stacBench();
  ({ token } = await bench.addUser("lee", ["imagery", "credits"]));
  await setPrice(bench.db, "COPERNICUS/S2_HARMONIZED", 1_000_000n);
  await bench.imagery.insertScenes([
    sceneOver("a", [10, 50, 11, 51], { cloudCover: 0.1, datetime: "2024-06-01 10:00:00", offNadir: 2 }),
    sceneOver("d", [179.5, 0, 180, 1], { datetime: "2024-06-04 10:00:00", relativeOrbitNumberStart: 12 }),
    sceneOver("radar", [10, 50, 11, 51], { dataset: "COPERNICUS/S1_GRD", orbitPass: "ascending", mode: "IW" }),
  ]);
  await setPrice(bench.db, "spot", 0n);
  await placeScene(bench, "held");
  await bench.imagery.insertScenes(
    Array.from({ length: MANY }, (_, n) =>
      sceneOver(`many-${n}`, [n / 100, 0, n / 100 + 0.5, 0.5], {
        dataset: "LANDSAT/LC08/C02/T1",
        cloudCover: n / MANY,
      }),
    ),
  );
});
after(async () => {
  await bench[Symbol.asyncDispose]();
});

interface FileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly file: ArrayBuffer;
}

async function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<FileAnswer> {
  const url = path.startsWith("http") ? path : `${bench.address}/stac${path}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: answer.status, headers: answer.headers, file: await answer.arrayBuffer() };
}

type Row = Readonly<Record<string, unknown>>;

/** Without null members, as an item has none. */
function present(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString().replace(".000Z", "Z");
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null && member !== undefined)
      .map(([name, member]) => [name, present(member)]),
  );
}

function itemOf(row: Row): unknown {
  const { type, stac_version, stac_extensions, id, collection, geometry, bbox, links, assets, ...properties } = row;
  const members = { type, stac_version, stac_extensions, id, collection, geometry, links, assets, properties };
  return present({ ...members, bbox: Object.values(bbox as Row) });
}

async function idsIn(file: ArrayBuffer): Promise<readonly unknown[]> {
  return (await parquetReadObjects({ file, columns: ["id"] })).map(({ id }) => id);
}

test("every item comes back from the file as the search answers it, assets and prices too", async () => {
  const query = `collections=${COLLECTION},ee.COPERNICUS-_S1_GRD,ab.spot&bbox=-180,-90,180,90`;
  const { json } = await bench.get(`/search?${query}`, token);
  assert.equal(json.features.length, 4);
  assert.ok(json.features.some(({ assets }: { assets: object }) => "red" in assets));
  const { file, headers, status } = await ask(`/search?${query}&f=parquet`);
  assert.deepEqual([status, headers.get("content-type"), headers.get("link")], [200, PARQUET, null]);
  const rows = await parquetReadObjects({ file });
  assert.deepEqual(rows.map(itemOf), json.features);
  const { key_value_metadata: metadata = [] } = parquetMetadata(file);
  const geo = JSON.parse(metadata.find(({ key }) => key === "geo")?.value ?? "");
  assert.deepEqual([geo.version, geo.primary_column, geo.columns.geometry.encoding], ["1.1.0", "geometry", "WKB"]);
});

test("a file has all items in the order of the search, in groups", async () => {
  const { json } = await bench.get(
    "/collections/ee.LANDSAT-_LC08-_C02-_T1/items?sortby=-eo:cloud_cover&limit=3",
    token,
  );
  assert.equal(json.numberMatched, MANY);
  const { file } = await ask("/collections/ee.LANDSAT-_LC08-_C02-_T1/items?sortby=-eo:cloud_cover&f=parquet");
  const ids = await idsIn(file);
  assert.equal(new Set(ids).size, MANY);
  assert.deepEqual(
    ids.slice(0, 3),
    json.features.map(({ id }: { id: string }) => id),
  );
  assert.equal(parquetMetadata(file).row_groups.length, 2);
});

test("with a limit, files follow each other by the header Link", async () => {
  const found: unknown[] = [];
  let next: string | undefined = "/collections/ee.LANDSAT-_LC08-_C02-_T1/items?limit=900&f=parquet";
  let files = 0;
  while (next !== undefined) {
    const { file, headers } = await ask(next);
    files += 1;
    found.push(...(await idsIn(file)));
    next = /^<([^>]+)>; rel="next"$/u.exec(headers.get("link") ?? "")?.[1];
  }
  assert.deepEqual([files, found.length, new Set(found).size], [3, MANY, MANY]);
});

test("the header Accept asks for a file, too, and the parameter decides before it", async () => {
  const accept = { accept: `text/html;q=0.1, ${PARQUET}` };
  assert.equal((await ask("/search?limit=1", accept)).headers.get("content-type"), PARQUET);
  assert.equal((await ask("/search?limit=1&f=json", accept)).headers.get("content-type"), "application/geo+json");
});

test("a search that finds nothing is a file without rows", async () => {
  const { file, status } = await ask("/search?ids=none&f=parquet");
  assert.deepEqual([status, Number(parquetMetadata(file).num_rows)], [200, 0]);
});

test("fields, conditions that cannot be read, and callers without rights are refused before the file", async () => {
  assert.equal((await ask("/search?f=parquet&fields=id")).status, 400);
  assert.equal((await ask("/search?f=parquet&filter=nothing=1")).status, 400);
  assert.equal((await ask("/collections/none/items?f=parquet")).status, 404);
  assert.equal((await fetch(`${bench.address}/stac/search?f=parquet`)).status, 401);
});

test("more items than a file has are refused, unless the request names a limit", () => {
  requireFileSize(100_000);
  assert.throws(() => requireFileSize(100_001), { code: "BAD-REQUEST" });
});
