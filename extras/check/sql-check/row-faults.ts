import { TypeFlags, type Type } from "typescript/unstable/sync";
import type { ResultColumn } from "./describe-statement.ts";
import type { SchemaFacts } from "./schema-facts.ts";
import { resultType, type ResultKind, type ResultType } from "./result-kind.ts";
import { typeArguments } from "./sample-value.ts";
import { hasFlag, membersOf, type SourceProgram } from "./source-program.ts";

const FLAGS: Readonly<Partial<Record<ResultKind, TypeFlags>>> = {
  boolean: TypeFlags.BooleanLike,
  number: TypeFlags.NumberLike,
  string: TypeFlags.StringLike,
  void: TypeFlags.VoidLike | TypeFlags.StringLike,
};
const BYTES = new Set(["Buffer", "Uint8Array"]);

/** Whether a declared member takes values of a column's type. */
function takes(program: SourceProgram, declared: Type, { kind, isArray }: ResultType): boolean {
  if (hasFlag(declared, TypeFlags.AnyOrUnknown | TypeFlags.TypeParameter)) return true;
  if (kind === "json" && !isArray) return !isDateOrBigint(declared);
  return membersOf(declared).every((member) => {
    if (isArray) {
      return (
        program.checker.isArrayLikeType(member) &&
        typeArguments(program, member).every((element) => takes(program, element, { kind, isArray: false }))
      );
    }
    const name = member.getSymbol()?.name ?? "";
    if (kind === "date") return name === "Date";
    if (kind === "bytes") return BYTES.has(name);
    const flags = FLAGS[kind];
    return flags !== undefined && hasFlag(member, flags);
  });
}

function isDateOrBigint(type: Type): boolean {
  return membersOf(type).some((member) => hasFlag(member, TypeFlags.BigIntLike) || member.getSymbol()?.name === "Date");
}

/** How the columns of a statement differ from the row that the source declares. */
export function rowFaults(
  program: SourceProgram,
  row: Type,
  columns: readonly ResultColumn[],
  facts: SchemaFacts,
): readonly string[] {
  if (hasFlag(row, TypeFlags.AnyOrUnknown | TypeFlags.TypeParameter)) return [];
  const { checker } = program;
  const properties = new Map(checker.getPropertiesOfType(row).map((property) => [property.name, property]));
  const [index] = checker.getIndexInfosOfType(row);
  const missing = [...properties.keys()].filter((name) => !columns.some((column) => column.name === name));
  const faults = missing.map((name) => `no column is the declared ${name}`);
  for (const column of columns) {
    const property = properties.get(column.name);
    const declared = property === undefined ? index?.valueType : checker.getTypeOfSymbol(property);
    if (declared === undefined) faults.push(`the column ${column.name} is not declared`);
    else faults.push(...columnFaults(program, declared, column, facts));
  }
  return faults;
}

function columnFaults(
  program: SourceProgram,
  declared: Type,
  { name, typeId, source }: ResultColumn,
  { typeNames, nullable }: SchemaFacts,
): readonly string[] {
  const typeName = typeNames.get(typeId) ?? String(typeId);
  const type = resultType(typeName);
  if (type === null) return [`the type ${typeName} of the column ${name} is not in result-kind.ts`];
  const text = program.checker.typeToString(declared);
  const value = program.checker.getNonNullableType(declared) ?? declared;
  const faults = takes(program, value, type) ? [] : [`the column ${name} is ${typeName}, declared as ${text}`];
  const takesNull = membersOf(declared).some((member) => hasFlag(member, TypeFlags.Null | TypeFlags.AnyOrUnknown));
  if (source !== null && nullable.has(`${source.tableId}.${source.column}`) && !takesNull) {
    faults.push(`the column ${name} can be null, declared as ${text}`);
  }
  return faults;
}
