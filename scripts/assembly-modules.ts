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

/** A module that AssemblyScript compiles: `assembly/NAME.ts` of the folder becomes `NAME.generated.wasm` beside it. */
interface AssemblyModule {
  readonly name: string;
  readonly folder: string;
}

/** Add a line with every module. */
export const ASSEMBLY_MODULES: readonly AssemblyModule[] = [
  { name: "warp", folder: "packages/raster/src/warp" },
  { name: "texture", folder: "packages/maps/src/analysis/texture" },
];

interface ModulePaths {
  readonly source: string;
  readonly module: string;
  readonly record: string;
}

const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert"] as const;

function pathsOf({ name, folder }: AssemblyModule): ModulePaths {
  const at = join(import.meta.dirname, "..", folder);
  return {
    source: join(at, "assembly", `${name}.ts`),
    module: join(at, `${name}.generated.wasm`),
    record: join(at, `${name}.generated.json`),
  };
}

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
export async function isAssemblyFresh(module: AssemblyModule, compilerVersion: string): Promise<boolean> {
  const paths = pathsOf(module);
  const [source, compiled, record] = await Promise.all([
    readFile(paths.source, "utf8"),
    readFile(paths.module),
    readFile(paths.record, "utf8").catch(() => null),
  ]);
  return record === recordOf(compilerVersion, source, compiled);
}

/**
 * Compiles a module and writes it with its record.
 *
 * @returns whether anything changed
 * @throws {Error} when the source does not compile
 */
export async function buildAssembly(module: AssemblyModule, { version, main }: AssemblyScript): Promise<boolean> {
  const paths = pathsOf(module);
  const source = await readFile(paths.source, "utf8");
  let compiled: Uint8Array | null = null;
  const { error } = await main(["module.ts", "--outFile", "module.wasm", ...OPTIONS], {
    readFile: (name) => (name === "module.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "module.wasm" && typeof contents !== "string") compiled = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || compiled === null) {
    throw new Error(`the module ${module.name} does not compile`, { cause: error });
  }
  const committed = await readFile(paths.module).catch(() => null);
  const isSame = committed !== null && Buffer.compare(committed, compiled) === 0;
  if (isSame && (await isAssemblyFresh(module, version))) return false;
  await writeFile(paths.module, compiled);
  await writeFile(paths.record, recordOf(version, source, compiled));
  return true;
}
