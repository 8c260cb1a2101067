import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { rememberForUser, rememberNames } from "../memory.ts";

/* The scripts in real shells: a program `swath` in the path, and names that earlier commands remembered. */

const MAIN = join(import.meta.dirname, "..", "main.ts");
const URL = "http://127.0.0.1:8080";
const USER = "kim@example.org";
const hasShell = (name: string): boolean => spawnSync(name, ["--version"]).status === 0;

let folder: string;
let environment: NodeJS.ProcessEnv;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-completion-"));
  const program = join(folder, "swath");
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  await chmod(program, 0o755);
  await rememberNames(folder, URL, { datasets: ["ee/COPERNICUS/S2_HARMONIZED"], types: ["imagery", "ndvi", "ndwi"] });
  await rememberForUser(folder, { url: URL, user: USER }, { maps: [{ mapId: "M1", mapType: "ndvi" }], scenes: ["s1"] });
  environment = {
    PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
    HOME: folder,
    TERM: "dumb",
    SWATH_CONFIG_HOME: folder,
    SWATH_EMAIL: USER,
  };
});
after(() => rm(folder, { recursive: true, force: true }));

/** Types into a shell on a terminal; each step is sent when the output of the step before it has appeared. */
async function type(shell: string, steps: readonly (readonly [send: string, expected: string])[]): Promise<void> {
  const child = spawn("script", ["-qec", shell, "/dev/null"], { env: environment });
  let output = "";
  const appeared = (expected: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const at = output.indexOf(expected);
        if (at < 0) return;
        output = output.slice(at + expected.length);
        child.stdout.off("data", look);
        resolve();
      };
      child.stdout.on("data", look);
      child.once("exit", () => reject(new Error(`the shell ended before ${expected}: ${output}`)));
      look();
    });
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    output += chunk;
  });
  try {
    for (const [send, expected] of steps) {
      child.stdin.write(send);
      await appeared(expected);
    }
  } finally {
    child.kill("SIGKILL");
  }
}

test("bash completes commands, options, values, and names that earlier commands remembered", () => {
  const script = `
    eval "$(swath completion bash)"
    try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _swath; (IFS=' '; echo "\${COMPREPLY[*]}"); }
    try swath sea
    try swath scenes re
    try swath search --min
    try swath export @ndvi --format geo
    try swath tiles @
    try swath release s
    try swath release s1 --types ndvi,ndw
    try swath search --dataset ee
    try swath ingest scene`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { env: environment, encoding: "utf8" });
  assert.deepEqual(
    stdout.split("\n").map((line) => line.trim()),
    [
      "search",
      "restore",
      "--min-intersection",
      "geotiff geojson geoparquet",
      "@last @ndvi",
      "s1",
      "ndvi,ndwi",
      "ee/COPERNICUS/S2_HARMONIZED",
      "",
      "",
    ],
    stderr,
  );
});

test("the key Tab completes in a bash on a terminal, short names of maps included", async (t) => {
  if (!hasShell("script")) return t.skip("the program script is absent");
  await type("bash --norc -i", [
    [`eval "$(swath completion bash)"; echo READ''Y\n`, "READY"],
    ["swath tiles @la\t", "@last"],
    ["\u0015swath sea\t", "search"],
  ]);
});

test("the key Tab completes in a zsh on a terminal", async (t) => {
  if (!hasShell("script") || !hasShell("zsh")) return t.skip("zsh or script is absent");
  await type("zsh -f -i", [
    [`autoload -U compinit; compinit -u -D; eval "$(swath completion zsh)"; echo READ''Y\n`, "READY"],
    ["swath tiles @la\t", "@last"],
    ["\u0015swath sea\t", "search"],
    ["\u0015swath scenes \t", "take a deletion back"],
  ]);
});

test("fish completes with descriptions", (t) => {
  if (!hasShell("fish")) return t.skip("fish is absent");
  const script = `swath completion fish | source; complete -C "swath sea"; complete -C "swath tiles @l"`;
  const { stdout } = spawnSync("fish", ["-N", "-c", script], { env: environment, encoding: "utf8" });
  assert.deepEqual(stdout.trim().split("\n"), ["search\tfind scenes that cover an area", "@last\tthe latest map"]);
});
