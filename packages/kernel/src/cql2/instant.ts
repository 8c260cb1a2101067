import { Cql2Error, type Expression } from "./expression.ts";

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** @throws {Cql2Error} when the text is no RFC 3339 timestamp */
export function timestampOf(text: unknown): Expression {
  const ms = typeof text === "string" && TIMESTAMP.test(text) ? Date.parse(text.toUpperCase().replace(" ", "T")) : NaN;
  if (Number.isNaN(ms)) throw new Cql2Error(`${JSON.stringify(text)} is no timestamp such as 2024-06-30T10:15:00Z`);
  return { kind: "instant", ms, dayLong: false };
}

/** @throws {Cql2Error} when the text is no date */
export function dateOf(text: unknown): Expression {
  const ms = typeof text === "string" && DATE.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(ms)) throw new Cql2Error(`${JSON.stringify(text)} is no date such as 2024-06-30`);
  return { kind: "instant", ms, dayLong: true };
}

/** The text of an end of an interval; null for `..`. @throws {Cql2Error} when it is neither date nor timestamp */
export function endOf(text: unknown): Expression | null {
  if (text === ".." || text === "") return null;
  return typeof text === "string" && DATE.test(text) ? dateOf(text) : timestampOf(text);
}
