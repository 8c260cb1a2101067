import * as fc from "fast-check";
import { membersOf, type Schema } from "../example-request.ts";
import type { FuzzOperation } from "./fuzz-operations.ts";
import { ACTORS, type FuzzRequest } from "./fuzz-request.ts";
import { hostileText } from "./hostile-texts.ts";
import { addressName, type KnownValues } from "./known-values.ts";
import { memberValues } from "./member-values.ts";
import { encodedBodies } from "./request-bodies.ts";
import { valuesOf } from "./schema-values.ts";
import { spoiled } from "./spoiled-values.ts";
import { hasBody } from "../../packages/contract/src/kit/operation.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"];

/** Headers that the service reads, with values that it does not expect. */
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["authorization", "Bearer"],
  ["authorization", "Bearer a.b.c"],
  ["authorization", `Bearer ${"x".repeat(8000)}`],
  ["authorization", "Basic dTpw"],
  ["authorization", "Bearer key_000000000000_x"],
  ["authorization", "Bearer key_\u00FF"],
  ["accept", "application/xml;q=NaN"],
  ["accept-encoding", "br;q=2, gzip;q=-1, *"],
  ["accept-encoding", "x".repeat(5000)],
  ["range", "bytes=5-1"],
  ["range", "bytes=0-0,2-3,-1"],
  ["range", "bytes=-99999999999999999999"],
  ["if-none-match", "*"],
  ["if-none-match", 'W/"a", b, "'],
  ["if-modified-since", "yesterday"],
  ["content-range", "bytes 0-9/10"],
  ["content-range", "bytes */10"],
  ["content-range", "bytes 9007199254740993-1/0"],
  ["content-range", "bytes 0-0/-1"],
  ["request-id", "\u00E9".repeat(70)],
  ["origin", "null"],
  ["origin", "https://\u00FF"],
  ["host", "evil.example:99999"],
  ["host", ""],
  ["host", "[::1"],
  ["x-forwarded-host", "a,b"],
  ["x-forwarded-proto", "gopher"],
  ["x-forwarded-for", "999.1.1.1"],
  ["expect", "100-continue"],
  ["transfer-encoding", "chunked"],
  ["cookie", "__proto__=1"],
  ["access-control-request-method", "\u00FF"],
];

const headers = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 })
      .map((chosen) => Object.fromEntries(chosen)),
  },
);

/** Endings of an address that no schema describes. */
const ENDINGS = [
  "?",
  "?&&==",
  "?a[b]=c&a=1&a=2",
  "?__proto__=1",
  "?%zz=%",
  "%",
  "%C0%80",
  "//",
  "/..",
  ";x",
  `?${"a=1&".repeat(300)}`,
  `/${"x".repeat(9000)}`,
];

const ending = fc.oneof(
  { weight: 25, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(...ENDINGS) },
);

/** The text as part of an address; half a surrogate pair as the bytes that a careless client sends. */
function encoded(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : "%ED%A0%80";
}

function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** The address of an operation, its parameters taken from the values. */
function addressOf(operation: FuzzOperation, values: unknown, inQuery: boolean): string {
  const given = new Map(typeof values === "object" && values !== null ? Object.entries(values) : []);
  const path = operation.path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const value = given.get(name);
    given.delete(name);
    return value === undefined ? "-" : encoded(textOf(value));
  });
  if (!inQuery) return path;
  const query = [...given].flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).slice(0, 50).map((one) => `${encoded(name)}=${encoded(textOf(one))}`),
  );
  return query.length > 0 ? `${path}?${query.join("&").slice(0, 12_000)}` : path;
}

function mergedSchema(schemas: readonly Schema[]): Schema {
  const [only] = schemas;
  if (schemas.length === 1 && only !== undefined) return only;
  const required = schemas.flatMap((one) => (Array.isArray(one["required"]) ? one["required"] : []));
  return { type: "object", required, properties: Object.assign({}, ...schemas.map(membersOf)) };
}

/** Requests for an operation, of every caller: right ones, and wrong ones in every part of them. */
export function requestsOf(operation: FuzzOperation, known: KnownValues): fc.Arbitrary<FuzzRequest> {
  const right = valuesOf(mergedSchema(operation.schemas), memberValues(known, operation.path));
  const values = fc.oneof(
    { weight: 10, arbitrary: right },
    { weight: 5, arbitrary: spoiled(right) },
    { weight: 1, arbitrary: fc.oneof(fc.jsonValue({ maxDepth: 4 }), hostileText) },
  );
  const actor = fc.constantFrom(...ACTORS, "user" as const, "administrator" as const);
  const method = fc.oneof(
    { weight: 40, arbitrary: fc.constant(operation.method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  const index = fc.nat({ max: 1000 });
  if (operation.bodyLimitBytes > 0 && hasBody(operation.method)) {
    const inPath = operation.path.includes(":") ? right : fc.constant({});
    const bodies = encodedBodies(values, operation.bodyLimitBytes);
    return fc.record({ actor, method, path: inPath, end: ending, headers, body: bodies }).map((parts) => ({
      actor: parts.actor,
      method: parts.method,
      url: `${addressOf(operation, parts.path, false)}${parts.end}`,
      headers: { ...parts.body.headers, ...parts.headers },
      body: parts.method === "GET" || parts.method === "HEAD" ? null : parts.body.bytes,
    }));
  }
  const bytes = operation.method === "PUT" ? fc.uint8Array({ maxLength: 200 }) : fc.constant(null);
  return fc.record({ actor, method, values, end: ending, headers, index, bytes }).map((parts) => {
    // No generator signs an address: every other request takes one that the service has given.
    const signed = parts.index % 2 === 0 ? known.pick(addressName(operation.path), parts.index) : undefined;
    return {
      actor: parts.actor,
      method: parts.method,
      url: `${typeof signed === "string" ? signed : addressOf(operation, parts.values, true)}${parts.end}`,
      headers: parts.headers,
      body: parts.method === "PUT" ? (parts.bytes ?? new Uint8Array()) : null,
    };
  });
}
