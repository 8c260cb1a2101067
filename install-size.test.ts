import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const MAX_INSTALL_MIB = 450;
/** A file takes whole blocks of most file systems, as `du` counts them. */
const BLOCK_BYTES = 4096;

/** Bytes of a package on disk, without the packages below it. */
function packageBytes(folder: string): number {
  let bytes = BLOCK_BYTES;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules") bytes += packageBytes(path);
    if (entry.isFile()) bytes += Math.ceil(statSync(path).size / BLOCK_BYTES) * BLOCK_BYTES;
  }
  return bytes;
}

test(`the packages that npm ci installs take at most ${MAX_INSTALL_MIB} MiB on disk`, () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    readonly packages: Readonly<Record<string, { readonly link?: boolean }>>;
  };
  // Packages for other platforms are in the lock file and not on disk.
  const sizes = Object.entries(packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true && existsSync(path))
    .map(([path]) => ({ path, mib: packageBytes(path) / 2 ** 20 }))
    .toSorted((a, b) => b.mib - a.mib);
  const totalMib = sizes.reduce((sum, { mib }) => sum + mib, 0);
  const largest = sizes.slice(0, 10).map(({ path, mib }) => `${mib.toFixed(0)} ${path}`);
  assert.ok(totalMib > 50, `got ${totalMib.toFixed(0)} MiB: nothing is installed`);
  assert.ok(totalMib <= MAX_INSTALL_MIB, `got ${totalMib.toFixed(0)} MiB, the largest:\n${largest.join("\n")}`);
});
