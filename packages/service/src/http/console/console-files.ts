import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Outlines of the basemap by name of the file, from coarse to fine. */
const BASEMAP_FILES = ["land-110m.json", "land-50m.json", "land-10m.json"] as const;
const BASEMAP_FOLDER = "basemap/";

/** Names of the built files; names of pages end with `.html`, names of the others hold the digest of their bytes. */
export function consoleFileNames(): readonly string[] {
  return readdirSync(consoleFolder());
}

/** Paths below `/console/` of the outlines of land. */
export function basemapNames(): readonly string[] {
  return BASEMAP_FILES.map((name) => `${BASEMAP_FOLDER}${name}`);
}

export function isBasemap(name: string): boolean {
  return name.startsWith(BASEMAP_FOLDER);
}

/** The file on disk of a built file or of an outline of land. */
export function consoleFilePath(name: string): string {
  return isBasemap(name)
    ? fileURLToPath(import.meta.resolve(`world-atlas/${name.slice(BASEMAP_FOLDER.length)}`))
    : join(consoleFolder(), name);
}

function consoleFolder(): string {
  return dirname(fileURLToPath(import.meta.resolve("@swath/web/dist/index.html")));
}
