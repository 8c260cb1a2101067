import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "..", "..");

/** Sizes of the committed bundle after gzip, KB of 1,000 bytes. */
export interface BundleSizes {
  /** The entry with its static imports. */
  readonly firstScriptKb: number;
  /** Also the code that screens load later. */
  readonly allScriptKb: number;
  /** The viewer of a published folder, with its static imports. */
  readonly publishedScriptKb: number;
  readonly styleKb: number;
  /** The coarsest outlines of land. */
  readonly basemapKb: number;
}

export function bundleSizes(): BundleSizes {
  const folder = join(ROOT, "packages", "web", "dist");
  const names = readdirSync(folder);
  const sumKb = (some: Iterable<string>): number =>
    [...some].reduce((sum, name) => sum + gzipKb(join(folder, name)), 0);
  const scripts = names.filter((name) => name.endsWith(".js"));
  const entries = scripts.filter((name) => name.startsWith("console-"));
  const published = scripts.filter((name) => name.startsWith("published-"));
  return {
    firstScriptKb: sumKb(withImports(entries, folder)),
    allScriptKb: sumKb(scripts.filter((name) => !published.includes(name))),
    publishedScriptKb: sumKb(withImports(published, folder)),
    styleKb: sumKb(names.filter((name) => name.endsWith(".css"))),
    basemapKb: gzipKb(join(ROOT, "node_modules", "world-atlas", "land-110m.json")),
  };
}

function gzipKb(path: string): number {
  return gzipSync(readFileSync(path), { level: 9 }).length / 1_000;
}

/** Static imports; `import("…")` is loaded later. */
function withImports(entries: readonly string[], folder: string): ReadonlySet<string> {
  const found = new Set(entries);
  for (const name of found) {
    const text = readFileSync(join(folder, name), "utf8");
    for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) found.add(imported);
  }
  return found;
}
