import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");
/** Folders that are made by running or installing, and the history. */
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", ".swath", "out", "tmp"]);

/** Copies the sources into an empty folder. */
export function copySources(folder: string): void {
  cpSync(ROOT, folder, { recursive: true, filter: (path) => path === ROOT || !LEFT_OUT.has(basename(path)) });
}

/** Copies the sources into an empty folder; installed packages are linked, our own are those of the copy. */
export function copyTree(folder: string): void {
  copySources(folder);
  linkPackages("node_modules", folder);
  for (const parent of ["packages", "extras"]) {
    for (const name of readdirSync(join(ROOT, parent))) linkPackages(join(parent, name, "node_modules"), folder);
  }
}

function linkPackages(path: string, folder: string): void {
  const from = join(ROOT, path);
  const to = join(folder, path);
  let names: readonly string[];
  try {
    names = readdirSync(from);
  } catch {
    return;
  }
  mkdirSync(to, { recursive: true });
  for (const name of names) {
    // Links of a workspace lead to the packages of the copy, since they are relative.
    if (name === "@swath") cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name), "junction");
  }
}
