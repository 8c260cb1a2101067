import { Type } from "typebox";
import type { TSchema } from "typebox";
import { ERROR_STATUS } from "../../error-status.ts";
import type { ErrorCode } from "@swath/kernel/errors/error-code";
import type { Access } from "@swath/contract/kit/access";
import type { Declaration, ServiceContract } from "@swath/contract/kit/contract";
import { isOfDialect } from "@swath/contract/kit/dialect";
import type { FileRoute } from "@swath/contract/kit/file-route";
import { COST, costOf, RATED, RATE_HEADERS } from "./openapi-rates.ts";
import { withExample } from "./examples.ts";
import type { Examples } from "./examples.ts";
import { getParameters, headerParameters, parameters, pathParameters } from "./openapi-parameters.ts";
import { createSchemaBook } from "./openapi-schemas.ts";
import type { SchemaBook } from "./openapi-schemas.ts";
import { hasBody as hasMethodBody, type Operation } from "@swath/contract/kit/operation";
import type { PipelineOperation } from "@swath/contract/kit/pipeline-operation";
import { DatasetIdSchema, SceneSchema } from "@swath/contract/kit/schemas/scene";
import { DatetimeInputSchema, DatetimeSchema } from "@swath/contract/kit/schemas/time";
import { InitiateResponse, RetrieveRequest } from "@swath/contract/kit/pipeline-routes";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** One operation of the document beyond those of the contract, already in its form. */
export interface ExtraPath {
  readonly path: string;
  readonly method: "get" | "post";
  readonly operation: Readonly<Record<string, unknown>>;
}

const error = {
  error: Type.String({ description: "stable code, upper case" }),
  errorMessage: Type.String({ description: "received and expected value, for people" }),
  details: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({
          description: "JSON Pointer into the request; `/cost`: the actual price, with PRICE-CHANGED",
        }),
        message: Type.String(),
      }),
      { description: "every fault, with 422; expected and actual price, with PRICE-CHANGED" },
    ),
  ),
};
const ErrorSchema = Type.Object(error, { title: "Error" });
const DialectErrorSchema = Type.Object(
  {
    code: Type.String({ description: "the value of `error`, as STAC API and OGC APIs name it" }),
    description: Type.String({ description: "the value of `errorMessage`" }),
    ...error,
  },
  { title: "DialectError" },
);

const STATUS_MEANING: Readonly<Record<number, string>> = {
  400: "Body, headers or query are invalid",
  401: "No valid token, or a right or credit is missing",
  402: "The area must be allocated first",
  403: "Not permitted with this kind of credential",
  404: "The resource does not exist",
  408: "The body did not arrive in time",
  409: "Conflict with another resource",
  412: "If-Match names another state of the resource",
  413: "The body is too large",
  422: "The body does not match its schema",
  424: "The pipeline failed",
  429: "Too many requests; see Retry-After",
  500: "A fault of the service; Request-Id finds it in the log",
  503: "Try again after Retry-After",
  507: "The disks of the service have no room for it; see Retry-After",
};

/** Schemas that uses describe in other words. */
const SHARED: readonly object[] = [DatasetIdSchema, DatetimeInputSchema, DatetimeSchema, SceneSchema];

/** The form of OpenAPI 3.0, which generators of clients read. */
const JSON_TYPE = "application/json";
const BYTES = { type: "string", format: "binary" };

/** The OpenAPI 3.1 document of a contract. */
export function openApiDocument(
  contract: ServiceContract,
  options: { readonly extraPaths?: readonly ExtraPath[]; readonly examples?: Examples } = {},
): OpenApiDocument {
  const book = createSchemaBook(SHARED.map((schema) => ({ ...schema })));
  for (const schema of [ErrorSchema, DialectErrorSchema]) book.write(schema);
  const paths: Record<string, Record<string, unknown>> = {};
  const add = (path: string, method: string, operation: unknown): void => {
    const template = path.replaceAll(/:(\w+)/g, "{$1}");
    const example = options.examples?.[`${method.toUpperCase()} ${template}`];
    const written = example === undefined ? operation : withExample(operation, example);
    paths[template] = { ...paths[template], [method.toLowerCase()]: written };
  };
  for (const [feature, declarations] of Object.entries(contract)) {
    for (const [name, declaration] of Object.entries(declarations)) {
      for (const route of routesOf(declaration, `${feature}.${name}`, feature, book)) {
        add(route.path, route.method, route.operation);
      }
    }
  }
  for (const extra of options.extraPaths ?? []) add(extra.path, extra.method, extra.operation);
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const tags = [...Object.keys(contract), ...((options.extraPaths?.length ?? 0) > 0 ? ["identity"] : [])];
  return {
    openapi: "3.1.0",
    info: {
      title: "Swath",
      version: "1",
      description:
        "Satellite imagery: search, ingestion, tiled maps and credits. Bodies are JSON. An empty body is {}, " +
        "null for an optional field means absence. Unknown fields are answered with warnings, or refused where money, " +
        "rights or prices move. Every answer carries " +
        `Api-Version and Request-Id. ${COST}`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: tags.toSorted().map((name) => ({ name })),
    paths: Object.fromEntries(sorted),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: book.components(),
      headers: RATE_HEADERS,
    },
  };
}

/** Answers of an operation with success, by status. */
function successes({ created, fileTypes, mediaType, response }: Operation, book: SchemaBook): Record<number, unknown> {
  const files = Object.fromEntries(fileTypes.map((type) => [type, { schema: BYTES }]));
  const answer = (type: string, description: string, headers: object = {}): unknown => ({
    headers: { ...RATED.headers, ...headers },
    description,
    content: { [type]: { schema: book.write(response) }, ...files },
  });
  return {
    ...(created === null || created.orDone ? { 200: answer(mediaType, "Done") } : {}),
    ...(created === null
      ? {}
      : { 201: answer(created.mediaType, "Created; Location is its address", { Location: LOCATION }) }),
  };
}

const LOCATION = { description: "Address of the thing that the request made", schema: { type: "string" } };

interface DocumentedRoute {
  readonly path: string;
  readonly method: string;
  readonly operation: unknown;
}

function routesOf(declaration: Declaration, id: string, tag: string, book: SchemaBook): DocumentedRoute[] {
  if (declaration.kind === "operation") return [operationRoute(declaration, id, tag, book)];
  if (declaration.kind === "pipeline") return pipelineRoutes(declaration, id, tag, book);
  return [fileRoute(declaration, id, tag, book)];
}

function operationRoute(declaration: Operation, id: string, tag: string, book: SchemaBook): DocumentedRoute {
  const { path, method, request } = declaration;
  const { parameters: inAddress = [], ...body } = hasMethodBody(method)
    ? bodyAndPath(path, request, request, book)
    : { parameters: getParameters(path, request, book) };
  const all = [...inAddress, ...headerParameters(declaration, book)];
  return {
    path,
    method,
    operation: {
      ...head(declaration, id, tag, declaration.permissions),
      ...requestPermissions(declaration),
      ...costOf(declaration.rateClass, declaration.work),
      ...(hasMethodBody(method) && all.length === 0 ? {} : { parameters: all }),
      ...body,
      responses: {
        ...successes(declaration, book),
        ...errorResponses(
          declaration,
          [...declaration.errors, ...addressErrors(path, request, hasMethodBody(method) ? "POST" : "GET")],
          hasMethodBody(method),
        ),
      },
    },
  };
}

function pipelineRoutes(declaration: PipelineOperation, id: string, tag: string, book: SchemaBook): DocumentedRoute[] {
  const { errors, partialResult, result, retrievePermissions, summary } = declaration;
  const early: ErrorCode[] = [...errors.filter((code) => ERROR_STATUS[code] !== 424), "INSUFFICIENT-STORAGE"];
  const late: ErrorCode[] = [
    "NON-EXISTENT-PIPELINE",
    "INVALID_PIPELINE_RESULT",
    "PIPELINE-NOT-PROCESSED",
    "PROCESSING-ERROR",
    "PIPELINE-CANCELLED",
    ...errors.filter((code) => ERROR_STATUS[code] === 424),
  ];
  const answer = partialResult === null ? result : Type.Union([result, partialResult]);
  return [
    {
      path: `${declaration.path}/initiate`,
      method: "post",
      operation: {
        ...head(declaration, `${id}.initiate`, tag, declaration.permissions),
        ...requestPermissions(declaration),
        ...costOf("initiate", declaration.work),
        ...bodyAndPath(declaration.path, declaration.request, declaration.request, book),
        responses: {
          200: {
            ...RATED,
            description: "Accepted as a pipeline",
            content: { "application/json": { schema: book.write(InitiateResponse) } },
          },
          ...errorResponses(
            declaration,
            [...early, ...addressErrors(declaration.path, declaration.request, "POST")],
            true,
          ),
        },
      },
    },
    {
      path: `${declaration.path}/retrieve`,
      method: "post",
      operation: {
        ...head({ ...declaration, summary: `${summary}: result` }, `${id}.retrieve`, tag, retrievePermissions),
        ...costOf("read", {}),
        ...bodyAndPath(declaration.path, RetrieveRequest, declaration.request, book),
        responses: {
          200: { ...RATED, description: "Done", content: { "application/json": { schema: book.write(answer) } } },
          ...errorResponses(
            declaration,
            [...late, ...addressErrors(declaration.path, declaration.request, "POST")],
            true,
          ),
        },
      },
    },
  ];
}

function fileRoute(declaration: FileRoute, id: string, tag: string, book: SchemaBook): DocumentedRoute {
  const { path, method, params, query, mediaTypes, schemas, statuses } = declaration;
  const schemaOf = (type: string): unknown => (schemas[type] === undefined ? BYTES : book.write(schemas[type]));
  const bytes = Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(type) }]));
  const json = schemas[JSON_TYPE];
  // A PUT takes the bytes, and may answer JSON.
  const taken = json === undefined ? null : { [JSON_TYPE]: { schema: book.write(json) } };
  const answer = method === "GET" ? bytes : taken;
  const responses = Object.entries(statuses).map(([status, description]): [string, unknown] => {
    const number = Number(status);
    const content = number >= 400 ? errorContent(path) : number === 200 ? answer : null;
    const rated = number === 200 ? RATED : {};
    return [status, { ...rated, description, ...(content === null ? {} : { content }) }];
  });
  return {
    path,
    method,
    operation: {
      ...head(declaration, id, tag, declaration.permissions),
      ...requestPermissions(declaration),
      ...costOf(declaration.rateClass, {}),
      parameters: [...parameters("path", params, book), ...parameters("query", query, book)],
      ...(method === "PUT" ? { requestBody: bytesBody(mediaTypes) } : {}),
      responses: {
        ...errorResponses(declaration, [...declaration.errors, ...addressErrors(path, query, "GET")], false),
        ...Object.fromEntries(responses),
      },
    },
  };
}

/** One media type: with several, generators of clients write code that does not load. */
function bytesBody([first = "application/octet-stream", ...others]: readonly string[]): unknown {
  const description = others.length === 0 ? {} : { description: `also as ${others.join(", ")}` };
  return { required: true, ...description, content: { [first]: { schema: BYTES } } };
}

/** Templates of the permissions that depend on a request. */
function requestPermissions(declaration: Declaration): Record<string, unknown> {
  const templates = [...declaration.contentPermissions, ...declaration.conditionalPermissions];
  return templates.length === 0 ? {} : { "x-permissions-by-request": templates };
}

function head(
  declaration: { readonly summary: string; readonly description: string; readonly access: Access },
  id: string,
  tag: string,
  permissions: readonly string[],
): Record<string, unknown> {
  const { access, description, summary } = declaration;
  const security = { public: [], optional: [{}, { bearer: [] }], bearer: [{ bearer: [] }], user: [{ bearer: [] }] };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === "" ? {} : { description }),
    security: security[access],
    ...(permissions.length === 0 ? {} : { "x-permissions": permissions }),
    ...(access === "user" ? { "x-user-authentication-only": true } : {}),
  };
}

function jsonBody(schema: TSchema, book: SchemaBook): unknown {
  const required = "required" in schema && Array.isArray(schema.required) && schema.required.length > 0;
  return { required, content: { "application/json": { schema: book.write(schema) } } };
}

interface BodyAndPath {
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
}

/** The body of a POST, and the parameters of its path where it has some. */
function bodyAndPath(path: string, body: TSchema, request: TSchema, book: SchemaBook): BodyAndPath {
  const inPath = pathParameters(path);
  return {
    ...(inPath.size === 0 ? {} : { parameters: parameters("path", request, book, (name) => inPath.has(name)) }),
    requestBody: jsonBody(inPath.size === 0 ? body : withoutMembers(body, inPath), book),
  };
}

/** The schema itself where it has none of the members; otherwise one without its name. */
function withoutMembers(schema: TSchema, names: ReadonlySet<string>): TSchema {
  const { properties, required, title: _title, ...rest }: Readonly<Record<string, unknown>> = { ...schema };
  if (typeof properties !== "object" || properties === null) return schema;
  if (!Object.keys(properties).some((name) => names.has(name))) return schema;
  const isKept = (name: unknown): boolean => typeof name === "string" && !names.has(name);
  const members = Object.entries(properties);
  return {
    ...rest,
    ...(Array.isArray(required) ? { required: required.filter(isKept) } : {}),
    properties: Object.fromEntries(members.filter(([name]) => isKept(name))),
  };
}

/** Errors of the parameters of an address. */
function addressErrors(path: string, request: TSchema, method: "GET" | "POST"): readonly ErrorCode[] {
  if (method === "POST") return path.includes(":") ? ["NON-EXISTENT-ENDPOINT"] : [];
  const members = "properties" in request && typeof request.properties === "object" ? { ...request.properties } : {};
  return [
    ...(path.includes(":") ? (["NON-EXISTENT-ENDPOINT"] as const) : []),
    ...(Object.keys(members).length > 0 ? (["BAD-REQUEST", "VALIDATION-ERROR"] as const) : []),
  ];
}

function errorResponses(
  { access, path }: Pick<Declaration, "access" | "path">,
  own: readonly ErrorCode[],
  hasBody: boolean,
): Record<string, unknown> {
  const codes: ErrorCode[] = [...own, "TOO-MANY-REQUESTS", "SERVICE-UNAVAILABLE", "ERROR"];
  if (access !== "public") codes.push("NOT-AUTHORIZED", "INVALID-AUTHORIZATION-HEADER", "INVALID-JWT");
  if (access === "user") codes.push("API-KEY-AUTHORIZATION-NOT-PERMITTED");
  if (hasBody)
    codes.push("BAD-REQUEST", "BAD-CONTENT-TYPE", "REQUEST-TIMEOUT", "PAYLOAD-TOO-LARGE", "VALIDATION-ERROR");
  const byStatus = Map.groupBy(new Set(codes), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      {
        ...(status === ERROR_STATUS["TOO-MANY-REQUESTS"] ? RATED : {}),
        description: `${STATUS_MEANING[status] ?? "Error"}: ${names.toSorted().join(", ")}`,
        content: errorContent(path),
      },
    ]),
  );
}

function errorContent(path: string): unknown {
  const name = isOfDialect(path) ? "DialectError" : "Error";
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}
