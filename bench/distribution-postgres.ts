import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A throw-away cluster of the PostgreSQL the distribution ships. */
export interface DistributionPostgres extends Disposable {
  readonly url: string;
  readonly version: string;
}

/** @returns null when no PostgreSQL is installed */
export function distributionPostgres(): DistributionPostgres | null {
  const bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (bin === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), "swath-bench-pg-"));
  const root = process.getuid?.() === 0;
  const as = (command: string, args: readonly string[]) => {
    const [program, ...rest] = root
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", command, ...args]
      : [command, ...args];
    const result = spawnSync(program ?? command, rest, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    if (result.status !== 0) throw new Error(`${command}: ${result.stderr}`);
    return result.stdout;
  };
  if (root) {
    const id = Number(spawnSync("id", ["-u", "postgres"], { encoding: "utf8" }).stdout);
    chownSync(folder, id, id);
  }
  chmodSync(folder, 0o755);
  const data = join(folder, "data");
  const port = 54_330;
  as(join(bin, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c shared_buffers=128MB`;
  // The server inherits standard output; a pipe that stays open would keep spawnSync waiting.
  const log = join(folder, "log");
  const [program, ...rest] = root
    ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", join(bin, "pg_ctl")]
    : [join(bin, "pg_ctl")];
  spawnSync(program ?? "", [...rest, "-D", data, "-w", "-l", log, "-o", options, "start"], { stdio: "ignore" });
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    version: as(join(bin, "postgres"), ["--version"]).trim(),
    [Symbol.dispose]() {
      as(join(bin, "pg_ctl"), ["-D", data, "-m", "fast", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
