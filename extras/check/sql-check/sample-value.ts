import { sql } from "kysely";
import { TypeFlags, type Type } from "typescript/unstable/sync";
import type { Node } from "typescript/unstable/ast";
import { choose, sampled, UNKNOWN, type Evaluation } from "./evaluation.ts";
import { hasFlag, membersOf, type SourceProgram } from "./source-program.ts";

/** Whether a value of the type is a piece of SQL. */
export function isFragment({ checker }: SourceProgram, type: Type): boolean {
  return membersOf(type).some((member) => checker.getPropertyOfType(member, "isRawBuilder") !== undefined);
}

const MAX_MEMBERS = 40;

/** Whether a value of the type is or holds pieces of SQL. */
export function holdsFragment(program: SourceProgram, type: Type, depth = 2): boolean {
  const { checker } = program;
  if (isFragment(program, type)) return true;
  if (depth === 0) return false;
  return membersOf(type).some((member) => {
    if (!hasFlag(member, TypeFlags.Object)) return false;
    if (checker.isArrayLikeType(member)) {
      return typeArguments(program, member).some((element) => holdsFragment(program, element, depth - 1));
    }
    const properties = checker.getPropertiesOfType(member);
    return (
      properties.length <= MAX_MEMBERS &&
      properties.some((property) => {
        const inner = checker.getTypeOfSymbol(property);
        return inner !== undefined && holdsFragment(program, inner, depth - 1);
      })
    );
  });
}

export function typeArguments({ checker }: SourceProgram, type: Type): readonly Type[] {
  return type.isTypeReference() ? checker.getTypeArguments(type) : [];
}

const CLIENTS = new Set(["Kysely", "Transaction"]);
const VALUES = new Set(["Date", "Buffer", "Uint8Array", "Map", "Set", "ReadonlyMap", "ReadonlySet", "Promise"]);

/** A value of the type of an expression, for an expression whose value is not known. */
export function sampleValue(evaluation: Evaluation, node: Node): unknown {
  const { program, db } = evaluation;
  const type = program.typeOf(node);
  if (type === undefined) return UNKNOWN;
  // A piece of SQL that a caller gives is checked where the caller writes it.
  if (isFragment(program, type)) return sampled(sql`select 1`);
  const members = membersOf(type).filter((member) => !hasFlag(member, TypeFlags.Nullable));
  const texts = members.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []));
  if (texts.length > 0 && texts.length === members.length) return texts[choose(evaluation, texts.length)];
  const [member] = members;
  if (member === undefined) return null;
  if (members.some((one) => CLIENTS.has(one.getSymbol()?.name ?? ""))) return db;
  if (!hasFlag(member, TypeFlags.Object | TypeFlags.Intersection)) return UNKNOWN;
  if (program.checker.isArrayLikeType(member)) return sampled([UNKNOWN, UNKNOWN]);
  if (VALUES.has(member.getSymbol()?.name ?? "")) return UNKNOWN;
  const properties = program.checker.getPropertiesOfType(member);
  if (properties.length > MAX_MEMBERS) return UNKNOWN;
  return sampled(Object.fromEntries(properties.map(({ name }) => [name, UNKNOWN])));
}
