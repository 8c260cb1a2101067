import type { Example, Examples } from "../packages/service/src/http/openapi/examples.ts";
import { operationOf, undocumented, type ApiDocument } from "./documented-exchanges.ts";
import type { Exchange } from "./raw-client.ts";

const SUCCESSES: ReadonlySet<number> = new Set([200, 201]);
const MAX_ITEMS = 2;
const MAX_MEMBERS = 12;
const SECRETS: ReadonlyMap<string, string> = new Map([
  ...["id_token", "access_token", "mfa_token", "token", "secret", "otpauth_uri", "key"].map(
    (name) => [name, "…"] as const,
  ),
  ["password", "an orbit a day keeps clouds away"],
]);

/**
 * One example for each operation with a successful exchange: the known one while it suits the document, otherwise the
 * first that was recorded, shortened and without secrets.
 */
export function recordedExamples(document: ApiDocument, exchanges: readonly Exchange[], known: Examples): Examples {
  const examples = new Map<string, Example>();
  for (const exchange of exchanges) {
    const matched = operationOf(document, exchange);
    if (matched === null || !SUCCESSES.has(exchange.status)) continue;
    const { key } = matched;
    // The example of a status request shows a pipeline that went well, where one did.
    if (examples.has(key) && !(hasFailed(examples.get(key)?.response) && !hasFailed(exchange.response))) continue;
    const kept = known[key];
    examples.set(key, kept !== undefined && suits(document, exchange, kept) ? kept : exampleOf(key, exchange));
  }
  return Object.fromEntries([...examples].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function hasFailed(response: unknown): boolean {
  return typeof response === "object" && response !== null && "status" in response && response.status === "FAILED";
}

function suits(document: ApiDocument, exchange: Exchange, example: Example): boolean {
  const { request = null, response = null, status = 200 } = example;
  if (hasFailed(response) && !hasFailed(exchange.response)) return false;
  const isComplete =
    (request === null) === (exchange.request === null) && (response === null) === (exchange.response === null);
  return isComplete && undocumented(document, [{ ...exchange, request, response, status }]).length === 0;
}

function exampleOf(key: string, { path, request, response, status }: Exchange): Example {
  const values = path.split("/");
  const parameters = key
    .slice(key.indexOf(" ") + 1)
    .split("/")
    .flatMap((name, i) =>
      name.startsWith("{") ? [[name.slice(1, -1), withoutSecrets(values[i] ?? "")] as const] : [],
    );
  return {
    ...(parameters.length === 0 ? {} : { parameters: Object.fromEntries(parameters) }),
    ...(request === null ? {} : { request: shortened(request) }),
    ...(response === null ? {} : { response: shortened(response) }),
    ...(status === 200 ? {} : { status }),
  };
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) {
    // Positions of a geometry belong together.
    const isNumeric = JSON.stringify(value).replaceAll(/[-0-9.eE,[\]]/g, "") === "";
    return isNumeric ? value : value.slice(0, MAX_ITEMS).map(shortened);
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const isDictionary = entries.length > 2 * MAX_MEMBERS;
  return Object.fromEntries(
    entries
      .slice(0, isDictionary ? MAX_MEMBERS : entries.length)
      .map(([name, member]) => [
        name,
        typeof member === "string" ? (SECRETS.get(name) ?? shortened(member)) : shortened(member),
      ]),
  );
}

function withoutSecrets(text: string): string {
  return text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, "https://swath.example")
    .replaceAll(/signature=[\w-]+/g, "signature=…")
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "eyJ…");
}
