import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { startRangeServer } from "../packages/raster/src/testing/range-server.ts";
import { tiledTiff } from "../packages/raster/src/testing/tiled-tiff.ts";
import { installExtra, runCheckTool } from "./extras.ts";
import { packPackages } from "./pack.ts";

const ROOT = join(import.meta.dirname, "..");

/** An empty project outside of this repository with packed packages. Links lead to their dependencies in the repository. */
function emptyProject(packages: readonly string[]): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "swath-project-"));
  const modules = join(folder, "node_modules");
  const packed = packPackages(packages, modules);
  const external = new Map(packed.flatMap(({ source, external: names }) => names.map((name) => [name, source])));
  for (const [name, source] of [...external, ["@types/node", "."] as const]) {
    const nested = join(ROOT, source, "node_modules", name);
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(existsSync(nested) ? nested : join(ROOT, "node_modules", name), join(modules, name), "dir");
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

interface Example {
  readonly code: string;
  readonly output: string;
}

/** Blocks of TypeScript that a block of their output follows. */
function examplesOf(readme: string): readonly Example[] {
  const blocks = readFileSync(join(ROOT, readme), "utf8").matchAll(/```ts\n([^]*?)```\n+```text\n([^]*?)```/g);
  return [...blocks].map(([, code = "", output = ""]) => ({ code, output }));
}

/** The oldest version of Node that the packages name, where it is installed, and the one that runs the tests. */
function nodes(): readonly string[] {
  const oldest = join(installExtra("nodes"), "node24/bin/node");
  return [...(existsSync(oldest) ? [oldest] : []), process.execPath];
}

async function run(
  node: string,
  folder: string,
  file: string,
): Promise<{ readonly output: string; readonly errors: string }> {
  const child = spawn(node, [file], { cwd: folder, env: { PATH: process.env["PATH"] } });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { output, errors };
}

test("the examples of the READMEs of raster and base type-check and print the output shown, in an empty project", async () => {
  // Pixels are 100 * row + column + 1, which the README's windows and extremes follow from by hand.
  const scene = tiledTiff({
    widthPx: 600,
    heightPx: 500,
    tilePx: 128,
    epsg: 32_633,
    origin: [500_000, 5_500_000],
    pixelSize: 10,
    valueAt: (column, row) => 100 * row + column + 1,
    nodata: 0,
    overviews: [2],
  });
  const examples = ["packages/raster/README.md", "packages/base/README.md"].flatMap(examplesOf);
  assert.equal(examples.length, 3 + 1);
  using project = emptyProject(["raster"]);
  await using server = await startRangeServer({ file: (path) => (path === "scene.tif" ? scene : null) });
  writeFileSync(join(project.folder, "scene.tif"), scene);
  for (const [i, { code }] of examples.entries()) {
    writeFileSync(join(project.folder, `example-${i}.ts`), code.replaceAll("https://example.com", server.url));
  }
  const options = {
    target: "ES2025",
    lib: ["ES2025"],
    module: "nodenext",
    types: ["node"],
    noEmit: true,
    strict: true,
  };
  writeFileSync(join(project.folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
  assert.equal(runCheckTool("tsc", ["-p", project.folder]), 0);
  for (const node of nodes()) {
    // Folders that examples write.
    for (const made of ["cogs", "data"]) rmSync(join(project.folder, made), { recursive: true, force: true });
    for (const [i, { output }] of examples.entries()) {
      assert.deepEqual(await run(node, project.folder, `example-${i}.ts`), { output, errors: "" });
    }
  }
  assert.ok(server.requests.length > 0);
});
