import { once } from "node:events";
import { distributionPostgres } from "./distribution-postgres.ts";
import { scenesOf, startChild } from "./searched-scenes.ts";

/**
 * Item searches with exact overlap ratios over HTTP against stac-fastapi-pgstac: same PostgreSQL, rows and answers.
 * `--scenes 1000000` takes as many rows as the figures of bench/README.md.
 */
export async function run(): Promise<void> {
  const scenes = scenesOf(process.argv.slice(3));
  using postgres = distributionPostgres();
  if (postgres === null) process.stdout.write("no PostgreSQL of the distribution is installed: no peer is measured\n");
  process.stdout.write(`${scenes} items, ${postgres?.version ?? "embedded PostgreSQL"}\n`);
  const environment = postgres === null ? {} : { DATABASE_URL_TEST: postgres.url };
  const child = startChild("stac-over-http.ts", scenes, environment, "inherit");
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the searches of items ended with ${code}`);
}
