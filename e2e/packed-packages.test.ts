import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { installExtra, runCheckTool } from "../scripts/extras.ts";
import { packPackages, tarballsOf } from "../scripts/pack.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

/** Searches with the packed client and prints what the packed contract and the service say. */
const CLIENT_PROGRAM = `
import { createClient, ApiError } from "@swath/client";
import { contract } from "@swath/contract";

const [baseUrl = "", username = "", password = ""] = PROGRAM_ARGUMENTS;
const client = createClient({ baseUrl, credentials: { username, password } });
const request = {
  datasets: [{ provider: "local", dataset: "uploads" }],
  extent: { type: "Polygon" as const, coordinates: [[[14, 50], [14.1, 50], [14.1, 50.1], [14, 50]]] },
};
const { results } = await client.run("/imagery/search", request);
const none: number = results.length;
const { email } = await client.call("/user/info");
const code: string = await client.call("/imagery/scene-info", { sceneId: "local.uploads.none" }).then(
  () => "none",
  (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
);
// @ts-expect-error -- there is no such operation
void (() => client.call("/no/such/operation"));
console.log(JSON.stringify([contract.imagery.search.path, none, email, code]));
`;

const STRICT = { target: "ES2023", strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true };
/** Settings of TypeScript in projects that install the packages. */
const PROJECTS = {
  node: { ...STRICT, lib: ["ES2023"], module: "nodenext", types: ["node"] },
  browser: { ...STRICT, lib: ["ES2023", "DOM"], module: "preserve", moduleResolution: "bundler", types: [] },
} as const;

/** Versions of Node by name; null for the one that runs the tests. */
function nodes(): Readonly<Record<string, string | null>> {
  const packages = installExtra("nodes");
  const older = ["node20", "node22", "node24"].map((name) => [name, join(packages, name, "bin/node")] as const);
  return { ...Object.fromEntries(older.filter(([, path]) => existsSync(path))), "this node": null };
}

async function run(node: string | null, folder: string, ...args: readonly string[]): Promise<string> {
  const child = spawn(node ?? process.execPath, args, { cwd: folder, env: { PATH: process.env["PATH"] } });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return output + errors;
}

describe("packages as they are published", () => {
  let folder: string;
  let service: ServiceProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "swath-packed-"));
    const tarballs = tarballsOf(packPackages(["client", "contract"], join(folder, "packed")), folder);
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
    const packages = [...tarballs, "@types/node@26.6.6"];
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    const { status, stderr } = spawnSync("npm", ["install", ...flags, ...packages], { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    await writeFile(join(folder, "client.ts"), CLIENT_PROGRAM.replace("PROGRAM_ARGUMENTS", "process.argv.slice(2)"));
    await writeFile(join(folder, "page.ts"), CLIENT_PROGRAM.replace("PROGRAM_ARGUMENTS", "location.hash.split(',')"));
    service = await ServiceProcess.start();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test("a project of Node and one of a browser type-check them, declarations too", async () => {
    for (const [name, compilerOptions] of Object.entries(PROJECTS)) {
      const include = name === "node" ? ["client.ts"] : ["page.ts"];
      const project = join(folder, `tsconfig.${name}.json`);
      await writeFile(project, JSON.stringify({ compilerOptions: { ...compilerOptions, outDir: "out" }, include }));
      assert.equal(runCheckTool("tsc", ["-p", project]), 0, name);
    }
    const wrong = join(folder, "wrong.ts");
    await writeFile(wrong, `import { createClient } from "@swath/client"; createClient({ baseUrl: 1 });`);
    const project = join(folder, "tsconfig.wrong.json");
    const compilerOptions = { ...PROJECTS.node, noEmit: true };
    await writeFile(project, JSON.stringify({ compilerOptions, include: ["wrong.ts"] }));
    assert.notEqual(runCheckTool("tsc", ["-p", project]), 0, "the declarations are read");
  });

  test("client and contract run against the service on Node 20 and later", async () => {
    const expected = JSON.stringify(["/imagery/search", 0, DEMO.email, "NON-EXISTING-SCENE"]);
    for (const [name, node] of Object.entries(nodes())) {
      const printed = await run(node, folder, "out/client.js", service.baseUrl, DEMO.email, DEMO.password);
      assert.equal(printed.trim(), expected, name);
    }
  });

  test("a bundler makes a script for browsers of client and contract, without a module of Node", async () => {
    const esbuild = createRequire(join(installExtra("bundle"), "package.json"))("esbuild") as {
      build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
    };
    const { outputFiles } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: ["page.ts"],
      bundle: true,
      format: "esm",
      logLevel: "silent",
      platform: "browser",
      target: "es2022",
      write: false,
    });
    const bundle = outputFiles[0]?.text ?? "";
    assert.ok(bundle.includes("/imagery/search") && !/from "node:|require\("node:/.test(bundle));
    // A browser has the same web APIs; only the address of the page is given here.
    const hash = [service.baseUrl, DEMO.email, DEMO.password].join(",");
    await writeFile(join(folder, "page.mjs"), `globalThis.location = { hash: ${JSON.stringify(hash)} };\n${bundle}`);
    assert.equal(JSON.parse(await run(null, folder, "page.mjs"))[2], DEMO.email);
  });
});
