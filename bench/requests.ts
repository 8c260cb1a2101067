import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { testProxy } from "../packages/service/src/platform/postgres/testing-proxy.ts";
import { testDatabase } from "../packages/service/src/platform/postgres/testing.ts";
import { rawLoad } from "./raw-load.ts";
import { median, printRatio } from "./statistics.ts";

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = 50;
const COUNTED_REQUESTS = 200;

interface Row {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ROWS: readonly Row[] = [
  { path: "/user/info", headers: {} },
  { path: "/mapsvc/map-types/list", headers: { "Accept-Encoding": "br" } },
  { path: "/credits/get-remaining-credit", headers: {} },
];

/**
 * Requests per second of authenticated operations against a bare `node:http` server, one process each, with the SQL
 * statements of a request counted on the wire.
 */
export async function run(): Promise<void> {
  const statements = await statementsPerRequest();
  await using service = await ServiceProcess.start();
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const bare = spawn(process.execPath, [join(import.meta.dirname, "children", "bare-http.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(bare.stdout, "data");
    const rates = ROWS.map((): number[] => []);
    const limits: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, row] of ROWS.entries()) {
        rates[index]?.push(await requestsPerSecond(`${service.baseUrl}${row.path}`, demo, row.headers));
      }
      limits.push(await requestsPerSecond(`http://127.0.0.1:${String(port).trim()}/`, demo, {}));
    }
    const limit = median(limits);
    const ratios = rates.map((all) => median(all) / limit);
    for (const [index, { path }] of ROWS.entries()) {
      process.stdout.write(
        `${path} ${median(rates[index] ?? []).toFixed(0)} requests/s, ${statements[index]?.toFixed(2)} SQL statements ` +
          `each, ${ratios[index]?.toFixed(2)} of bare node:http\n`,
      );
    }
    process.stdout.write(`bare node:http ${limit.toFixed(0)} requests/s\n`);
    printRatio("requests", ratios[0] ?? Number.NaN, "bare node:http");
  } finally {
    bare.kill();
  }
}

/** Over a connection that counts, in a process apart: it would slow the rates down. */
async function statementsPerRequest(): Promise<readonly number[]> {
  await using database = await testDatabase();
  await using counter = await testProxy(database.url);
  await using service = await ServiceProcess.start({ DATABASE_URL: counter.url, SWATH_ROLES: "api" });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const counts: number[] = [];
  for (const { path } of ROWS) {
    await demo.post(path);
    const before = counter.statements;
    for (let request = 0; request < COUNTED_REQUESTS; request++) await demo.post(path);
    counts.push((counter.statements - before) / COUNTED_REQUESTS);
  }
  return counts;
}

async function requestsPerSecond(
  url: string,
  { token }: RawClient,
  headers: Readonly<Record<string, string>>,
): Promise<number> {
  const authorized = { Authorization: `Bearer ${token ?? ""}`, ...headers };
  return (await rawLoad({ url, headers: authorized, body: "{}" }, CONNECTIONS, SECONDS)).requestsPerSecond;
}
