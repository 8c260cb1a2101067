import type { SchemaElement } from "hyparquet-writer";

/** The type of a column or of a part of one. Every value may be null. */
export type ParquetType =
  | "boolean"
  | "bytes"
  | "double"
  | "instant"
  | "int32"
  | "int64"
  | "text"
  | { readonly list: ParquetType }
  | { readonly struct: Readonly<Record<string, ParquetType>> };

/** Types by the names of their columns. */
export type ParquetColumns = Readonly<Record<string, ParquetType>>;

/** A row of a table: values by the names of columns. A missing value is null. */
export type ParquetRow = Readonly<Record<string, unknown>>;

type Element = SchemaElement;

/** The schema of a file, depth first. */
export function parquetSchema(columns: ParquetColumns): Element[] {
  const names = Object.entries(columns);
  return [{ name: "root", num_children: names.length }, ...names.flatMap(([name, type]) => elementsOf(name, type))];
}

function elementsOf(name: string, type: ParquetType): Element[] {
  const repetition_type = "OPTIONAL" as const;
  if (typeof type !== "string" && "list" in type) {
    return [
      { name, repetition_type, converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...elementsOf("element", type.list),
    ];
  }
  if (typeof type !== "string") {
    const members = Object.entries(type.struct);
    return [
      { name, repetition_type, num_children: members.length },
      ...members.flatMap(([member, one]) => elementsOf(member, one)),
    ];
  }
  switch (type) {
    case "boolean":
      return [{ name, type: "BOOLEAN", repetition_type }];
    case "bytes":
      return [{ name, type: "BYTE_ARRAY", repetition_type }];
    case "double":
      return [{ name, type: "DOUBLE", repetition_type }];
    case "instant":
      return [{ name, type: "INT64", converted_type: "TIMESTAMP_MILLIS", repetition_type }];
    case "int32":
      return [{ name, type: "INT32", repetition_type }];
    case "int64":
      return [{ name, type: "INT64", repetition_type }];
    case "text":
      return [{ name, type: "BYTE_ARRAY", converted_type: "UTF8", repetition_type }];
  }
}
