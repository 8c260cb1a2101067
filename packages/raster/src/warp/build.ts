import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { main as compile } from "assemblyscript/asc";

const SOURCE = join(import.meta.dirname, "assembly", "warp.ts");
const BINARY = join(import.meta.dirname, "warp.generated.wasm");

/** The WebAssembly module of `assembly/warp.ts`. */
async function compileWarpKernel(): Promise<Uint8Array> {
  const source = await readFile(SOURCE, "utf8");
  let binary: Uint8Array | null = null;
  const { error } = await compile(
    ["warp.ts", "--outFile", "warp.wasm", "--runtime", "stub", "--enable", "simd", "-O3", "--noAssert"],
    {
      readFile: (name) => (name === "warp.ts" ? source : null),
      writeFile: (name, contents) => {
        if (name === "warp.wasm" && typeof contents !== "string") binary = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === null) throw new Error("the warp kernel does not compile", { cause: error });
  return binary;
}

/** Writes the generated module; with `check`, only answers whether the committed one is up to date. */
export async function buildWarpKernel(options: { readonly check: boolean }): Promise<boolean> {
  const fresh = await compileWarpKernel();
  const committed = await readFile(BINARY).catch(() => null);
  const upToDate = committed !== null && Buffer.compare(committed, fresh) === 0;
  if (!upToDate && !options.check) await writeFile(BINARY, fresh);
  return upToDate || !options.check;
}

if (import.meta.main) {
  const check = process.argv.includes("--check");
  if (!(await buildWarpKernel({ check }))) {
    process.stderr.write(`${BINARY} is stale: run this file without --check\n`);
    process.exitCode = 1;
  }
}
