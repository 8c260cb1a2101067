import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { parquetWriteFile } from "hyparquet-writer";
import { item, itemFiles, ITEMS, type ItemFiles } from "./items-journey.ts";
import { RawClient, readJson } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";
import { swath, swathDone } from "./swath-command.ts";

describe("swath stac import", () => {
  const stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "swath-stac-import-"));
  let files: ItemFiles;
  let service: ServiceProcess;
  let demo: RawClient;
  let base: string;

  before(async () => {
    files = stack.use(await itemFiles());
    base = `${files.server.url}/scene/`;
    service = stack.use(await ServiceProcess.start({ SWATH_CATALOG: files.catalogue }));
    demo = await new RawClient(service.baseUrl).login(DEMO);
  });
  after(async () => {
    await stack.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, content: unknown): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
    return path;
  }

  async function imported(...args: readonly string[]) {
    const { created, replaced, unchanged, refused } = (await swathDone(service, "stac", "import", ...args, "--json"))
      .json;
    return { created, replaced, unchanged, refused };
  }

  async function cloudOf(id: string): Promise<number> {
    const answer = await demo.get(`${ITEMS}/${encodeURIComponent(id)}`);
    assert.equal(answer.status, 200, id);
    return (await readJson(answer)).properties["eo:cloud_cover"];
  }

  test("lines of JSON are registered, refused lines counted with reasons, and a repetition changes nothing", async () => {
    const lines = [item("l1", base), item("l2", base), item("l3", "https://other.example/")].map((one) =>
      JSON.stringify(one),
    );
    const path = write("items.ndjson", `${lines.join("\n")}\nbroken`);
    assert.deepEqual(await imported(path), { created: 2, replaced: 0, unchanged: 0, refused: 2 });
    assert.deepEqual(await imported(path), { created: 0, replaced: 0, unchanged: 2, refused: 2 });
    const { stdout } = await swathDone(service, "stac", "import", path);
    assert.match(stdout, /0 created, 0 replaced, 2 unchanged, 2 refused/u);
    assert.match(stdout, /line 3 l3: https:\/\/other\.example\/blue\.tif may not be asked/u);
    assert.match(stdout, /line 4: is no JSON/u);
  });

  test("an item collection is read in pieces, whatever its texts contain", async () => {
    const features = [
      item("c1", base, { note: 'a "quoted" } { ] text \\' }),
      item("c2", base, { note: "ž".repeat(50_000) }),
    ];
    const path = write("collection.json", { type: "FeatureCollection", numberMatched: 2, features, links: [] });
    assert.deepEqual(await imported(path), { created: 2, replaced: 0, unchanged: 0, refused: 0 });
    const cut = write("cut.json", JSON.stringify({ type: "FeatureCollection", features }).slice(0, -500));
    assert.equal((await swath(service, "stac", "import", cut)).status, 2);
  });

  test("a static catalogue is walked by its links, and --base places its files", async () => {
    write("catalog/a/one.json", item("s1", "../../scene/"));
    write("catalog/b/two.json", item("s2", "../../scene/"));
    write("catalog/b/collection.json", { type: "Collection", links: [{ rel: "item", href: "./two.json" }] });
    const links = [
      { rel: "item", href: "./a/one.json" },
      { rel: "child", href: "b/collection.json" },
      { rel: "child", href: "../outside.json" },
      { rel: "child", href: "https://other.example/catalog.json" },
      { rel: "child", href: "./catalog.json" },
    ];
    write("outside.json", item("outside", "../../scene/"));
    write("catalog/catalog.json", { type: "Catalog", links });
    const at = `${files.server.url}/catalog/`;
    assert.deepEqual(await imported(join(folder, "catalog"), "--base", at), {
      created: 2,
      replaced: 0,
      unchanged: 0,
      refused: 0,
    });
    assert.equal(await cloudOf("s2"), 4);
    const unplaced = await swath(service, "stac", "import", join(folder, "catalog", "catalog.json"));
    assert.match(unplaced.stdout, /2 refused/u);
    assert.equal(unplaced.status, 1, "nothing was registered");
  });

  test("STAC-GeoParquet is read back as items", async () => {
    const items = [item("p1", base, { "eo:cloud_cover": 12 }), item("p2", base, { "eo:cloud_cover": 34 })];
    const path = join(folder, "items.parquet");
    parquetWriteFile({
      filename: path,
      columnData: [
        { name: "id", data: items.map(({ id }) => id), type: "STRING" },
        { name: "geometry", data: items.map(({ geometry }) => geometry), type: "GEOMETRY" },
        { name: "datetime", data: items.map(({ properties }) => new Date(properties.datetime)), type: "TIMESTAMP" },
        { name: "platform", data: items.map(({ properties }) => properties.platform), type: "STRING" },
        { name: "eo:cloud_cover", data: [12, 34], type: "DOUBLE" },
        { name: "assets", data: items.map(({ assets }) => assets), type: "JSON" },
      ],
    });
    assert.deepEqual(await imported(path), { created: 2, replaced: 0, unchanged: 0, refused: 0 });
    assert.deepEqual([await cloudOf("p1"), await cloudOf("p2")], [12, 34]);
  });

  test("what is no source of items is refused before anything is sent", async () => {
    const wrong = [
      [join(folder, "none.json")],
      [write("scene.tif", "II")],
      [mkdtempSync(join(folder, "empty-"))],
      [join(folder, "items.ndjson"), "--dataset", "uploads"],
      [join(folder, "items.ndjson"), "--base", "here"],
    ];
    for (const args of wrong) {
      assert.equal((await swath(service, "stac", "import", ...args)).status, 2, args.join(" "));
    }
    const other = ["--dataset", "ee/absent"];
    assert.equal((await swath(service, "stac", "import", join(folder, "items.ndjson"), ...other)).status, 4);
  });
});
