#!/usr/bin/env node
// Plain JavaScript that any Node from 16 on can read: finds a Node that runs TypeScript and hands over to it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REQUIRED = [24, 12];
const here = dirname(fileURLToPath(import.meta.url));
const entry = join(here, "..", "src", "main.ts");

function isNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > REQUIRED[0] || (major === REQUIRED[0] && minor >= REQUIRED[1]);
}

/** The Node that npm installed with the workspace, looked for from this folder upwards. */
function findInstalledNode() {
  const name = process.platform === "win32" ? "node.cmd" : "node";
  for (let folder = here; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", ".bin", name);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return null;
  }
}

if (isNewEnough(process.versions.node)) {
  const { main } = await import("../src/main.ts");
  process.exitCode = await main(process.argv.slice(2));
} else {
  const node = findInstalledNode();
  if (node === null || process.env.SWATH_REEXECUTED === "1") {
    console.error(
      `swath needs Node ${REQUIRED.join(".")} or newer, this is ${process.versions.node}; run npm ci in the repository, which installs one`,
    );
    process.exitCode = 1;
  } else {
    const child = spawn(node, [entry, ...process.argv.slice(2)], {
      stdio: "inherit",
      shell: process.platform === "win32",
      env: { ...process.env, SWATH_REEXECUTED: "1" },
    });
    const others = process.platform === "win32" ? [] : ["SIGUSR2"];
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", ...others]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
    });
  }
}
