import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Exchange } from "./raw-client.ts";

interface Content {
  readonly schema?: object;
}
interface Body {
  readonly content?: Readonly<Record<string, Content>>;
}
interface DocumentedOperation {
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: object;
}

/** The operation of an exchange in the document. */
export interface MatchedOperation {
  /** `POST /imagery/search/initiate`, with the names of parameters in the path. */
  readonly key: string;
  readonly operation: DocumentedOperation;
}

type Validators = (schema: object) => ValidateFunction;

function validators(document: ApiDocument): Validators {
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.addSchema({ $id: "document", components: document.components });
  const compiled = new Map<object, ValidateFunction>();
  return (schema) => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    // References start at the root of the document.
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const made = ajv.compile(JSON.parse(text));
    compiled.set(schema, made);
    return made;
  };
}

/** Null for an address that the document does not have. */
export function operationOf(document: ApiDocument, { method, path }: Exchange): MatchedOperation | null {
  const parts = path.split("/");
  const fits = (template: string): boolean => {
    const names = template.split("/");
    return names.length === parts.length && names.every((name, i) => name.startsWith("{") || name === parts[i]);
  };
  const templates = Object.keys(document.paths).filter(fits);
  // A template without parameters wins.
  const [template] = templates.toSorted((a, b) => a.split("{").length - b.split("{").length);
  const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
  return template === undefined || operation === undefined ? null : { key: `${method} ${template}`, operation };
}

/** Everything about exchanges that the document does not say: statuses, media types, members of requests and answers. */
export function undocumented(document: ApiDocument, exchanges: readonly Exchange[]): readonly string[] {
  const validatorOf = validators(document);
  const faults = new Set<string>();
  for (const exchange of exchanges) {
    const matched = operationOf(document, exchange);
    if (matched === null) continue;
    for (const fault of faultsOf(matched, exchange, validatorOf)) faults.add(fault);
  }
  return [...faults];
}

function faultsOf({ key, operation }: MatchedOperation, exchange: Exchange, validatorOf: Validators): string[] {
  const { status, mediaType, request, response } = exchange;
  const answer = operation.responses[String(status)];
  if (answer === undefined) return [`${key}: status ${status}`];
  const faults: string[] = [];
  const check = (place: string, schema: object | undefined, value: unknown): void => {
    if (schema === undefined) return;
    const accepts = validatorOf(schema);
    if (!accepts(value)) faults.push(`${key} ${status}: ${place} ${JSON.stringify(accepts.errors?.slice(0, 2))}`);
  };
  if (status < 300 && request !== null) {
    check("request", operation.requestBody?.content?.["application/json"]?.schema, request);
  }
  if (mediaType === "") return faults;
  const content = answer.content?.[mediaType];
  if (content === undefined) faults.push(`${key} ${status}: media type ${mediaType}`);
  else if (response !== null) check("answer", content.schema, response);
  return faults;
}
