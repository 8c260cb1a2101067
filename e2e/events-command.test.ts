import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

interface Listed {
  readonly position: number;
  readonly type: string;
  readonly subject: string;
}

describe("swath events", () => {
  const stack = new AsyncDisposableStack();
  let cli: CommandLine;
  let demo: RawClient;
  let sceneId: string;

  before(async () => {
    const service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    demo = await new RawClient(service.baseUrl).login(DEMO);
    sceneId = await ingestCoast(demo);
    // Events get their place after the transaction that records them.
    await following("--after", "0", "--type", "scene.ingested", "--limit", "1");
    await following("--after", "0", "--type", "pipeline.resolved", "--limit", "1");
  });
  after(() => stack.disposeAsync());

  async function following(...options: string[]): Promise<readonly Listed[]> {
    const { status, stdout, stderr } = await cli.run("--json", "events", "follow", ...options);
    assert.equal(status, 0, stderr);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Listed);
  }

  test("list chooses by type and subject, and goes on behind a position", async () => {
    const all: readonly Listed[] = (await cli.json("events", "list")).results;
    const ofScene = await cli.json("events", "list", "--subject", `scene:${sceneId}`);
    assert.deepEqual(
      ofScene.results.map(({ type }: Listed) => type),
      ["scene.ingested"],
    );
    const ofType = await cli.json("events", "list", "--type", "scene.ingested", "pipeline.failed");
    assert.deepEqual(ofType.results, ofScene.results);
    const first = await cli.json("events", "list", "--limit", "1");
    assert.deepEqual([first.results, first.cursor], [all.slice(0, 1), all[0]?.position]);
    const rest = await cli.json("events", "list", "--after", String(first.cursor));
    assert.deepEqual(rest.results, all.slice(1));
    const shown = await cli.run("events", "list", "--type", "scene.ingested");
    assert.match(shown.stdout, new RegExp(`^\\d+ +\\d{4}-\\S+ \\S+ +scene.ingested +scene:${sceneId}`));
    assert.match(shown.stderr, /go on with --after \d+/);
  });

  test("an unknown type is wrong usage, an unknown subject has no events", async () => {
    assert.equal((await cli.run("events", "list", "--type", "scene.lost")).status, 2);
    assert.match((await cli.run("events", "list", "--subject", "scene:none")).stdout, /^no event$/m);
  });

  test("follow prints a line of JSON for each event as it comes, and skips none behind a position", async () => {
    const all: readonly Listed[] = (await cli.json("events", "list")).results;
    assert.deepEqual(await following("--after", "0", "--limit", String(all.length)), all);
    const last = all.at(-1)!.position;
    const waiting = following("--after", String(last), "--type", "pipeline.resolved", "--limit", "1");
    await ingestCoast(demo);
    const came = await waiting;
    const kept = await cli.json(
      "events",
      "list",
      "--after",
      String(last),
      "--type",
      "pipeline.resolved",
      "--limit",
      "1",
    );
    assert.deepEqual([came, came[0]!.position > last], [kept.results, true]);
  });
});
