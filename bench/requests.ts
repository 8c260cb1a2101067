import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import autocannon from "autocannon";
import { RawClient } from "../e2e/raw-client.ts";
import { DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { median, printRatio } from "./statistics.ts";

const ROUNDS = 3;
const SECONDS = 4;
const CONNECTIONS = 50;

/** Requests per second of a small authenticated operation against a bare `node:http` server, one process each. */
export async function run(): Promise<void> {
  await using service = await ServiceProcess.start();
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const bare = spawn(process.execPath, [join(import.meta.dirname, "children", "bare-http.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(bare.stdout, "data");
    const measure = async (url: string): Promise<number> => {
      const result = await autocannon({
        url,
        method: "POST",
        connections: CONNECTIONS,
        duration: SECONDS,
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${demo.token ?? ""}` },
        body: "{}",
      });
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
      return result.requests.average;
    };
    const rates = { info: [] as number[], credit: [] as number[], limit: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      rates.info.push(await measure(`${service.baseUrl}/user/info`));
      rates.credit.push(await measure(`${service.baseUrl}/credits/get-remaining-credit`));
      rates.limit.push(await measure(`http://127.0.0.1:${String(port).trim()}/`));
    }
    process.stdout.write(`user/info ${median(rates.info).toFixed(0)} requests/s (token and user, no SQL)\n`);
    process.stdout.write(
      `credits/get-remaining-credit ${median(rates.credit).toFixed(0)} requests/s (one SQL statement)\n`,
    );
    process.stdout.write(`bare node:http ${median(rates.limit).toFixed(0)} requests/s\n`);
    printRatio("requests", median(rates.info) / median(rates.limit), "bare node:http");
  } finally {
    bare.kill();
  }
}
