import { escapeMarkup } from "@swath/kernel/text/escape-markup";
import { list, marked, record, text, type Json } from "./html.ts";

const REFERENCE = "#/components/schemas/";
/** Deeper members stand in the example. */
const MAX_DEPTH = 3;
const LIMITS: readonly (readonly [keyword: string, label: string])[] = [
  ["minimum", "at least"],
  ["exclusiveMinimum", "more than"],
  ["maximum", "at most"],
  ["exclusiveMaximum", "less than"],
  ["minLength", "characters, at least"],
  ["maxLength", "characters, at most"],
  ["minItems", "items, at least"],
  ["maxItems", "items, at most"],
  ["default", "default"],
];

/**
 * The members of a schema as a table with links to named schemas; its type alone when it has no members.
 *
 * @param schemas named schemas: the members of one that is only named are written out
 */
export function fieldTable(schema: unknown, schemas: Json = {}): string {
  const name = text(record(schema)["$ref"]).replace(REFERENCE, "");
  if (name in schemas) return `<p class="s">${linkTo(name)}</p>${fieldTable(schemas[name])}`;
  const rows = rowsOf(record(schema), "", 0);
  if (rows.length === 0) return `<p>${typeOf(schema)}${noteOf(record(schema))}</p>`;
  return `<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function rowsOf(schema: Json, prefix: string, depth: number): string[] {
  if (depth === MAX_DEPTH) return [];
  const required = new Set(list(schema["required"]));
  return Object.entries(record(schema["properties"])).flatMap(([name, member]) => {
    const path = prefix + name;
    const mark = required.has(name) ? ' <span class="s">required</span>' : "";
    const details = record(member);
    const row = `<tr><td><code>${escapeMarkup(path)}</code>${mark}</td><td>${typeOf(member)}</td><td>${marked(text(details["description"]))}${noteOf(details)}</td></tr>`;
    return [row, ...nestedRows(details, path, depth)];
  });
}

function nestedRows(schema: Json, path: string, depth: number): string[] {
  if (schema["type"] === "array") return rowsOf(record(schema["items"]), `${path}[].`, depth + 1);
  const { additionalProperties } = schema;
  return [
    ...rowsOf(schema, `${path}.`, depth + 1),
    ...rowsOf(record(additionalProperties), `${path}.<name>.`, depth + 1),
  ];
}

/** The type in words, as HTML. */
function typeOf(schema: unknown): string {
  const details = record(schema);
  const reference = text(details["$ref"]);
  if (reference !== "") return linkTo(reference.replace(REFERENCE, ""));
  const choices = [...list(details["anyOf"]), ...list(details["oneOf"])];
  if (choices.length > 0) return choices.map(typeOf).join(" or ");
  if ("const" in details) return valueOf(details["const"]);
  if (Array.isArray(details["enum"])) return details["enum"].map(valueOf).join(" or ");
  const types = [details["type"]].flat().filter((one) => typeof one === "string");
  return types.length === 0 ? "any" : types.map((type) => typeName(type, details)).join(" or ");
}

function typeName(type: string, { items, additionalProperties }: Json): string {
  if (type === "array") return items === undefined ? "list" : `list of ${typeOf(items)}`;
  const isDictionary = type === "object" && Object.keys(record(additionalProperties)).length > 0;
  return isDictionary ? `object of ${typeOf(additionalProperties)} by name` : escapeMarkup(type);
}

const valueOf = (value: unknown): string => `<code>${escapeMarkup(JSON.stringify(value) ?? "")}</code>`;

function noteOf(schema: Json): string {
  const limits = LIMITS.flatMap(([keyword, label]) =>
    schema[keyword] === undefined ? [] : [`${label} ${valueOf(schema[keyword])}`],
  );
  return limits.length === 0 ? "" : ` <span class="s">(${limits.join(", ")})</span>`;
}

function linkTo(name: string): string {
  return `<a href="#schema-${escapeMarkup(name)}">${escapeMarkup(name)}</a>`;
}
