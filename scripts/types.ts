/** Type-checks every package, or the given projects; prints all faults, fails if there is one. */
import { runCheckTool } from "./extras.ts";

const projects = [
  "packages/kernel",
  "packages/kernel/tsconfig.test.json",
  "packages/base",
  "packages/raster",
  "packages/maps",
  "packages/maps/tsconfig.test.json",
  "packages/simulator",
  "packages/contract",
  "packages/contract/tsconfig.test.json",
  "packages/service",
  "packages/client",
  "packages/cli",
  "packages/web",
  "packages/web/tsconfig.test.json",
  ".",
];

let failed = false;
const given = process.argv.slice(2);
for (const project of given.length === 0 ? projects : given) {
  if (runCheckTool("tsc", ["-p", project]) !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
