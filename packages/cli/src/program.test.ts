import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "./program.ts";

/** Runs the command line in this process, with nothing of this machine's settings. */
async function swath(...args: readonly string[]) {
  let stdout = "";
  let stderr = "";
  const status = await run(args, {
    out: { write: (text) => (stdout += text) },
    err: { write: (text) => (stderr += text) },
    variables: { SWATH_CONFIG_HOME: join(import.meta.dirname, "no-such-folder") },
  });
  return { status, stdout, stderr };
}

test("the launcher runs as a program of its own", () => {
  const launcher = join(import.meta.dirname, "..", "bin", "swath.js");
  const { status, stdout } = spawnSync(process.execPath, [launcher, "--version"], { encoding: "utf8" });
  assert.equal(status, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  assert.equal(spawnSync(process.execPath, [launcher, "fly"]).status, 2);
});

test("help and version are successes on standard output", async () => {
  const help = await swath("--help");
  assert.equal(help.status, 0);
  for (const command of [
    "serve",
    "login",
    "ingest",
    "search",
    "release",
    "tiles",
    "export",
    "point",
    "reproduce",
    "timelapse",
    "stats",
    "series",
    "demo",
    "walk",
  ]) {
    assert.match(help.stdout, new RegExp(`^  ${command} `, "m"));
  }
  assert.match((await swath("--version")).stdout, /^\d+\.\d+\.\d+\n$/);
});

test("wrong usage ends with 2 and says what is expected", async () => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [["fly"], /unknown command/],
    [["search"], /--extent/],
    [["search", "--extent", "5,4,3,2", "--token", "t"], /south/],
    [["search", "--extent", "1,2,3,4", "--limit", "0"], /from 1 to 10000/],
    [["search", "--extent", "1,2,3,4", "--dataset", "uploads", "--token", "t"], /provider\/dataset/],
    [["search", "--extent", "1,2,3,4", "--from", "soon", "--token", "t"], /--from/],
    [["ingest"], /files/],
    [["ingest", "/nowhere.tif", "--token", "t"], /no file/],
    [["ingest", "/nowhere.jpg", "--token", "t"], /neither a GeoTIFF/],
    [["release", "scene", "--types", "a,,b", "--token", "t"], /--types/],
    [["tiles", "not-a-map"], /not a map ID/],
    [["export", "not-a-map", "--token", "t"], /not a map ID/],
    [["export", "m", "--format", "tiff"], /geotiff, cog, png, geojson, shz, pdf/],
    [["export", "m", "--grid", "utm"], /native, web/],
    [["timelapse", "m", "--out", "a.png", "--token", "t"], /\.webp or \.gif/],
    [["timelapse", "--out", "a.gif", "--token", "t"], /--area/],
    [["timelapse", "--area", "1,2,3,4", "--out", "a.gif", "--token", "t"], /--dataset/],
    [["stats", "--dataset", "ee/x"], /--area/],
    [["stats", "--area", "1,2,3,4", "--token", "t"], /either --scenes or the scenes of --dataset/],
    [["stats", "--area", "1,2,3,4", "--scenes", "a", "--dataset", "ee/x", "--token", "t"], /give one of both/],
    [["series", "--dataset", "ee/x"], /--area/],
    [["series", "--area", "1,2,3,4"], /--dataset/],
    [["series", "--area", "1,2,3", "--dataset", "ee/x", "--token", "t"], /--area/],
  ];
  for (const [args, message] of wrong) {
    const { status, stderr } = await swath(...args);
    assert.equal(status, 2, `${args.join(" ")}: ${stderr}`);
    assert.match(stderr, message);
  }
});

test("not being signed in ends with 3, a service that does not answer with 6", async () => {
  assert.equal((await swath("search", "--extent", "1,2,3,4")).status, 3);
  const { status, stderr } = await swath(
    "search",
    "--extent",
    "1,2,3,4",
    "--token",
    "t",
    "--url",
    "http://127.0.0.1:9",
  );
  assert.equal(status, 6, stderr);
  // The service names the issuer, before anything is asked of the user.
  assert.equal((await swath("login", "--url", "http://127.0.0.1:9")).status, 6);
  assert.match(stderr, /does not answer/);
});

test("with --json the error is one JSON document", async () => {
  const { status, stdout, stderr } = await swath("search", "--extent", "1,2,3,4", "--json");
  assert.equal(status, 3);
  assert.equal(stdout, "");
  assert.match(JSON.parse(stderr).errorMessage, /not signed in/);
});
