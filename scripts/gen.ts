/** Writes the files that derive from code: `npm run gen`; with `--check` only tells whether one is stale. */
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { contract } from "../packages/contract/src/contract.ts";
import { readExamples } from "../packages/service/src/http/openapi/examples.ts";
import { openApiDocument } from "../packages/service/src/http/openapi/openapi.ts";
import { identityPaths } from "../packages/service/src/http/identity-document.ts";
import { configurationDocument } from "../packages/service/src/platform/config/document.ts";
import { ASSEMBLY_MODULES, isAssemblyFresh } from "./assembly-modules.ts";
import { isOverlayEngineFresh } from "./overlay-engine.ts";
import { operationTable } from "./operation-table.ts";

/** The version of AssemblyScript that `extras/wasm` pins. */
function compilerVersion(): string {
  const { dependencies } = JSON.parse(readFileSync("extras/wasm/package.json", "utf8")) as {
    readonly dependencies: { readonly assemblyscript: string };
  };
  return dependencies.assemblyscript;
}

const check = process.argv.includes("--check");

const texts: Readonly<Record<string, string>> = {
  "docs/configuration.md": configurationDocument(),
  "docs/openapi.json": `${JSON.stringify(openApiDocument(contract, { extraPaths: identityPaths, examples: readExamples() }), null, 2)}\n`,
  "docs/operations-table.md": operationTable(contract),
};

const stale: string[] = [];
for (const [path, text] of Object.entries(texts)) {
  const committed = await readFile(path, "utf8").catch(() => null);
  if (committed === text) continue;
  stale.push(path);
  if (!check) await writeFile(path, text);
}

// Their compilers are not part of `npm ci`: whoever changes a source builds it.
for (const module of ASSEMBLY_MODULES) {
  if (await isAssemblyFresh(module, compilerVersion())) continue;
  process.stderr.write(`stale: the module ${module.name}; run \`npm run build:wasm\`\n`);
  process.exitCode = 1;
}
if (!isOverlayEngineFresh()) {
  process.stderr.write("stale: the module of overlays; run `npm run build:wasm` where Rust is\n");
  process.exitCode = 1;
}
if (check && stale.length > 0) {
  process.stderr.write(`stale: ${stale.join(", ")}; run \`npm run gen\`\n`);
  process.exitCode = 1;
} else if (stale.length > 0) {
  process.stdout.write(`written: ${stale.join(", ")}\n`);
}
