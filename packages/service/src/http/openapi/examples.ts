import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A request and its answer, from the acceptance suite. */
export interface Example {
  /** Values of the parameters in the path. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  readonly response?: unknown;
  /** Of the answer; 200 unless given. */
  readonly status?: number;
}

/** By method and path, such as `POST /imagery/search/initiate`. */
export type Examples = Readonly<Record<string, Example>>;

export const EXAMPLES_FILE = join(import.meta.dirname, "examples.json");

/** The committed examples; `npm run examples` adds the missing ones and replaces those that suit no schema. */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(EXAMPLES_FILE, "utf8"));
}

type Json = Readonly<Record<string, unknown>>;

/** The operation with the example beside the schemas of its body, answer and parameters. */
export function withExample(
  operation: unknown,
  { parameters = {}, request, response, status = 200 }: Example,
): unknown {
  if (!isRecord(operation)) return operation;
  const { parameters: declared, requestBody, responses } = operation;
  return {
    ...operation,
    ...(Array.isArray(declared) ? { parameters: declared.map((one) => parameterExample(one, parameters)) } : {}),
    ...(request === undefined ? {} : { requestBody: bodyExample(requestBody, request) }),
    ...(response === undefined || !isRecord(responses)
      ? {}
      : { responses: { ...responses, [status]: bodyExample(responses[String(status)], response) } }),
  };
}

function parameterExample(parameter: unknown, values: Readonly<Record<string, string>>): unknown {
  if (!isRecord(parameter) || parameter["in"] !== "path" || typeof parameter["name"] !== "string") return parameter;
  const example = values[parameter["name"]];
  if (example === undefined) return parameter;
  const { schema } = parameter;
  const isNumber = isRecord(schema) && (schema["type"] === "integer" || schema["type"] === "number");
  return { ...parameter, example: isNumber ? Number(example) : example };
}

function bodyExample(body: unknown, example: unknown): unknown {
  if (!isRecord(body) || !isRecord(body["content"])) return body;
  const { "application/json": json, ...others } = body["content"];
  if (!isRecord(json)) return body;
  return { ...body, content: { "application/json": { ...json, example }, ...others } };
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
