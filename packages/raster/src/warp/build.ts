import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The part of AssemblyScript's interface that is used. */
export interface AssemblyScript {
  readonly version: string;
  readonly main: (
    args: readonly string[],
    files: {
      readonly readFile: (name: string) => string | null;
      readonly writeFile: (name: string, contents: string | Uint8Array) => void;
      readonly listFiles: () => readonly string[];
    },
  ) => Promise<{ readonly error: Error | null }>;
}

/** The inputs of a compiled module and its bytes, as committed beside it: the compiler is not needed to compare them. */
interface BuildRecord {
  readonly compiler: string;
  readonly options: readonly string[];
  readonly sourceSha256: string;
  readonly moduleSha256: string;
}

const SOURCE = join(import.meta.dirname, "assembly", "warp.ts");
const MODULE = join(import.meta.dirname, "warp.generated.wasm");
const RECORD = join(import.meta.dirname, "warp.generated.json");
const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert"] as const;

const sha256Of = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const recordOf = (compilerVersion: string, source: string, module: Uint8Array): string => {
  const record: BuildRecord = {
    compiler: `assemblyscript ${compilerVersion}`,
    options: OPTIONS,
    sourceSha256: sha256Of(source),
    moduleSha256: sha256Of(module),
  };
  return `${JSON.stringify(record, null, 2)}\n`;
};

/** Whether the committed module is the one that was compiled from the committed source with these options. */
export async function isWarpKernelFresh(compilerVersion: string): Promise<boolean> {
  const [source, module, record] = await Promise.all([
    readFile(SOURCE, "utf8"),
    readFile(MODULE),
    readFile(RECORD, "utf8").catch(() => null),
  ]);
  return record === recordOf(compilerVersion, source, module);
}

/**
 * Compiles the module of `assembly/warp.ts` and writes it with its record.
 *
 * @returns whether anything changed
 * @throws {Error} when the source does not compile
 */
export async function buildWarpKernel({ version, main }: AssemblyScript): Promise<boolean> {
  const source = await readFile(SOURCE, "utf8");
  let module: Uint8Array | null = null;
  const { error } = await main(["warp.ts", "--outFile", "warp.wasm", ...OPTIONS], {
    readFile: (name) => (name === "warp.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "warp.wasm" && typeof contents !== "string") module = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || module === null) throw new Error("the warp kernel does not compile", { cause: error });
  const committed = await readFile(MODULE).catch(() => null);
  const isSame = committed !== null && Buffer.compare(committed, module) === 0;
  if (isSame && (await isWarpKernelFresh(version))) return false;
  await writeFile(MODULE, module);
  await writeFile(RECORD, recordOf(version, source, module));
  return true;
}
