import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { tileAt } from "../packages/kernel/src/tiles/tile.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient, readJson } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

interface MapLink {
  readonly rel: string;
  readonly href: string;
  readonly title?: string;
  readonly "wmts:layer"?: readonly string[];
}

const EXTENSION = "https://stac-extensions.github.io/web-map-links/v1.2.0/schema.json";
const RELS = ["xyz", "wmts", "tilejson"];
/** Of the map types `imagery` and `ndvi`. */
const TITLES = ["Natural-colour picture", "Normalized Difference Vegetation Index"];

let service: ServiceProcess;
let demo: RawClient;
let sceneId: string;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  sceneId = await ingestCoast(demo);
});
after(() => service[Symbol.asyncDispose]());

async function itemOf(client: RawClient) {
  const collection = sceneId.split(".").slice(0, 2).join(".");
  const answer = await client.get(`/stac/collections/${collection}/items/${sceneId}`);
  assert.equal(answer.status, 200);
  return await readJson(answer);
}

async function mapLinksOf(client: RawClient): Promise<readonly MapLink[]> {
  const { links } = await itemOf(client);
  return links.filter(({ rel }: MapLink) => RELS.includes(rel));
}

async function release(mapTypes: readonly string[]): Promise<void> {
  const { status, body } = await demo.run("/mapsvc/release", { mapTypes, sceneIds: [sceneId], extent: COAST_AREA });
  assert.deepEqual([status, body.failed], [200, []], JSON.stringify(body));
}

test("an item has no links to maps before one is released", async () => {
  assert.deepEqual(await mapLinksOf(demo), []);
  assert.ok(!(await itemOf(demo)).stac_extensions.includes(EXTENSION));
});

test("an item links the maps that its reader has released, and each address works without a token", async () => {
  await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  await release(["imagery", "ndvi"]);
  // The same map again is no second one.
  await release(["imagery"]);
  const links = await mapLinksOf(demo);
  assert.deepEqual(
    links.map(({ rel, title }) => `${rel} ${title?.split(",")[0]}`).toSorted(),
    RELS.flatMap((rel) => TITLES.map((title) => `${rel} ${title}`)).toSorted(),
    JSON.stringify(links),
  );
  assert.ok((await itemOf(demo)).stac_extensions.includes(EXTENSION));
  // The IDs end with their release: to read the item again makes none that lasts longer.
  assert.deepEqual(await mapLinksOf(demo), links);
  for (const { rel, href, "wmts:layer": layers = [] } of links) {
    if (rel === "tilejson") {
      const { minzoom, tiles, center } = await readJson(await fetch(href));
      const xyz = links.find((link) => link.rel === "xyz" && link.href === tiles[0]);
      assert.ok(xyz !== undefined, tiles[0]);
      const [, x, y] = tileAt(center[0], center[1], minzoom);
      const address = xyz.href.replace("{z}", minzoom).replace("{x}", String(x)).replace("{y}", String(y));
      const tile = await fetch(address);
      assert.deepEqual([tile.status, tile.headers.get("content-type")], [200, "image/png"], address);
      await tile.arrayBuffer();
    }
    if (rel === "wmts") {
      const capabilities = await (await fetch(href)).text();
      assert.ok(layers.length > 0);
      for (const layer of layers) assert.ok(capabilities.includes(`<ows:Identifier>${layer}</ows:Identifier>`), layer);
    }
  }
});

test("another reader of the scene gets no link to these maps", async () => {
  const admin = await new RawClient(service.baseUrl).login(ADMIN);
  assert.deepEqual(await mapLinksOf(admin), []);
});

test("an item links the ten newest of its maps", async () => {
  const indices = ["ndwi", "evi", "savi", "gndvi", "msavi", "osavi", "dvi", "sr", "arvi", "vari"];
  await release(indices);
  const links = await mapLinksOf(demo);
  assert.equal(links.length, 10 * RELS.length);
  // The two maps of the first test are older.
  for (const title of TITLES) assert.ok(!links.some((link) => link.title?.startsWith(title)), title);
});
