import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { coastGeotiff } from "./make-geotiff.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

/* Commands of docs/cli.md, run against the real service. */

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
});
