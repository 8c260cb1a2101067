import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Script } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Type } from "typebox";
import { contract } from "@swath/contract";
import { sampleContract } from "../sample-contract.ts";
import { docsPage } from "../docs/docs-page.ts";
import { DOCS_SCRIPT } from "../docs/docs-script.ts";
import { installExtra } from "../../../../../scripts/extras.ts";
import { identityPaths } from "../identity-document.ts";
import { readExamples } from "./examples.ts";
import { openApiDocument } from "./openapi.ts";
import { createSchemaBook } from "./openapi-schemas.ts";
import { defineOperation } from "@swath/contract/kit/operation";
import { definePipeline } from "@swath/contract/kit/pipeline-operation";

const legacy = definePipeline({
  path: "/release/:mapType/geojson",
  summary: "Legacy",
  request: Type.Object({ mapType: Type.String(), sceneId: Type.String() }),
  result: Type.Object({}),
});

/** Every `$ref` of a document. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : references(member),
  );
}

test("every declaration is in the document, pipelines twice", () => {
  const document = openApiDocument(sampleContract);
  assert.deepEqual(
    Object.entries(document.paths).map(([path, methods]) => `${Object.keys(methods).join()} ${path}`),
    [
      "post /sample/echo",
      "post /sample/fail",
      "get /sample/files/{name}/{z}",
      "get /sample/greet/{name}",
      "post /sample/personal",
      "put /sample/uploads/{id}",
      "post /sample/wait",
      "post /sample/whole/initiate",
      "post /sample/whole/retrieve",
      "post /sample/work/initiate",
      "post /sample/work/retrieve",
    ],
  );
});

test("headers and answers 201 of an operation are in the document", () => {
  const operation = defineOperation({
    path: "/things/:thingId/parts",
    summary: "Make a part",
    request: Type.Object({ thingId: Type.String() }),
    response: Type.Object({}),
    headers: { "idempotency-key": Type.String({ description: "name of the request" }) },
    created: { mediaType: "application/geo+json", orDone: false },
  });
  const { parameters, responses } = Object(
    openApiDocument({ things: { operation } }).paths["/things/{thingId}/parts"],
  ).post;
  assert.deepEqual(
    parameters.map((one: { name: string; in: string; required: boolean }) => [one.name, one.in, one.required]),
    [
      ["thingId", "path", true],
      ["idempotency-key", "header", false],
    ],
  );
  assert.deepEqual(Object.keys(responses["201"].content), ["application/geo+json"]);
  assert.ok("Location" in responses["201"].headers && !("200" in responses));
});

test("a parameter in the path of a POST is told there and not asked for in the body", () => {
  const { paths } = openApiDocument({ legacy: { legacy } });
  assert.deepEqual(Object.keys(paths), ["/release/{mapType}/geojson/initiate", "/release/{mapType}/geojson/retrieve"]);
  for (const methods of Object.values(paths)) {
    assert.match(JSON.stringify(methods), /"name":"mapType","in":"path","required":true/);
  }
  const initiate = JSON.stringify(paths["/release/{mapType}/geojson/initiate"]);
  assert.match(initiate, /"required":\["sceneId"\]/);
  assert.doesNotMatch(initiate, /"properties":\{"mapType"/);
});

test("rights, parameters and errors of an operation are told", () => {
  const { paths } = openApiDocument(sampleContract);
  const echo = JSON.stringify(paths["/sample/echo"]?.["post"]);
  assert.match(echo, /"x-permissions":\["sample.echo"\]/);
  assert.match(echo, /"422":\{"description":"[^"]*VALIDATION-ERROR/);
  const file = JSON.stringify(paths["/sample/files/{name}/{z}"]?.["get"]);
  assert.match(file, /"name":"z","in":"path","required":true/);
  assert.match(file, /"name":"threshold","in":"query","required":false/);
  assert.match(file, /"304":\{"description":"Unchanged"\}/);
});

test("the limit, its headers and the work that a request pays for are in the document", () => {
  const { components, info, paths } = openApiDocument(sampleContract);
  const operationOf = (path: string): string => JSON.stringify(paths[path]);
  assert.match(operationOf("/sample/work/initiate"), /"x-rate-limit":\{"policy":"initiate","work":\["maps"\]\}/);
  assert.match(operationOf("/sample/work/retrieve"), /"x-rate-limit":\{"policy":"read"\}/);
  assert.match(operationOf("/sample/files/{name}/{z}"), /"x-rate-limit":\{"policy":"grid"\}/);
  for (const path of Object.keys(paths)) {
    assert.match(operationOf(path), /"200":\{"headers":\{"RateLimit":\{"\$ref":"#\/components\/headers\/RateLimit"/);
    assert.match(operationOf(path), /"429":\{"headers":\{"RateLimit"/);
  }
  assert.deepEqual(Object.keys(components["headers"] ?? {}), ["RateLimit", "RateLimit-Policy"]);
  assert.match(
    String(info["description"]),
    /one more for each 64 KiB of its body, 200 positions of its shapes, 10 maps/,
  );
});

test("the service's document has no loose reference, no $id and one id for each operation", () => {
  const document = openApiDocument(contract);
  for (const reference of references(document)) {
    const [, kind = "", name = ""] = /^#\/components\/(schemas|headers)\/(.+)$/.exec(reference) ?? [];
    assert.ok(Object.hasOwn(document.components[kind] ?? {}, name), reference);
  }
  const text = JSON.stringify(document);
  assert.doesNotMatch(text, /"\$id"/);
  const ids = Array.from(text.matchAll(/"operationId":"([^"]+)"/g), (match) => match[1]);
  assert.equal(new Set(ids).size, ids.length);
});

test("the human page holds every path and asks nobody else for anything", () => {
  const document = openApiDocument(contract);
  const page = docsPage(document);
  for (const path of Object.keys(document.paths)) assert.ok(page.includes(`>${path}<`), path);
  assert.doesNotMatch(page, /(src|href)="https?:/);
  assert.doesNotMatch(page, /@import|url\(/);
  assert.doesNotThrow(() => new Script(DOCS_SCRIPT));
  assert.doesNotMatch(DOCS_SCRIPT, /<\/script/i);
});

/** Every schema of a document: what stands under `schema`, and the named ones. */
function schemasOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(schemasOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === "schema" ? [member] : schemasOf(member)));
}

test("every schema of the document is one of JSON Schema 2020-12, as OpenAPI 3.1 asks", () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  const document = openApiDocument(contract);
  const schemas = [...schemasOf(document), ...Object.values(document.components["schemas"] ?? {})];
  assert.ok(schemas.length > 50);
  for (const schema of schemas) {
    assert.ok(typeof schema === "object" && schema !== null);
    assert.ok(ajv.validateSchema(schema) === true, `${ajv.errorsText()} in ${JSON.stringify(schema).slice(0, 300)}`);
  }
});

/** The part of the validator's interface that is used. */
interface OpenApiValidator {
  validate(document: object): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
  readonly version: string;
}

test("the document is one of OpenAPI 3.1", async () => {
  const path = join(installExtra("openapi"), "@seriousme/openapi-schema-validator/index.js");
  const { Validator } = (await import(path)) as { readonly Validator: new () => OpenApiValidator };
  const validator = new Validator();
  const document = openApiDocument(contract, { extraPaths: identityPaths, examples: readExamples() });
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.deepEqual([valid, errors], [true, undefined]);
  assert.equal(validator.version, "3.1");
  assert.equal((await validator.validate({ ...document, info: {} })).valid, false);
});

test("an extent is a reference wherever it stands, with its own description beside", () => {
  const document = openApiDocument(contract);
  assert.equal(document.components["schemas"] instanceof Object, true);
  const { Extent: extent, ...schemas }: Record<string, unknown> = { ...Object(document.components["schemas"]) };
  assert.ok(JSON.stringify(extent).includes('"discriminator":{"propertyName":"type"'));
  const others = JSON.stringify([document.paths, schemas]);
  assert.doesNotMatch(others, /"title":"Extent"/);
  assert.match(others, /\{"\$ref":"#\/components\/schemas\/Extent","description":"[^"]*free[^"]*"\}/);
});

test("every operation says which statuses a fault of the service and a wrong address have", () => {
  const { paths } = openApiDocument(contract, { extraPaths: identityPaths });
  for (const [path, methods] of Object.entries(paths)) {
    if (path.startsWith("/.well-known")) continue;
    for (const operation of Object.values(methods)) {
      const { responses } = Object(operation) as { readonly responses: object };
      for (const status of ["429", "500", "503"]) assert.ok(status in responses, `${path} ${status}`);
      assert.ok(!path.includes("{") || "404" in responses, `${path} 404`);
    }
  }
});

test("two different schemas of one name are refused", () => {
  const book = createSchemaBook();
  book.write({ title: "Place", type: "string" });
  assert.deepEqual(book.write({ title: "Place", type: "string", description: "of birth" }), {
    $ref: "#/components/schemas/Place",
    description: "of birth",
  });
  assert.throws(() => book.write({ title: "Place", type: "number" }), /two schemas claim the name Place/);
});

test("a pair is a list of two, which generators of clients read", () => {
  const pair = Type.Tuple([Type.String(), Type.String()]);
  assert.deepEqual(createSchemaBook().write(pair), {
    type: "array",
    items: { type: "string" },
    minItems: 2,
    maxItems: 2,
  });
});

test("a choice of texts is an enumeration, with null beside", () => {
  const texts = [Type.Literal("a"), Type.Literal("b")];
  assert.deepEqual(createSchemaBook().write(Type.Union(texts)), { type: "string", enum: ["a", "b"] });
  assert.deepEqual(createSchemaBook().write(Type.Union([...texts, Type.Null()])), {
    anyOf: [{ type: "string", enum: ["a", "b"] }, { type: "null" }],
  });
});
