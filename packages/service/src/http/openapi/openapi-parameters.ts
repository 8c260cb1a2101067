import type { TSchema } from "typebox";
import type { Operation } from "@swath/contract/kit/operation";
import type { SchemaBook } from "./openapi-schemas.ts";

/** Names of the parameters of a path. */
export function pathParameters(path: string): ReadonlySet<string> {
  return new Set(Array.from(path.matchAll(/:(\w+)/g), (match) => match[1] ?? ""));
}

/** Parameters of path and query. */
export function getParameters(path: string, request: TSchema, book: SchemaBook): unknown[] {
  const inPath = pathParameters(path);
  return [
    ...parameters("path", request, book, (name) => inPath.has(name)),
    ...parameters("query", request, book, (name) => !inPath.has(name)),
  ];
}

/** The members of a schema as parameters of one place. */
export function parameters(
  place: "path" | "query",
  schema: TSchema,
  book: SchemaBook,
  wanted: (name: string) => boolean = () => true,
): unknown[] {
  const members: Readonly<Record<string, unknown>> =
    "properties" in schema && typeof schema.properties === "object" ? { ...schema.properties } : {};
  const required: readonly unknown[] = "required" in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(members)
    .filter(([name]) => wanted(name))
    .map(([name, member]) => ({
      name,
      in: place,
      required: place === "path" || required.includes(name),
      ...descriptionOf(member),
      schema: book.write(member),
    }));
}

function descriptionOf(schema: unknown): { description?: string } {
  if (typeof schema !== "object" || schema === null || !("description" in schema)) return {};
  return typeof schema.description === "string" ? { description: schema.description } : {};
}

/** The headers that an operation reads. OpenAPI leaves `Accept` to the media types of the answers. */
export function headerParameters({ headers }: Operation, book: SchemaBook): unknown[] {
  return Object.entries(headers)
    .filter(([name]) => name !== "accept")
    .map(([name, schema]) => ({
      name,
      in: "header",
      required: false,
      ...descriptionOf(schema),
      schema: book.write(schema),
    }));
}
