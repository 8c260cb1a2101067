/** Everything that must hold before a merge but the tests: format, lint, words, types, freshness of derived files. */
import { spawnSync } from "node:child_process";

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["format", "oxfmt", "--check", "."],
  ["lint", "oxlint", "--type-aware", "--deny-warnings"],
  ["words", process.execPath, "scripts/words.ts"],
  ["types", process.execPath, "scripts/types.ts"],
  ["derived files", process.execPath, "scripts/gen.ts", "--check"],
];

const failures: string[] = [];
for (const [name, command, ...args] of steps) {
  const startedMs = performance.now();
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  process.stdout.write(
    `${name}: ${status === 0 ? "ok" : "FAILED"} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)\n`,
  );
  if (status !== 0) failures.push(name);
}
process.exit(failures.length === 0 ? 0 : 1);
