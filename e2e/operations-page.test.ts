import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { freePort } from "@swath/base/processes/free-port";
import { ServiceProcess } from "./service-process.ts";

const PAGE = readFileSync(join(import.meta.dirname, "..", "docs", "operations.md"), "utf8");
const TOKEN = "a-token-of-the-scraper";
const run = promisify(execFile);

/** The command of the page that begins so, as it is written there. */
function commandOf(beginning: string): string {
  const found = [...PAGE.replaceAll(/^```[^]*?^```$/gmu, "").matchAll(/`([^`]+)`/gu)].map(([, code = ""]) =>
    code.replaceAll(/\s+/gu, " "),
  );
  return found.find((code) => code.startsWith(beginning)) ?? assert.fail(`the page has no command ${beginning}`);
}

test("the commands of the page probe a process and read its metrics", async () => {
  const opsPort = String(await freePort());
  await using service = await ServiceProcess.start({ SWATH_OPS_PORT: opsPort, SWATH_METRICS_TOKEN: TOKEN });
  const outputOf = async (command: string): Promise<string> => {
    const own = command.replaceAll("http://127.0.0.1:8080", service.baseUrl).replaceAll(":9464", `:${opsPort}`);
    const environment = { PATH: process.env["PATH"], SWATH_METRICS_TOKEN: TOKEN };
    return (await run("sh", ["-c", own.replace("curl ", "curl -sS ")], { env: environment })).stdout;
  };
  assert.deepEqual(JSON.parse(await outputOf(commandOf("curl -f http://127.0.0.1:9464/health/ready"))), {
    status: "ok",
    live: true,
    ready: true,
  });
  assert.match(await outputOf(commandOf('curl -H "Authorization: Bearer $SWATH_METRICS')), /^swath_database_up 1$/mu);
});

test("a port for operators without a token answers the scrape of the page", async () => {
  const opsPort = String(await freePort());
  await using service = await ServiceProcess.start({ SWATH_OPS_PORT: opsPort });
  const command = commandOf("curl http://127.0.0.1:9464/metrics").replace(":9464", `:${opsPort}`);
  const { stdout } = await run("sh", ["-c", command]);
  assert.match(stdout, /^swath_http_connections \d+$/mu, service.output);
});
