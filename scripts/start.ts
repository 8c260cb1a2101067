/**
 * Starts the service in an empty folder, waits until it is ready, and stops it: `npm run check` fails when a registry,
 * a dataset or a migration keeps it from starting.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const LONGEST_START_MS = 60_000;

const folder = await mkdtemp(join(tmpdir(), "swath-check-"));
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("SWATH_") && name !== "DATABASE_URL"),
);
const service = spawn(process.execPath, ["packages/cli/src/main.ts", "serve"], {
  env: { ...environment, SWATH_DATA: folder, SWATH_PORT: "0" },
  stdio: ["ignore", "pipe", "pipe"],
});
const timer = setTimeout(() => service.kill("SIGKILL"), LONGEST_START_MS);
const ended = new Promise<number | null>((resolve) => service.once("exit", resolve));
const lines: string[] = [];
let url: string | undefined;
for (const output of [service.stdout, service.stderr]) {
  createInterface({ input: output }).on("line", (line) => {
    lines.push(line);
    url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) service.emit("listening");
  });
}
await Promise.race([new Promise((resolve) => service.once("listening", resolve)), ended]);
const ready = url !== undefined && (await fetch(`${url}/health/ready`)).ok;
service.kill("SIGTERM");
const code = await ended;
clearTimeout(timer);
await rm(folder, { recursive: true, force: true });
if (!ready || code !== 0) {
  process.stderr.write(
    `${lines.slice(-40).join("\n")}\nthe service did not ${ready ? "stop" : "start"}; exit code ${code}\n`,
  );
  process.exitCode = 1;
}
