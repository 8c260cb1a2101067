import { nearestName } from "@swath/kernel/text/nearest-name";
import type { RequestWarning } from "../platform/request-warnings.ts";

type Schema = Readonly<Record<string, unknown>>;

/** As many as a person reads. */
const MAX_FOUND = 20;
/** Longer names are shortened: an answer must not repeat a body of megabytes. */
const MAX_NAME = 64;

/**
 * The members of a value that its schema does not name, at most 20. GeoJSON, whose foreign members are legal (RFC 7946,
 * 6.1), and records, whose names are data, are left out. The value satisfies the schema.
 */
export function unknownMembers(schema: unknown, value: unknown): readonly RequestWarning[] {
  const found: RequestWarning[] = [];
  collect([schema], value, "", found);
  return found;
}

/** @param schemas the value satisfies one of them at least */
function collect(schemas: readonly unknown[], value: unknown, path: string, found: RequestWarning[]): void {
  if (found.length >= MAX_FOUND || typeof value !== "object" || value === null) return;
  const branches = schemas.flatMap(branchesOf);
  if (Array.isArray(value)) {
    const items = branches.flatMap((schema) => ("items" in schema ? [schema["items"]] : []));
    if (!items.flatMap(branchesOf).some(namesMembers)) return;
    for (const [index, item] of value.entries()) collect(items, item, `${path}/${index}`, found);
    return;
  }
  const objects = branches.filter((schema) => !("items" in schema) && mayBeObject(schema));
  if (objects.length === 0 || !objects.every(isClosed)) return;
  const known = new Set(objects.flatMap((schema) => Object.keys(propertiesOf(schema) ?? {})));
  for (const [name, member] of Object.entries(value)) {
    if (known.has(name)) {
      const schemasOfMember = objects.flatMap((schema) => propertiesOf(schema)?.[name] ?? []);
      collect(schemasOfMember, member, `${path}/${escapePointer(name)}`, found);
    } else if (found.length < MAX_FOUND) {
      found.push(unknownMember(path, name, known));
    }
  }
}

function unknownMember(path: string, name: string, known: ReadonlySet<string>): RequestWarning {
  const didYouMean = nearestName(name, known);
  const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return {
    path: `${path}/${escapePointer(shown)}`,
    message: `is no member of the request${didYouMean === null ? "" : `; did you mean "${didYouMean}"?`}`,
    ...(didYouMean === null ? {} : { didYouMean }),
  };
}

function branchesOf(schema: unknown): readonly Schema[] {
  if (!isRecord(schema)) return [];
  const { anyOf, oneOf } = schema;
  if (Array.isArray(anyOf)) return anyOf.flatMap(branchesOf);
  if (Array.isArray(oneOf)) return oneOf.flatMap(branchesOf);
  return [schema];
}

function mayBeObject(schema: Schema): boolean {
  const types = [schema["type"]].flat();
  return schema["type"] === undefined ? !("const" in schema || "enum" in schema) : types.includes("object");
}

/** Whether the schema names all members: records and schemas that depend on the value do not. */
function isClosed(schema: Schema): boolean {
  return (
    propertiesOf(schema) !== null &&
    !("patternProperties" in schema) &&
    !("allOf" in schema) &&
    !("if" in schema) &&
    (schema["additionalProperties"] ?? false) === false
  );
}

function namesMembers(schema: Schema): boolean {
  return "items" in schema || propertiesOf(schema) !== null;
}

function propertiesOf(schema: Schema): Readonly<Record<string, unknown>> | null {
  const properties = schema["properties"];
  return isRecord(properties) ? properties : null;
}

function escapePointer(segment: string): string {
  return segment.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
