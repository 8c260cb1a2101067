/**
 * The checks before a merge beside the tests: format, lint, words, types, derived files, unused code, and every fast test
 * of a rule whose breach keeps the service from starting.
 */
import { spawnSync } from "node:child_process";
import { installExtra } from "./extras.ts";

const steps: readonly (readonly [name: string, ...args: string[]])[] = [
  ["format", "scripts/check-tool.ts", "oxfmt", "--check", "."],
  ["lint", "scripts/check-tool.ts", "oxlint", "--type-aware", "--deny-warnings"],
  ["words", "scripts/words.ts"],
  ["types", "scripts/types.ts"],
  ["derived files", "scripts/gen.ts", "--check"],
  ["bundle of the console", "scripts/build-console.ts", "--check"],
  ["unused code", "scripts/check-tool.ts", "knip", "--no-progress", "--no-config-hints"],
  ["layers and registries", "scripts/test.ts", "layers.test.ts", "registry.test.ts", "named-once"],
  ["start", "scripts/start.ts"],
];

installExtra("check");
// Types of the console need its libraries, and its bundle the bundler.
installExtra("console");
installExtra("bundle");

const failures: string[] = [];
for (const [name, ...args] of steps) {
  const startedMs = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  process.stdout.write(
    `${name}: ${status === 0 ? "ok" : "FAILED"} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`,
  );
  if (status !== 0) failures.push(name);
}
process.exit(failures.length === 0 ? 0 : 1);
