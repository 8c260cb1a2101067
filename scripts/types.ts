/** Type-checks every package; prints all faults, fails if there is one. */
import { spawnSync } from "node:child_process";

const projects = [
  "packages/kernel",
  "packages/kernel/tsconfig.test.json",
  "packages/base",
  "packages/raster",
  "packages/maps",
  "packages/maps/tsconfig.test.json",
  "packages/simulator",
  "packages/contract",
  "packages/service",
  "packages/client",
  "packages/cli",
  "packages/web",
  ".",
];

let failed = false;
for (const project of projects) {
  const { status } = spawnSync("tsc", ["-p", project], { stdio: "inherit" });
  failed ||= status !== 0;
}
process.exit(failed ? 1 : 0);
