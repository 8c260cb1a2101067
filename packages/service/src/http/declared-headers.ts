import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { Type, type TSchema } from "typebox";
import { schemaCheck } from "../platform/json/schema-check.ts";

/** Values of headers, by lower-case name. */
export type DeclaredHeaders = Readonly<Record<string, string | undefined>>;

/**
 * Reads the headers that an operation declares. A repeated header is one text, its values separated by commas.
 *
 * @returns a function that throws ServiceError BAD-REQUEST for a value that its schema refuses
 */
export function headerReader(
  declared: Readonly<Record<string, TSchema>>,
): (headers: IncomingHttpHeaders) => DeclaredHeaders {
  const names = Object.keys(declared);
  if (names.length === 0) return () => ({});
  const optional = names.map((name) => [name, Type.Optional(declared[name] ?? Type.String())]);
  const check = schemaCheck(Type.Object(Object.fromEntries(optional)));
  return (headers) => {
    const given = names.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]];
    });
    const values: DeclaredHeaders = Object.fromEntries(given);
    if (check.accepts(values)) return values;
    const details = check.explain(values, 0);
    const text = details.map(({ path, message }) => `the header ${path.slice(1)} ${message}`).join("; ");
    throw new ServiceError("BAD-REQUEST", text, { details });
  };
}
