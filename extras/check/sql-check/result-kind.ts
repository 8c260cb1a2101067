/** The kinds of values that the pool makes of columns. */
export type ResultKind = "boolean" | "number" | "string" | "date" | "bytes" | "json" | "void";

/** By type of PostgreSQL; arrays begin with `_`. */
const KINDS: Readonly<Record<string, ResultKind>> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  text: "string",
  varchar: "string",
  name: "string",
  numeric: "string",
  date: "string",
  uuid: "string",
  box: "string",
  timestamptz: "date",
  bytea: "bytes",
  json: "json",
  jsonb: "json",
  void: "void",
};

export interface ResultType {
  readonly kind: ResultKind;
  readonly isArray: boolean;
}

/** The value that the pool makes of a column; null for a type that the table lacks. */
export function resultType(typeName: string): ResultType | null {
  const isArray = typeName.startsWith("_");
  const name = isArray ? typeName.slice(1) : typeName;
  // The pool reads whole numbers of eight bytes; in arrays they stay texts.
  const kind = isArray && name === "int8" ? "string" : KINDS[name];
  return kind === undefined ? null : { kind, isArray };
}
