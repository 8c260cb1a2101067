import { installedSchemathesis, SCHEMATHESIS_VERSION, schemathesisOptions } from "../fuzz/schemathesis-command.ts";
import { finished } from "./finished.ts";
import type { StandardRun } from "./standard-run.ts";

/** A document that describes addresses of the service. */
interface DialectDocument {
  readonly path: string;
  /** Addresses of the document to ask: all without it. */
  readonly only?: string;
  readonly checks: readonly string[];
}

const ANY = ["not_a_server_error", "content_type_conformance"];
const STRICT = [...ANY, "status_code_conformance", "response_schema_conformance", "unsupported_method"];

const DOCUMENTS: readonly DialectDocument[] = [
  { path: "/stac/api", checks: STRICT },
  { path: "/openapi.json", only: "^/ogc/", checks: ANY },
  { path: "/openapi.json", checks: ANY },
];
const EXAMPLES = 10;
/** Most time of a document. */
const MOST_SECONDS = 120;
const SEED = 17;
const SHOWN_CHARACTERS = 8000;

/** Asks the service what its documents describe, with generated values. */
export async function askDocuments(baseUrl: string, token: string, folder: string): Promise<readonly StandardRun[]> {
  const command = installedSchemathesis();
  const client = `schemathesis ${SCHEMATHESIS_VERSION}`;
  const runs: StandardRun[] = [];
  for (const document of DOCUMENTS) {
    const ran = `${document.path}${document.only === undefined ? "" : `, ${document.only.replaceAll("^", "")}`}`;
    runs.push(
      command === null
        ? { client, ran, outcome: "not installed", result: "needs Python 3 with venv, and PyPI at its first use" }
        : { client, ran, ...(await ask(command, { baseUrl, token, folder }, document)) },
    );
  }
  return runs;
}

interface Asked {
  readonly baseUrl: string;
  readonly token: string;
  /** Where the program keeps what it found. */
  readonly folder: string;
}

async function ask(
  command: string,
  { baseUrl, folder, token }: Asked,
  { checks, only, path }: DialectDocument,
): Promise<Pick<StandardRun, "outcome" | "result">> {
  const options = schemathesisOptions({
    documentUrl: `${baseUrl}${path}`,
    token,
    checks,
    ...(only === undefined ? {} : { only }),
    examples: EXAMPLES,
    mostSeconds: MOST_SECONDS,
    seed: SEED,
    workers: 2,
  });
  const { code, log } = await finished(command, options, {}, folder);
  if (code !== 0) process.stdout.write(`${log.slice(-SHOWN_CHARACTERS)}\n`);
  const [, tested = "no"] = /Tested: (\d+)/u.exec(log) ?? [];
  const [, cases = "?"] = /(\d+) generated/u.exec(log) ?? [];
  const isPassed = code === 0 && tested !== "no";
  return {
    outcome: isPassed ? "passed" : "failed",
    result: `${cases} requests to ${tested} operations, ${isPassed ? "no failure" : "failures"}`,
  };
}
