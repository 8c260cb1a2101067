/** A process of its own, so that the load it makes does not slow the requests that are measured. */
import { RawClient } from "../../e2e/raw-client.ts";
import { ABUSES, type AbuseName } from "../fairness/abuses.ts";

const [name = "", baseUrl = "", token = "", sceneId = "", largeMapId = ""] = process.argv.slice(2);
/** A run that nobody ends ends by itself. */
const LONGEST_MS = 120_000;

const control = new AbortController();
process.once("SIGTERM", () => control.abort());
const timer = setTimeout(() => control.abort(), LONGEST_MS);
const answers = new Map<string, number>();
const client = new RawClient(baseUrl, token, new Set(), ({ path, status }) => {
  const answer = `${status} ${path}`;
  answers.set(answer, (answers.get(answer) ?? 0) + 1);
});
await ABUSES[name as AbuseName]({ client, sceneId, largeMapId, signal: control.signal });
clearTimeout(timer);
const counted = [...answers].map(([answer, count]) => `${answer} x ${count}`);
process.stdout.write(`  answers to ${name}: ${counted.join(", ")}\n`);
process.exit(0);
