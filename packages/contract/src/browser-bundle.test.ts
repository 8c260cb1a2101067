import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { installExtra } from "../../../scripts/extras.ts";

/** Bytes, minified and compressed: 1.8 s on a slow mobile line of 400 kbit/s. */
const MAX_GZIP_BYTES = 90_000;
/** Files of this repository that the contract reaches: its own and a few types of the kernel. */
const MAX_FILES = 100;

/** The part of esbuild's interface that is used. */
interface Esbuild {
  build(options: Readonly<Record<string, unknown>>): Promise<{
    readonly metafile: { readonly inputs: Readonly<Record<string, unknown>> };
    readonly outputFiles: readonly { readonly contents: Uint8Array }[];
  }>;
}

test("a browser loads the contract, which is small and reaches no registry", async () => {
  const esbuild = createRequire(join(installExtra("bundle"), "package.json"))("esbuild") as Esbuild;
  // Fails for each module of Node that is imported by value, whoever imports it.
  const { metafile, outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(import.meta.resolve("@swath/contract"))],
    bundle: true,
    format: "esm",
    logLevel: "silent",
    metafile: true,
    minify: true,
    platform: "browser",
    write: false,
  });
  const files = Object.keys(metafile.inputs).filter((path) => !path.includes("node_modules/"));
  const packages = new Set(files.map((path) => /packages\/\w+/.exec(path)?.[0] ?? path));
  const bytes = gzipSync(outputFiles[0]?.contents ?? "").byteLength;
  assert.deepEqual(packages, new Set(["packages/contract", "packages/kernel"]));
  assert.ok(files.length > 20 && files.length <= MAX_FILES, `got ${files.length} files, expected at most ${MAX_FILES}`);
  assert.ok(bytes > 10_000 && bytes <= MAX_GZIP_BYTES, `got ${bytes} bytes, expected at most ${MAX_GZIP_BYTES}`);
});
