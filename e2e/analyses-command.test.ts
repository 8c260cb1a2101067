import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

describe("swath analyses", () => {
  const stack = new AsyncDisposableStack();
  let cli: CommandLine;
  let analysisId: string;
  let sceneId: string;

  before(async () => {
    const service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    sceneId = await ingestCoast(demo);
    await demo.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
    const polygon = { type: "Feature", properties: { name: "Coast" }, geometry: COAST_AREA };
    const analysis = { path: "coasts/1", description: "Every spring", polygon };
    ({ analysisId } = (await demo.post("/analytics/analysis/create-or-update", { analysis })).body);
    const add = { analysisId, sceneIds: [sceneId], mapTypes: ["ndvi"], geometry: COAST_AREA };
    assert.equal((await demo.run("/analytics/analysis/add-map-types", add)).status, 200);
  });
  after(() => stack.disposeAsync());

  test("list finds by folder, get shows frames, and both complete IDs afterwards", async () => {
    const listed = await cli.run("analyses", "list", "--path", "^coasts/");
    assert.equal(listed.status, 0, listed.stderr);
    assert.match(listed.stdout, new RegExp(`${analysisId}.*coasts/1.*Coast.*1 frames.*finished`));
    assert.match((await cli.run("analyses", "list", "--path", "^fields/")).stdout, /no analysis/);
    const shown = await cli.run("analyses", "get", analysisId);
    assert.match(shown.stdout, new RegExp(`${sceneId}: ndvi; 0 failed, 0 skipped`));
    assert.equal((await cli.json("analyses", "get", analysisId)).description, "Every spring");
    const completed = await cli.run("__complete", "--", "analyses", "get", "");
    assert.ok(completed.stdout.includes(analysisId), completed.stdout + completed.stderr);
    assert.equal((await cli.run("analyses", "get", "a".repeat(26))).status, 4);
  });

  test("import makes an analysis of an exported file", async () => {
    const out = join(cli.folder, "coast.zip");
    const made = await cli.run("analyses", "export", analysisId, "--out", out);
    assert.equal(made.status, 0, made.stderr);
    assert.match(made.stdout, /coast\.zip: 1 maps/);
    const imported = await cli.json("analyses", "import", out);
    assert.deepEqual([imported.version, imported.unknownScenes, imported.unknownMaps], [1, [], 0]);
    const copy = await cli.json("analyses", "get", imported.analysisId);
    assert.deepEqual([copy.path, Object.keys(copy.analysisFrames[0].results)], ["coasts/1", ["ndvi"]]);
    const { results } = await cli.json("analyses", "list");
    assert.deepEqual(results.length, 2);

    await writeFile(join(cli.folder, "other.zip"), "no zip");
    const refused = await cli.run("analyses", "import", join(cli.folder, "other.zip"));
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, /not a readable zip/);
    assert.equal((await cli.run("analyses", "import", join(cli.folder, "coast.tif"))).status, 2);
  });
});
