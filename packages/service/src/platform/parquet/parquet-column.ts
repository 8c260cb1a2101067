import type { SchemaElement as Element } from "hyparquet-writer";

/** Physical types of values, with the meaning of the bytes. */
const SCALARS = {
  boolean: { type: "BOOLEAN" },
  bytes: { type: "BYTE_ARRAY" },
  double: { type: "DOUBLE" },
  instant: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  int32: { type: "INT32" },
  int64: { type: "INT64" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
} as const satisfies Readonly<Record<string, Omit<Element, "name">>>;

/** The type of a column or of a part of one. Every value may be null. */
export type ParquetType =
  | keyof typeof SCALARS
  | { readonly list: ParquetType }
  | { readonly struct: Readonly<Record<string, ParquetType>> };

/** Types by the names of their columns. */
export type ParquetColumns = Readonly<Record<string, ParquetType>>;

/** A row of a table: values by the names of columns. A missing value is null. */
export type ParquetRow = Readonly<Record<string, unknown>>;

/** The schema of a file, depth first. */
export function parquetSchema(columns: ParquetColumns): Element[] {
  const names = Object.entries(columns);
  return [{ name: "root", num_children: names.length }, ...names.flatMap(([name, type]) => elementsOf(name, type))];
}

function elementsOf(name: string, type: ParquetType): Element[] {
  const repetition_type = "OPTIONAL";
  if (typeof type === "string") return [{ name, repetition_type, ...SCALARS[type] }];
  if ("list" in type) {
    return [
      { name, repetition_type, converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...elementsOf("element", type.list),
    ];
  }
  const members = Object.entries(type.struct);
  return [
    { name, repetition_type, num_children: members.length },
    ...members.flatMap(([member, one]) => elementsOf(member, one)),
  ];
}
