import assert from "node:assert/strict";
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { FileSource, PMTiles } from "pmtiles";
import { makeCoastMaps } from "./browser/made-maps.ts";
import { makeOrchard } from "./browser/orchard.ts";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a black-box suite reads whatever JSON arrives
async function documentOf(folder: string): Promise<any> {
  return JSON.parse(await readFile(join(folder, "publication.json"), "utf8"));
}

/** Identifiers of the objects of a file. */
async function objectsOf(folder: string, name: string): Promise<readonly string[]> {
  const { features } = JSON.parse(await readFile(join(folder, name), "utf8"));
  return features.map(({ properties }: { properties: { featureId: string } }) => properties.featureId);
}

describe("swath publish", () => {
  const stack = new AsyncDisposableStack();
  let service: ServiceProcess;
  let cli: CommandLine;
  let demo: RawClient;
  let mapIds: readonly string[];

  before(async () => {
    service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    demo = await new RawClient(service.baseUrl).login(DEMO);
    ({ mapIds } = await makeCoastMaps(service, ["imagery", "ndvi"]));
  });
  after(() => stack.disposeAsync());

  test("maps become a folder with pictures and viewer, without map IDs and addresses of the service", async () => {
    const folder = join(cli.folder, "coast");
    const made = await cli.json("publish", ...mapIds, folder, "--title", "A coast");
    assert.deepEqual([made.maps, made.folder], [2, folder]);
    const { description, maps, title } = await documentOf(folder);
    assert.deepEqual([title, description], ["A coast", ""]);
    assert.deepEqual(
      maps.map(({ mapType, objects, part, picture }: Record<string, unknown>) => [mapType, picture, objects, part]),
      [
        ["imagery", "maps/0001-imagery.pmtiles", null, null],
        ["ndvi", "maps/0002-ndvi.pmtiles", null, null],
      ],
    );
    assert.ok(maps[1].histogram.counts.length > 10 && maps[1].datetimes.length === 1);
    const bytes = await readFile(join(folder, "maps/0002-ndvi.pmtiles"));
    const archive = new PMTiles(new FileSource(new File([bytes], "ndvi.pmtiles")));
    const { maxZoom, minZoom } = await archive.getHeader();
    assert.ok(minZoom < 8 && maxZoom > 10, `zooms ${minZoom} to ${maxZoom}`);

    const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    assert.deepEqual(
      names
        .filter(({ parentPath }) => parentPath === folder)
        .map(({ name }) => name)
        .toSorted(),
      ["index.html", "publication.json"],
    );
    for (const { name, parentPath } of names) {
      const content = await readFile(join(parentPath, name));
      for (const secret of [...mapIds, service.baseUrl, "?sig="]) {
        assert.ok(!content.includes(secret), `${name} holds ${secret}`);
      }
    }
    const page = await readFile(join(folder, "index.html"), "utf8");
    assert.match(page, /http-equiv="content-security-policy" content="default-src 'none'/);
    for (const [, name = ""] of page.matchAll(/(?:href|src)="([^"]+)"/gu)) {
      assert.ok((await lstat(join(folder, name))).isFile(), name);
    }
  });

  test("a folder with files is refused; --replace puts a publication in the place of an earlier one only", async () => {
    const folder = join(cli.folder, "site");
    const outside = join(cli.folder, "outside");
    for (const one of [folder, outside]) await mkdir(one);
    await writeFile(join(folder, "CNAME"), "maps.example");
    await writeFile(join(outside, "kept.txt"), "kept");
    const [mapId = ""] = mapIds;
    const refused = await cli.run("publish", mapId, folder);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /is not empty: name a new one, or replace its publication with --replace/);

    assert.equal((await cli.run("publish", ...mapIds, folder, "--replace")).status, 0);
    // Links in the place of its files lead nowhere: they are replaced, not followed.
    await rm(join(folder, "maps"), { recursive: true });
    await symlink(outside, join(folder, "maps"));
    await rm(join(folder, "index.html"));
    await symlink(join(outside, "kept.txt"), join(folder, "index.html"));
    assert.equal((await cli.run("publish", mapId, folder, "--replace")).status, 0);
    assert.deepEqual(await readdir(outside), ["kept.txt"]);
    assert.equal(await readFile(join(outside, "kept.txt"), "utf8"), "kept");
    assert.deepEqual(await readdir(join(folder, "maps")), ["0001-imagery.pmtiles"]);
    assert.deepEqual((await readdir(folder)).toSorted(), [
      "CNAME",
      "assets",
      "index.html",
      "maps",
      "objects",
      "publication.json",
    ]);

    const foreign = join(cli.folder, "foreign");
    await mkdir(join(foreign, "maps"), { recursive: true });
    const other = await cli.run("publish", mapId, foreign, "--replace");
    assert.equal(other.status, 2);
    assert.match(other.stderr, /has maps, which no publication of Swath made/);
  });

  test("maps beyond the size, texts that are no map, and a missing folder are refused, and leave nothing", async () => {
    const folder = join(cli.folder, "large");
    const bytes = (await cli.json("publish", mapIds[0] ?? "", join(cli.folder, "measured"))).size;
    const maps = Array.from({ length: Math.ceil(1e6 / bytes) + 1 }, () => mapIds[0] ?? "").slice(0, 200);
    if (maps.length * bytes > 1e6) {
      const large = await cli.run("publish", ...maps, folder, "--most-megabytes", "1");
      assert.equal(large.status, 2);
      assert.match(large.stderr, /expected at most 1: raise --most-megabytes/);
      assert.deepEqual(await readdir(folder), []);
    }
    assert.match((await cli.run("publish", "a.b.c", folder)).stderr, /not a map ID/);
    assert.match((await cli.run("publish", folder)).stderr, /expected an analysis or maps, then a folder/);
    assert.equal((await cli.run("publish", "a".repeat(26), folder)).status, 4);
    const many = Array.from({ length: 201 }, () => mapIds[0] ?? "");
    assert.match((await cli.run("publish", ...many, folder)).stderr, /got 201 maps, expected at most 200/);
  });

  test("an analysis keeps hidden what it hides: the objects are absent, and so is the picture that shows them", async () => {
    const { area, sceneId } = await makeOrchard(demo, 6);
    const polygon = { type: "Feature", properties: { name: "Orchard" }, geometry: area };
    const analysis = { description: "Crowns of <b>May</b>", polygon };
    const { analysisId } = (await demo.post("/analytics/analysis/create-or-update", { analysis })).body;
    const add = { analysisId, sceneIds: [sceneId], mapTypes: ["imagery", "trees"], geometry: area };
    assert.equal((await demo.run("/analytics/analysis/add-map-types", add)).status, 200);

    const whole = join(cli.folder, "orchard");
    await cli.json("publish", analysisId, whole);
    const document = await documentOf(whole);
    assert.deepEqual([document.title, document.description], ["Orchard", "Crowns of <b>May</b>"]);
    const trees = document.maps.find((map: { mapType: string }) => map.mapType === "trees");
    assert.match(trees.picture, /trees\.pmtiles$/);
    const [first = "", ...others] = await objectsOf(whole, trees.objects);
    assert.ok(others.length > 10);

    const hidden = { analysisId, analysis: { hiddenFeatures: [first] } };
    assert.equal((await demo.post("/analytics/analysis/create-or-update", hidden)).status, 200);
    await cli.json("publish", analysisId, whole, "--replace");
    const again = (await documentOf(whole)).maps;
    const { objects, picture } = again.find((map: { mapType: string }) => map.mapType === "trees");
    assert.equal(picture, null);
    assert.deepEqual(await objectsOf(whole, objects), others);
    assert.match(again.find((map: { mapType: string }) => map.mapType === "imagery").picture, /imagery\.pmtiles$/);
  });
});
