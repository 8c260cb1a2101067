/**
 * Takes the examples of the API document from the acceptance suite, then writes the documents with them: `npm run
 * examples`. Examples that suit the schemas stay as they are.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

function run(script: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}): void {
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

run("scripts/test.ts", ["e2e/acceptance"], { EXAMPLES: "write" });
run("scripts/check-tool.ts", ["oxfmt", "packages/service/src/http/openapi/examples.json"]);
run("scripts/gen.ts", []);
