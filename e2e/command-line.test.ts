import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { RawClient } from "./raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "./service-process.ts";

/* Commands of docs/cli.md, run against the real service. */

/** Test files by their text: some run the commands which this one does not. */
async function otherSuites(): Promise<readonly string[]> {
  const root = join(import.meta.dirname, "..");
  const files = globSync(["e2e/**/*.ts", "packages/{cli,service}/src/**/*.test.ts"], { cwd: root });
  return await Promise.all(
    files.filter((file) => !file.endsWith("command-line.test.ts")).map((file) => readFile(join(root, file), "utf8")),
  );
}

/** A user who may do everything but search, download and release. */
async function userWithout({ baseUrl }: ServiceProcess): Promise<{ email: string; password: string }> {
  const admin = await new RawClient(baseUrl).login(ADMIN);
  const user = { email: "poor@swath.example", password: "no imagery but many words" };
  const permissions = ["imagery.availability", "ingest-scene", "mapsvc.release"];
  const { body: organization } = await admin.post("/organization/create", { name: "poor" });
  const group = { organizationId: organization.id, name: "poor", permissions };
  const created = await admin.post("/group/create", group);
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const answer = await admin.post("/user/organization/create-user", {
    ...user,
    name: "Poor",
    groupId: created.body.id,
    isManager: false,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return user;
}

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

  test("maps have short names, and a misspelt one is answered with the name that was meant", async () => {
    const [{ sceneId }] = (await cli.json("ingest", file, "--datetime", "2026-06-03T11:24:36Z")).ingestedScenes;
    const released = await cli.run("release", sceneId, "--types", "imagery,ndvi", "--allocate");
    assert.match(released.stdout, /^imagery .* @imagery .*\nndvi .* @ndvi /);
    const out = join(cli.folder, "tiles");
    const tiles = await cli.json("tiles", "@ndvi", "--only-picture", "--out", out);
    assert.equal(tiles.picture, join(out, "ndvi.png"));
    assert.equal(
      (await cli.json("tiles", "@imagery", "--only-picture", "--out", out)).picture,
      join(out, "truecolor.png"),
    );
    assert.equal((await cli.json("export", "@last", "--out", cli.folder)).grid, "native");
    const misspelt = await cli.run("tiles", "@ndvy");
    assert.equal(misspelt.status, 2);
    assert.match(misspelt.stderr, /did you mean @ndvi\?/);
    const completed = await cli.json("__complete", "--", "export", "@");
    assert.deepEqual(completed.map(({ value }: { value: string }) => value).slice(0, 1), ["@last"]);
    assert.ok(
      (await cli.json("__complete", "--", "release", "")).some(({ value }: { value: string }) => value === sceneId),
    );
  });

  test("types, datasets and credits list what the user may use, and suggest names", async () => {
    const types = await cli.run("types", "--dataset", "local/uploads", "--group", "vegetation");
    assert.match(types.stdout, /^ndvi +vegetation +1 scene/m);
    assert.match((await cli.run("types")).stdout, /^imagery /m);
    const datasets = await cli.run("datasets", "--type", "optical");
    assert.match(datasets.stdout, /^dataset +name +type +resolution/);
    assert.match(datasets.stdout, /^local\/uploads .* ingested only|^local\/uploads .* catalogue/m);
    assert.doesNotMatch(datasets.stdout, /sar-grd/);
    assert.match((await cli.run("credits")).stdout, /^[\d.]+ credits left, [\d.]+ spent by demo@swath\.example/);
    const [{ sceneId }] = (await cli.json("scenes", "list", "--limit", "1")).results;
    for (const [line, meant] of [
      [["release", sceneId, "--types", "ndvy"], "ndvi"],
      [["serch"], "search"],
      [["scenes", "lst"], "list"],
      [["types", "--grup", "x"], "--group"],
      [["demo", "--dataset", "PSSceen"], "PSScene"],
    ] as const) {
      const { status, stderr } = await cli.run(...line);
      assert.equal(status, 2, `${line.join(" ")}: ${stderr}`);
      assert.match(stderr, new RegExp(`[Dd]id you mean ${meant}\\?`), line.join(" "));
    }
  });

  test("a user without rights to imagery reads why lists are empty", async () => {
    await using poor = await openCommandLine(service, await userWithout(service));
    const datasets = await poor.run("datasets");
    assert.deepEqual([datasets.status, datasets.stdout.split(":")[0]], [0, "no dataset that you may search"]);
    assert.equal((await poor.run("search", "--extent", "1,2,3,4")).status, 3);
    assert.match((await poor.run("types")).stdout, /^no map type: ask your administrator/);
    assert.match(
      (await poor.run("scenes", "list")).stdout,
      /^no scene: your group has ingested none; swath ingest FILE/,
    );
    const none = await poor.run("tiles", "@last");
    assert.equal(none.status, 2);
    assert.match(none.stderr, /release one first/);
  });

  test("every command of the page is run by a test", async () => {
    assert.equal((await cli.run("login")).status, 0);
    assert.match((await cli.run("completion", "bash")).stdout, /complete -o default -F _swath swath/);
    const demo = await cli.run("demo", "--seed", "5", "--types", "imagery", "--out", join(cli.folder, "demo"));
    assert.equal(demo.status, 0, demo.stderr);
    const walk = await cli.run("walk", "--dataset", "newsat");
    assert.match(walk.stdout, /walk \d+ passed, 0 failed/, walk.stderr);
    const page = await readFile(join(import.meta.dirname, "..", "docs", "cli.md"), "utf8");
    // The table of all commands; others of the page go into detail.
    const rows = page
      .slice(0, page.indexOf("`AREA` is"))
      .split("\n")
      .filter((line) => /^\| `[a-z]/.test(line));
    const commands = rows.flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([a-z-]+(?: [a-z][a-z-]*)?)/g)]);
    assert.ok(commands.length > 20, `${commands.length} commands`);
    const suites = await otherSuites();
    for (const [, command = ""] of commands) {
      const isRun = cli.lines.some((line) => line === command || line.startsWith(`${command} `));
      const words = command.split(" ");
      const named = new RegExp(`\\b${words.join('(?: |", ?")')}\\b`);
      assert.ok(isRun || suites.some((suite) => named.test(suite)), `no test runs swath ${command}`);
    }
  });
});
