import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { openCommandLine, type CommandLine } from "./cli-runner.ts";
import { COAST_AREA } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const project = "crops";
const series = { algorithm: "ndvi_mean", source: "sentinel_2" };

describe("swath datacube", () => {
  const stack = new AsyncDisposableStack();
  let cli: CommandLine;

  before(async () => {
    const service = stack.use(await ServiceProcess.start());
    cli = stack.use(await openCommandLine(service, DEMO));
    const demo = await new RawClient(service.baseUrl).login(DEMO);
    const requests = [
      ["project/create-or-update", { project }],
      ["aois/create-or-update", { project, aois: [{ aoiId: "north", geometry: COAST_AREA }] }],
      [
        "datapoints/append",
        {
          project,
          datapoints: [
            { ...series, aoiId: "north", startDatetime: "2024-05-01", value: 0.25 },
            { ...series, aoiId: "north", startDatetime: "2024-05-11", value: 0.5 },
            { ...series, aoiId: "north", startDatetime: "2024-05-11", value: 0.75, version: "2" },
            { ...series, aoiId: "north", startDatetime: "2024-06-01", value: 0.125, sceneId: "local.uploads.a" },
          ],
        },
      ],
    ] as const;
    for (const [path, body] of requests) assert.equal((await demo.post(`/datacube/${path}`, body)).status, 200, path);
  });
  after(() => stack.disposeAsync());

  test("list shows series, and says when there are none", async () => {
    const listed = await cli.run("datacube", "list", "--project", project);
    assert.equal(listed.status, 0, listed.stderr);
    assert.match(listed.stdout, /crops +ndvi_mean +sentinel_2 +ratio +1 +4 +2024-05-01 00:00:00 +2024-06-01 00:00:00/);
    assert.match((await cli.run("datacube", "list", "--algorithm", "other")).stdout, /no series that you may read/);
  });

  test("series shows the latest values, all versions, and the mean of months", async () => {
    const values = async (...options: string[]): Promise<unknown> =>
      (await cli.json("datacube", "series", project, ...options)).results.map(({ value }: { value: number }) => value);
    assert.deepEqual(await values(), [0.25, 0.75, 0.125]);
    assert.deepEqual(await values("--versions", "all", "--to", "2024-05-31"), [0.25, 0.75, 0.5]);
    assert.deepEqual(await values("--interval", "month"), [0.5, 0.125]);
    assert.deepEqual(await values("--interval", "month", "--statistic", "max", "--all-areas"), [0.75, 0.125]);
    assert.deepEqual(await values("--area", "north", "--algorithm", "ndvi_mean", "--limit", "1"), [0.25]);
    const { asOf } = await cli.json("datacube", "series", project);
    assert.deepEqual(await values("--as-of", asOf), [0.25, 0.75, 0.125]);
    assert.deepEqual(await values("--as-of", "2024-07-01"), []);
    const table = await cli.run("datacube", "series", project, "--limit", "2");
    assert.match(table.stdout, /north +ndvi_mean +sentinel_2 +2024-05-11 00:00:00 .* 0\.7500 +ratio +2/);
    assert.match(table.stdout, /more than 2 datapoints: raise --limit/);
  });

  test("series draws a chart", async () => {
    const chart = join(cli.folder, "out", "crops.svg");
    const { files } = await cli.json("datacube", "series", project, "--chart", chart);
    assert.deepEqual(files, [chart]);
    assert.match(await readFile(chart, "utf8"), /^<svg .*ndvi_mean/s);
  });

  test("a statistic without an interval, and a time that is none, are wrong usage", async () => {
    assert.equal((await cli.run("datacube", "series", project, "--statistic", "max")).status, 2);
    assert.equal((await cli.run("datacube", "series", project, "--from", "May")).status, 2);
    assert.equal((await cli.run("datacube", "export", project, "--out", "crops.xls")).status, 2);
  });

  test("export writes CSV and Parquet", async () => {
    const csv = join(cli.folder, "crops.csv");
    const made = await cli.run("datacube", "export", project, "--out", csv);
    assert.equal(made.status, 0, made.stderr);
    assert.match(made.stdout, /crops\.csv: 3 datapoints as of /);
    const lines = (await readFile(csv, "utf8")).trimEnd().split("\r\n");
    assert.deepEqual([lines.length, lines[0]?.split(",").includes("sceneId")], [4, true]);
    const parquet = join(cli.folder, "crops.parquet");
    const { count, size } = await cli.json("datacube", "export", project, "--out", parquet, "--versions", "all");
    const bytes = await readFile(parquet);
    assert.deepEqual([count, size, bytes.subarray(-4).toString("latin1")], [4, bytes.length, "PAR1"]);
  });
});
