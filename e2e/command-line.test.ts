import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

/* Commands of docs/cli.md, run against the real service. */

/** The first tile of a map, as a viewer of maps fetches it. */
async function tileOf({ baseUrl }: ServiceProcess, map: { mapId: string; mapType: string; tiles: number[][] }) {
  const [tile = []] = map.tiles;
  const answer = await fetch(`${baseUrl}/mapsvc/grid/${map.mapId}/-/${tile.join("/")}/${map.mapType}.png`);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()).toString("base64") };
}

describe("the command line of an analyst", () => {
  const stack = new AsyncDisposableStack();
  let service: ServiceProcess;
  let cli: CommandLine;
  let file: string;

  before(async () => {
    service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    file = join(cli.folder, "coast.tif");
    await writeFile(file, coastGeotiff());
  });
  after(() => stack.disposeAsync());

  test("ingest asks for the time of a file that does not state it", async () => {
    const { status, stdout, stderr } = await cli.run("ingest", file);
    assert.deepEqual([status, stdout], [2, ""]);
    assert.match(stderr, /ACQUISITION-TIME-UNKNOWN/);
    assert.match(stderr, /--datetime/);
    assert.match(stderr, /--time-unknown/);
  });

  test("ingest says what it understood and what it did not", async () => {
    const { status, stdout } = await cli.run("ingest", file, "--datetime", "2026-06-03T11:24:36Z");
    assert.equal(status, 0);
    assert.match(stdout, /^local\.uploads\.\w+ {2}.*coast\.tif\n {2}time {3}2026-06-03 11:24:36 UTC, from the scene/);
    assert.match(stdout, /place {2}[-\d.,]+, [\d.]+ km2, EPSG:\d+/);
    assert.match(stdout, /bands {2}Blue \(B\), Green \(G\), Red \(R\), NIR \(N\)/);
    assert.match(stdout, /warning: Nothing states the satellite/);
  });

  test("ingest --time-unknown accepts the time of ingest, and says so", async () => {
    const { status, stdout } = await cli.run("ingest", file, "--time-unknown");
    assert.equal(status, 0);
    assert.match(stdout, /UTC, unknown: this is the time of ingest/);
    assert.match(stdout, /warning: Nothing states when the image was taken/);
  });

  test("scenes edit gives a scene its bands; maps of before stay, deletion leaves them readable, restore takes it back", async () => {
    const [{ sceneId }] = (await cli.json("ingest", file, "--datetime", "2026-06-03T11:24:36Z")).ingestedScenes;
    const listed = await cli.run("scenes", "list");
    assert.ok(listed.stdout.includes(sceneId), listed.stdout);
    const released = await cli.json("release", sceneId, "--types", "ndvi", "--allocate");
    const tile = await tileOf(service, released.maps[0]);
    assert.equal(tile.status, 200);

    // Red and near infrared the other way round: the index changes its sign.
    const edited = await cli.run(
      "scenes",
      "edit",
      sceneId,
      "--bands",
      "blue,green,nir,red",
      "--satellite",
      "TESTSAT-1",
    );
    assert.equal(edited.status, 0, edited.stderr);
    assert.match(edited.stdout, /bands {2}Blue \(B\), Green \(G\), NIR \(N\), Red \(R\)/);
    assert.match(edited.stdout, /sensor TESTSAT-1/);
    assert.match((await cli.run("scenes", "info", sceneId)).stdout, /seen by group, ingested .* UTC, 1 edits/);
    assert.deepEqual(await tileOf(service, released.maps[0]), tile, "the map of before is as it was");
    const again = await cli.json("release", sceneId, "--types", "ndvi");
    assert.notEqual(again.maps[0].mapId, released.maps[0].mapId);
    assert.notDeepEqual((await tileOf(service, again.maps[0])).bytes, tile.bytes, "a new map has the new bands");

    const deleted = await cli.run("scenes", "delete", sceneId);
    assert.match(deleted.stdout, /swath scenes restore local\.uploads\.\w+ takes it back until/);
    assert.ok(!(await cli.run("scenes", "list")).stdout.includes(sceneId));
    assert.ok((await cli.run("scenes", "list", "--deleted")).stdout.includes(sceneId));
    assert.deepEqual(await tileOf(service, released.maps[0]), tile, "a released map works on");
    // The group has paid for the area of the scene.
    assert.equal((await cli.run("release", sceneId, "--types", "imagery")).status, 0);
    assert.match((await cli.run("scenes", "restore", sceneId)).stdout, /restored/);
    assert.ok((await cli.run("scenes", "list")).stdout.includes(sceneId));
    assert.match((await cli.run("scenes", "list", "--deleted")).stdout, /no scene: your group has deleted none/);
  });

  test("search looks in every dataset that the user may search, and says why it found nothing", async () => {
    const [{ sceneId, understood }] = (await cli.json("ingest", file, "--datetime", "2026-06-03T11:24:36Z"))
      .ingestedScenes;
    const [west, south, east, north] = understood.bounds;
    const extent = [west, south, east, north].join(",");
    const found = await cli.run(
      "search",
      "--extent",
      extent,
      "--from",
      "2026-06-01",
      "--to",
      "2026-06-30",
      "--limit",
      "2000",
    );
    assert.equal(found.status, 0, found.stderr);
    assert.ok(found.stdout.includes(sceneId), "the scene of the group");
    assert.match(found.stdout, /ee\./, "and scenes of catalogues");
    assert.match(found.stderr, /must be searched alone with --dataset: .*ee\/JAXA/);
    assert.match(found.stderr, /at least half of the area; --min-intersection 0 finds all/);

    const wide = [west - 1, south - 1, east + 1, north + 1].join(",");
    const local = [
      "search",
      "--dataset",
      "local/uploads",
      "--extent",
      wide,
      "--from",
      "2026-06-03",
      "--to",
      "2026-06-04",
    ];
    const half = await cli.run(...local);
    assert.deepEqual(
      [half.status, half.stdout.split("\n")[0]],
      [0, "no scene found in the dataset: 1 scene covers less than half of the area"],
    );
    assert.match(half.stdout, /--min-intersection 0 finds every scene that meets the area/);
    assert.ok((await cli.run(...local, "--min-intersection", "0")).stdout.includes(sceneId));
    const early = await cli.run("search", "--dataset", "local/uploads", "--extent", extent, "--to", "2020-01-01");
    assert.match(early.stdout, /meets? the area at other times, the newest on 20\d\d-\d\d-\d\d\n {2}change --from/);
    assert.match((await cli.run("search", "--help")).stdout, /--min-intersection.*0\.5\s+if absent/s);
    const bad = await cli.run("search", "--extent", "1,2,3");
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /--extent is "1,2,3", expected four numbers/);
    const misspelt = await cli.run("search", "--extent", extent, "--dataset", "local/upload");
    assert.equal(misspelt.status, 2);
    assert.match(misspelt.stderr, /did you mean local\/uploads\?/);
  });
});
