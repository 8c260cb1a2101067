import { Cql2Error, type Expression } from "./expression.ts";

/** A value of a property; null where it is not known. */
export type PropertyValue = string | number | boolean | null;
export type PropertyType = "string" | "number" | "boolean";

/** Types of properties, by name. */
export type PropertyTypes = Readonly<Record<string, PropertyType>>;

type Condition = (values: Readonly<Record<string, PropertyValue | undefined>>) => boolean | null;
type Operand = (values: Readonly<Record<string, PropertyValue | undefined>>) => PropertyValue;

interface TypedOperand {
  readonly type: PropertyType | "null";
  readonly read: Operand;
}

type Comparison = (left: string | number | boolean, right: string | number | boolean) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  "=": (left, right) => left === right,
  "<>": (left, right) => left !== right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
};

/**
 * A condition as a function of property values: true, false, or null where a value that decides is not known.
 * It has logical and comparison operators, `isNull`, `between` and `in`.
 *
 * @param types of the properties that the condition may name
 * @throws {Cql2Error} for other properties and operators, and for values of another type
 * @see OGC 21-065r2, basic CQL2 and advanced comparison operators
 */
export function compileCondition(expression: Expression, types: PropertyTypes): Condition {
  if (expression.kind === "literal" && typeof expression.value === "boolean") return () => expression.value === true;
  if (expression.kind === "property" && types[expression.name] === "boolean") {
    const { read } = operandOf(expression, types);
    return (values) => booleanOf(read(values));
  }
  if (expression.kind !== "call") throw new Cql2Error(`expected a condition, got a ${expression.kind}`);
  const { args, op } = expression;
  switch (op) {
    case "and":
    case "or":
      return joined(op, args, types);
    case "not":
      return negated(compileCondition(only(op, args), types));
    case "isnull": {
      const { read } = operandOf(only(op, args), types);
      return (values) => read(values) === null;
    }
    case "between":
      return between(args, types);
    case "in":
      return contained(args, types);
    default:
      return compared(op, args, types);
  }
}

function joined(op: "and" | "or", args: readonly Expression[], types: PropertyTypes): Condition {
  if (args.length === 0) throw new Cql2Error(`${op} needs conditions`);
  const conditions = args.map((one) => compileCondition(one, types));
  const decisive = op === "or";
  return (values) => {
    const results = conditions.map((one) => one(values));
    if (results.includes(decisive)) return decisive;
    return results.includes(null) ? null : !decisive;
  };
}

function negated(condition: Condition): Condition {
  return (values) => {
    const result = condition(values);
    return result === null ? null : !result;
  };
}

function compared(op: string, args: readonly Expression[], types: PropertyTypes): Condition {
  const compare = Object.hasOwn(COMPARISONS, op) ? COMPARISONS[op] : undefined;
  if (compare === undefined) throw new Cql2Error(`there is no operator "${op.slice(0, 40)}" here`);
  const [left, right, ...rest] = args;
  if (left === undefined || right === undefined || rest.length > 0) throw new Cql2Error(`${op} takes two values`);
  const [one, other] = alike([operandOf(left, types), operandOf(right, types)]);
  return (values) => {
    const [a, b] = [one?.(values) ?? null, other?.(values) ?? null];
    return a === null || b === null ? null : compare(a, b);
  };
}

function between(args: readonly Expression[], types: PropertyTypes): Condition {
  const [value, ...ends] = args;
  // Clients of old drafts put both ends into a list.
  const [list] = ends;
  const [low, high, ...rest] = ends.length === 1 && list?.kind === "array" ? list.items : ends;
  if (value === undefined || low === undefined || high === undefined || rest.length > 0) {
    throw new Cql2Error("between takes a value and two ends");
  }
  const parts = [compared(">=", [value, low], types), compared("<=", [value, high], types)];
  return (values) => {
    const results = parts.map((part) => part(values));
    if (results.includes(false)) return false;
    return results.includes(null) ? null : true;
  };
}

function contained(args: readonly Expression[], types: PropertyTypes): Condition {
  const [value, list, ...rest] = args;
  if (value === undefined || list?.kind !== "array" || list.items.length === 0 || rest.length > 0) {
    throw new Cql2Error("in takes a value and a list");
  }
  const equals = list.items.map((item) => compared("=", [value, item], types));
  return (values) => {
    const results = equals.map((one) => one(values));
    if (results.includes(true)) return true;
    return results.includes(null) ? null : false;
  };
}

function operandOf(expression: Expression, types: PropertyTypes): TypedOperand {
  if (expression.kind === "literal") {
    const { value } = expression;
    const type = value === null ? "null" : typeof value;
    if (type === "string" || type === "number" || type === "boolean" || type === "null") {
      return { type, read: () => value };
    }
  }
  if (expression.kind !== "property") throw new Cql2Error(`a ${expression.kind} has no place here`);
  const { name } = expression;
  const type = Object.hasOwn(types, name) ? types[name] : undefined;
  if (type === undefined) throw new Cql2Error(`there is no property "${name.slice(0, 100)}"; see queryables`);
  return { type, read: (values) => values[name] ?? null };
}

/** Operands of one type; null goes with each. */
function alike(operands: readonly TypedOperand[]): readonly Operand[] {
  const kinds = new Set(operands.map(({ type }) => type).filter((type) => type !== "null"));
  if (kinds.size > 1) throw new Cql2Error(`${[...kinds].join(" and ")} cannot be compared`);
  return operands.map(({ read }) => read);
}

function booleanOf(value: PropertyValue): boolean | null {
  return value === null ? null : value === true;
}

function only(op: string, args: readonly Expression[]): Expression {
  const [argument] = args;
  if (argument === undefined || args.length > 1) throw new Cql2Error(`${op} takes one argument, got ${args.length}`);
  return argument;
}
