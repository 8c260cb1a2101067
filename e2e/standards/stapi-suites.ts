import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installedSchemathesis, SCHEMATHESIS_VERSION } from "../fuzz/schemathesis-command.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { finished, type Finished } from "./finished.ts";
import { pythonEnvironment } from "./python-environment.ts";
import type { StandardRun } from "./standard-run.ts";

const PRODUCT = "radar--multi.spotlight.flexible";
const PACKAGES = { "stapi-pydantic": "0.1.0", jsonschema: "4.26.0" } as const;

/** Runs the suites of STAPI against a separate service, whose rehearsals last seconds. */
export async function stapiSuites(): Promise<readonly StandardRun[]> {
  await using service = await ServiceProcess.start({ SWATH_TASKING_SPEED: "86400" });
  const { token } = await new RawClient(service.baseUrl).login(DEMO);
  const root = `${service.baseUrl}/stapi`;
  return [await validateModels(root, token ?? ""), await attackDocument(root, token ?? "")];
}

/** Orders, and reads every answer by the models of stapi-pydantic. */
async function validateModels(root: string, token: string): Promise<StandardRun> {
  const client = `stapi-pydantic ${PACKAGES["stapi-pydantic"]}`;
  const ran = "products, searches, an order up to its scene: every answer";
  const python = pythonEnvironment("stapi", PACKAGES, "import stapi_pydantic, jsonschema");
  if (python === null) return notInstalled(client);
  const script = join(import.meta.dirname, "stapi_models.py");
  return outcomeOf(client, ran, await finished(python, [script, root, token, PRODUCT]));
}

/** A request that fits its schema may still be against the limits of a product. */
const LEFT_OUT = "positive_data_acceptance";

/** Things that generated requests ask for: with names at random no request would reach any. */
async function knownNames(root: string, token: string): Promise<Readonly<Record<string, string>>> {
  const first = async (path: string, member: string): Promise<string> => {
    const answer = await fetch(`${root}/${path}?limit=1`, { headers: { authorization: `Bearer ${token}` } });
    const list: Readonly<Record<string, readonly { readonly id: string }[]>> = JSON.parse(await answer.text());
    return list[member]?.[0]?.id ?? "";
  };
  const searchId = await first("searches/opportunities", "search_records");
  return { productId: PRODUCT, orderId: await first("orders", "features"), searchId };
}

/** Sends requests that are generated from the document of the dialect. */
async function attackDocument(root: string, token: string): Promise<StandardRun> {
  const client = `schemathesis ${SCHEMATHESIS_VERSION}`;
  const ran = `every operation of /stapi/api, all checks but ${LEFT_OUT}`;
  const command = installedSchemathesis();
  if (command === null) return notInstalled(client);
  const names = Object.entries(await knownNames(root, token));
  const folder = await mkdtemp(join(tmpdir(), "swath-schemathesis-"));
  const config = join(folder, "schemathesis.toml");
  await writeFile(config, `[parameters]\n${names.map(([name, id]) => `"path.${name}" = "${id}"`).join("\n")}\n`);
  const options = ["--exclude-checks", LEFT_OUT, "--phases", "examples,coverage,fuzzing", "--max-examples", "20"];
  const rest = ["--suppress-health-check", "all", "--generation-database", "none", "--no-color", "--seed", "1"];
  const header = ["--header", `Authorization: Bearer ${token}`];
  const args = ["--config-file", config, "run", `${root}/api`, ...header, ...options, ...rest];
  const ended = await finished(command, args, {}, folder);
  await rm(folder, { recursive: true });
  const run = outcomeOf(client, ran, ended);
  // Its last line has the time of the run.
  return ended.code === 0 ? { ...run, result: "no failure" } : run;
}

function notInstalled(client: string): StandardRun {
  const result = "needs Python 3 with venv, and PyPI at its first use";
  return { client, ran: "", outcome: "not installed", result };
}

function outcomeOf(client: string, ran: string, { code, log }: Finished): StandardRun {
  if (code !== 0) process.stdout.write(`${log.slice(-8000)}\n`);
  const lines = log.trim().split("\n");
  const last = lines.findLast((line) => /[A-Za-z]/u.test(line)) ?? "";
  const result = last.replaceAll(/[=|]+/gu, " ").trim().slice(0, 200);
  return { client, ran, outcome: code === 0 ? "passed" : "failed", result };
}
