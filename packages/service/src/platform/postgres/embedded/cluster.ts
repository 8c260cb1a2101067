import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { copyBinaries, findPostgresBinaries, type PostgresBinaries } from "./binaries.ts";
import { chooseLaunch, giveTo, isReachableByAll, launchProgram, type Launch } from "./launch.ts";

export const SUPERUSER = "swath";

/** A database cluster on disk and how to run its server. */
export interface Cluster {
  readonly binaries: PostgresBinaries;
  readonly launch: Launch;
  /** PGDATA. */
  readonly folder: string;
  readonly password: string;
}

export interface ClusterOptions {
  /** Whether initdb waits for the disk; only throw-away clusters may say no. */
  readonly durable: boolean;
  /** How to run the programs; chosen by trying when absent. */
  readonly launch?: Launch;
}

/**
 * Opens the cluster of a data folder, creating it on first use. The caller holds the folder's lock.
 * A creation that was interrupted leaves only a draft folder, which is removed here.
 */
export async function openCluster(dataFolder: string, options: ClusterOptions): Promise<Cluster> {
  const launch = options.launch ?? chooseLaunch();
  const home = launch.kind === "user" ? sharedHome(dataFolder) : dataFolder;
  mkdirSync(home, { recursive: true });
  let binaries = findPostgresBinaries(home);
  if (launch.kind === "user" && !isReachableByAll(binaries.postgres)) {
    binaries = copyBinaries(binaries, join(home, "postgres-programs"));
  }
  const folder = join(home, "postgres");
  const password = keepPassword(join(dataFolder, "postgres-password"));
  for (const name of readdirSync(home)) {
    if (name.startsWith("postgres.draft-")) rmSync(join(home, name), { recursive: true, force: true });
  }
  if (existsSync(join(folder, "PG_VERSION"))) {
    refuseOtherVersion(folder, binaries.major);
    if (launch.kind === "user" && statSync(folder).uid !== launch.uid) giveTo(launch, folder);
  } else {
    await createCluster({ binaries, launch, folder, password }, options.durable);
  }
  return { binaries, launch, folder, password };
}

/**
 * The data folder itself where any user can reach it; otherwise a folder of its own under /var/lib, because a
 * server that runs as another user cannot pass through, say, /root.
 */
function sharedHome(dataFolder: string): string {
  const folder = resolve(dataFolder);
  if (isReachableByAll(folder)) return folder;
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return join("/var/lib/swath", name);
}

function keepPassword(path: string): string {
  if (existsSync(path)) {
    const kept = readFileSync(path, "utf8").trim();
    if (kept.length > 0) return kept;
  }
  const password = randomBytes(24).toString("base64url");
  const draft = `${path}.draft`;
  writeFileSync(draft, `${password}\n`, { mode: 0o600, flush: true });
  renameSync(draft, path);
  return password;
}

function refuseOtherVersion(folder: string, major: number): void {
  const found = readFileSync(join(folder, "PG_VERSION"), "utf8").trim();
  if (found === String(major)) return;
  throw new Error(
    `${folder} was made by PostgreSQL ${found} and this installation has ${major}: start it with the version that ` +
      `made it, run swath backup, and run swath restore with this version and an empty data folder`,
  );
}

async function createCluster(cluster: Cluster, durable: boolean): Promise<void> {
  const draft = `${cluster.folder}.draft-${process.pid}`;
  mkdirSync(draft, { mode: 0o700, recursive: true });
  const passwordFile = join(dirname(draft), `postgres.draft-${process.pid}.password`);
  writeFileSync(passwordFile, cluster.password, { mode: 0o600 });
  giveTo(cluster.launch, draft);
  giveTo(cluster.launch, passwordFile);
  // The built-in provider sorts by code point (keyset paging is stable across systems) and still lower-cases all of Unicode.
  const locale =
    cluster.binaries.major >= 17
      ? ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
      : ["--locale=C"];
  const args = [
    "-D",
    draft,
    "-U",
    SUPERUSER,
    "--pwfile",
    passwordFile,
    "-A",
    "scram-sha-256",
    "-E",
    "UTF8",
    ...locale,
    ...(durable ? [] : ["--no-sync"]),
  ];
  const child = launchProgram(cluster.launch, cluster.binaries.initdb, args, {
    stdio: ["ignore", "pipe", "pipe"],
    // Detached: an interrupt typed at the terminal stops the service after this, not in the middle of it.
    detached: true,
    cwd: dirname(draft),
    env: programEnvironment(),
  });
  let output = "";
  child.stdout?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  child.stderr?.on("data", (bytes: Buffer) => (output += bytes.toString()));
  const [code] = await once(child, "close");
  rmSync(passwordFile, { force: true });
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`initdb ended with ${String(code)} in ${cluster.folder}: ${output.trim().slice(-2000)}`);
  }
  rmSync(cluster.folder, { recursive: true, force: true });
  renameSync(draft, cluster.folder);
}

/** Nothing of the service's own environment: PG* variables of a developer would change where the server looks. */
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
}
