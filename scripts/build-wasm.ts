/**
 * Compiles the WebAssembly modules, of the warp kernel and of overlays: `npm run build:wasm`. Installs the compiler of the
 * first; the second needs Rust. With `--check` it also fails when a committed module was not what its source compiles to.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit, stdout } from "node:process";
import { pathToFileURL } from "node:url";
import { buildWarpKernel, type AssemblyScript } from "../packages/raster/src/warp/build.ts";
import { installExtra } from "./extras.ts";
import { buildOverlayEngine, hasRust } from "./overlay-engine.ts";

const folder = join(installExtra("wasm"), "assemblyscript");
const { main } = (await import(pathToFileURL(join(folder, "dist", "asc.js")).href)) as Pick<AssemblyScript, "main">;
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Pick<AssemblyScript, "version">;

const isWarpChanged = await buildWarpKernel({ version, main });
stdout.write(isWarpChanged ? "the warp kernel is written\n" : "the warp kernel is up to date\n");

const isOverlayChanged = hasRust() ? buildOverlayEngine() : null;
if (isOverlayChanged === null) stdout.write("the overlay engine is not compiled: its Rust compiler is not here\n");
else stdout.write(isOverlayChanged ? "the overlay engine is written\n" : "the overlay engine is up to date\n");

const isChanged = isWarpChanged || isOverlayChanged === true;
exit(isChanged && argv.includes("--check") ? 1 : 0);
