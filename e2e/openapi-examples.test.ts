import assert from "node:assert/strict";
import { test } from "node:test";
import { contract } from "../packages/contract/src/contract.ts";
import { identityPaths } from "../packages/service/src/http/identity-document.ts";
import { readExamples } from "../packages/service/src/http/openapi/examples.ts";
import { openApiDocument } from "../packages/service/src/http/openapi/openapi.ts";
import { undocumented, type ApiDocument } from "./documented-exchanges.ts";
import type { Exchange } from "./raw-client.ts";

const examples = readExamples();
const whole = openApiDocument(contract, { extraPaths: identityPaths, examples });
const document = JSON.parse(JSON.stringify(whole)) as ApiDocument;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

function exchangeOf(key: string): Exchange {
  const [name, path = ""] = key.split(" ");
  const method = METHODS.find((one) => one === name);
  const { request = null, response = null, status = 200 } = examples[key] ?? {};
  assert.ok(method !== undefined, key);
  const { content = {} } = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)] ?? {};
  const mediaType = Object.keys(content).find((type) => /[/+]json\b/u.test(type)) ?? "application/json";
  return { method, path, request, response, status, mediaType: response === null ? "" : mediaType };
}

test("every example suits the schemas of its operation", () => {
  const exchanges = Object.keys(examples).map(exchangeOf);
  assert.ok(exchanges.length > 80);
  const faults = undocumented(document, exchanges);
  assert.deepEqual(faults, [], `${faults.join("\n")}\n\`npm run examples\` replaces them`);
  const [first] = exchanges.filter(({ path }) => path === "/imagery/search/initiate");
  assert.ok(first !== undefined);
  assert.equal(undocumented(document, [{ ...first, request: { extent: { type: "Circle" } } }]).length, 1);
  assert.equal(undocumented(document, [{ ...first, status: 418 }]).length, 1);
});

test("every operation with a body of JSON has an example of it", () => {
  const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
      const bodies = [requestBody, responses["200"]].map((body) => body?.content?.["application/json"]);
      return bodies.every((json) => json === undefined || "example" in json) ? [] : [`${method} ${path}`];
    }),
  );
  // Of files the address is the example: the name of the file decides whether it is JSON.
  assert.deepEqual(
    missing.filter((one) => !/\/mapsvc\/(?:grid|files)\//.test(one)),
    [],
  );
});
