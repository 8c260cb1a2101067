import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { freePort } from "@swath/base/processes/free-port";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname, "..");

async function isPortOpen(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    return false;
  }
}

/** Neither the service nor its database server runs on the folder. */
async function isFree(folder: string): Promise<boolean> {
  return !existsSync(join(folder, "lock")) && !existsSync(join(folder, "postgres", "postmaster.pid"));
}

for (const script of [["start"], ["run", "swath", "--", "serve"]]) {
  test(`SIGTERM to npm ${script.join(" ")} stops service and database, and the folder serves the next start`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "swath-npm-"));
    const port = await freePort();
    const start = () =>
      spawn("npm", script, {
        cwd: ROOT,
        // Without variables of an npm around this test.
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          SWATH_DATA: folder,
          SWATH_PORT: String(port),
          SWATH_LOG_LEVEL: "silent",
        },
        stdio: "ignore",
      });
    try {
      for (let round = 0; round < 2; round += 1) {
        const npm = start();
        const ended = once(npm, "exit");
        await until("the service is ready", () => isReady(port));
        npm.kill("SIGTERM");
        await ended;
        await until("the port is closed", async () => !(await isPortOpen(port)));
        await until("the data folder is free", () => isFree(folder));
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
