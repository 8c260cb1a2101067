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

/** A module that AssemblyScript compiles: `assembly/NAME.ts` of the folder becomes `NAME.generated.ts` beside it. */
interface AssemblyModule {
  readonly name: string;
  readonly folder: string;
}

/** Add a line with every module. */
export const ASSEMBLY_MODULES: readonly AssemblyModule[] = [
  { name: "warp", folder: "packages/raster/src/warp" },
  { name: "texture", folder: "packages/maps/src/analysis/texture" },
];

const OPTIONS = ["--runtime", "stub", "--enable", "simd", "-O3", "--noAssert"] as const;
/** The module in the text that holds it. */
const BASE64 = /_MODULE =\s+"([^"]*)"/;

function pathsOf({ name, folder }: AssemblyModule): { readonly source: string; readonly generated: string } {
  const at = join(import.meta.dirname, "..", folder);
  return { source: join(at, "assembly", `${name}.ts`), generated: join(at, `${name}.generated.ts`) };
}

function sha256Of(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A module as text, with its compiler and the hash of its source: the compiler is not needed to compare them. */
function generated({ name }: AssemblyModule, compilerVersion: string, source: string, compiled: Uint8Array): string {
  return [
    "/**",
    ` * A WebAssembly module, base64, by \`npm run build:wasm\`: assemblyscript ${compilerVersion} ${OPTIONS.join(" ")}`,
    ` * source ${sha256Of(source)}`,
    ` * module ${sha256Of(compiled)}`,
    " */",
    `export const ${name.toUpperCase()}_MODULE = "${Buffer.from(compiled).toString("base64")}";`,
    "",
  ].join("\n");
}

/** Whether the committed module is the one that was compiled from the committed source with these options. */
export async function isAssemblyFresh(module: AssemblyModule, compilerVersion: string): Promise<boolean> {
  const paths = pathsOf(module);
  const [source, text] = await Promise.all([readFile(paths.source, "utf8"), readFile(paths.generated, "utf8")]);
  const compiled = Buffer.from(BASE64.exec(text)?.[1] ?? "", "base64");
  return text === generated(module, compilerVersion, source, compiled);
}

/**
 * Compiles a module and writes it.
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
  const text = generated(module, version, source, compiled);
  if (text === (await readFile(paths.generated, "utf8").catch(() => null))) return false;
  await writeFile(paths.generated, text);
  return true;
}
