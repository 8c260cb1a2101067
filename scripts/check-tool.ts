/** Runs the formatter, the linter or the type checker: `node scripts/check-tool.ts oxfmt|oxlint|tsc …`. */
import { argv, exit, stderr } from "node:process";
import { isCheckTool, runCheckTool } from "./extras.ts";

const [name, ...args] = argv.slice(2);
if (name === undefined || !isCheckTool(name)) {
  stderr.write(`got ${JSON.stringify(name ?? null)}, expected oxfmt, oxlint or tsc\n`);
  exit(2);
}
exit(runCheckTool(name, args));
