/**
 * Compiles the WebAssembly module of the warp kernel: `npm run build:wasm`. Installs the compiler first. With `--check`
 * it also fails when the committed module was not what its source compiles to.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit, stdout } from "node:process";
import { pathToFileURL } from "node:url";
import { buildWarpKernel, type AssemblyScript } from "../packages/raster/src/warp/build.ts";
import { installExtra } from "./extras.ts";

const folder = join(installExtra("wasm"), "assemblyscript");
const { main } = (await import(pathToFileURL(join(folder, "dist", "asc.js")).href)) as Pick<AssemblyScript, "main">;
const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Pick<AssemblyScript, "version">;

const isChanged = await buildWarpKernel({ version, main });
stdout.write(isChanged ? "the warp kernel is written\n" : "the warp kernel is up to date\n");
exit(isChanged && argv.includes("--check") ? 1 : 0);
