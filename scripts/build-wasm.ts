/**
 * Compiles the WebAssembly modules of pixels and of overlays: `npm run build:wasm`. Installs AssemblyScript, the compiler
 * of the first; overlays need Rust. With `--check` it also fails when a committed module was not what its source compiles to.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit, stdout } from "node:process";
import { pathToFileURL } from "node:url";
import { ASSEMBLY_MODULES, buildAssembly, type AssemblyScript } from "./assembly-modules.ts";
import { installExtra } from "./extras.ts";
import { buildOverlayEngine, hasRust } from "./overlay-engine.ts";

const folder = join(installExtra("wasm"), "assemblyscript");
const { main } = (await import(pathToFileURL(join(folder, "dist", "asc.js")).href)) as Pick<AssemblyScript, "main">;
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Pick<AssemblyScript, "version">;

let isAssemblyChanged = false;
for (const module of ASSEMBLY_MODULES) {
  const isWritten = await buildAssembly(module, { version, main });
  isAssemblyChanged ||= isWritten;
  stdout.write(`the module ${module.name} is ${isWritten ? "written" : "up to date"}\n`);
}

const isOverlayChanged = hasRust() ? buildOverlayEngine() : null;
if (isOverlayChanged === null) stdout.write("the overlay engine is not compiled: its Rust compiler is not here\n");
else stdout.write(isOverlayChanged ? "the overlay engine is written\n" : "the overlay engine is up to date\n");

const isChanged = isAssemblyChanged || isOverlayChanged === true;
exit(isChanged && argv.includes("--check") ? 1 : 0);
