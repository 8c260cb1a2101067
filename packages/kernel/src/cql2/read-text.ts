import { Cql2Error, MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_FILTER_NODES, type Expression } from "./expression.ts";
import { dateOf, endOf, timestampOf } from "./instant.ts";
import { isGeometryNext, readGeometry } from "./read-wkt.ts";
import { expect, isNext, peek, take, takeIf, tokenReader, unexpected, type TokenReader } from "./token-reader.ts";

/**
 * Reads a filter in the text encoding of CQL2.
 *
 * @throws {Cql2Error} when it is malformed, longer than 16,384 characters, deeper than 32 levels or larger than 2,000
 *   nodes
 * @see OGC 21-065r2, annex "BNF for CQL2"
 */
export function readCql2Text(filter: string): Expression {
  if (filter.length > MAX_FILTER_LENGTH) throw new Cql2Error(`a filter has at most ${MAX_FILTER_LENGTH} characters`);
  const reader = tokenReader(filter);
  const expression = readOr(reader, 0);
  if (peek(reader).kind !== "end") throw unexpected(reader, "the end");
  return expression;
}

type Read = (reader: TokenReader, depth: number) => Expression;

function call(op: string, ...args: readonly Expression[]): Expression {
  return { kind: "call", op, args };
}

function readOr(reader: TokenReader, depth: number): Expression {
  if (depth > MAX_FILTER_DEPTH) throw new Cql2Error(`a filter has at most ${MAX_FILTER_DEPTH} levels`);
  return readJoined(reader, depth, "OR", readAnd);
}

function readAnd(reader: TokenReader, depth: number): Expression {
  return readJoined(reader, depth, "AND", readNot);
}

function readJoined(reader: TokenReader, depth: number, word: string, inner: Read): Expression {
  const args = [inner(reader, depth)];
  while (takeIf(reader, word)) args.push(inner(reader, depth));
  return args.length === 1 && args[0] !== undefined ? args[0] : call(word.toLowerCase(), ...args);
}

function readNot(reader: TokenReader, depth: number): Expression {
  let isNegated = false;
  while (takeIf(reader, "NOT")) isNegated = !isNegated;
  const condition = readComparison(reader, depth);
  return isNegated ? call("not", condition) : condition;
}

const COMPARISONS = ["=", "<>", "<=", ">=", "<", ">"] as const;

function readComparison(reader: TokenReader, depth: number): Expression {
  const left = readSum(reader, depth);
  for (const op of COMPARISONS) if (takeIf(reader, op)) return call(op, left, readSum(reader, depth));
  if (takeIf(reader, "IS")) {
    const isNegated = takeIf(reader, "NOT");
    expect(reader, "NULL");
    return isNegated ? call("not", call("isnull", left)) : call("isnull", left);
  }
  const isNegated = takeIf(reader, "NOT");
  const condition = readAdvanced(reader, left, depth);
  if (condition === null) {
    if (isNegated) throw unexpected(reader, "LIKE, BETWEEN or IN");
    return left;
  }
  return isNegated ? call("not", condition) : condition;
}

function readAdvanced(reader: TokenReader, left: Expression, depth: number): Expression | null {
  if (takeIf(reader, "LIKE")) return call("like", left, readSum(reader, depth));
  if (takeIf(reader, "BETWEEN")) {
    const low = readSum(reader, depth);
    expect(reader, "AND");
    return call("between", left, low, readSum(reader, depth));
  }
  if (!takeIf(reader, "IN")) return null;
  expect(reader, "(");
  return call("in", left, { kind: "array", items: readArguments(reader, depth) });
}

function readSum(reader: TokenReader, depth: number): Expression {
  return readChain(reader, depth, ["+", "-"], readProduct);
}

function readProduct(reader: TokenReader, depth: number): Expression {
  return readChain(reader, depth, ["*", "/", "%", "DIV"], readPower);
}

function readPower(reader: TokenReader, depth: number): Expression {
  return readChain(reader, depth, ["^"], readSigned);
}

function readChain(reader: TokenReader, depth: number, signs: readonly string[], inner: Read): Expression {
  let left = inner(reader, depth);
  for (;;) {
    const sign = signs.find((one) => takeIf(reader, one));
    if (sign === undefined) return left;
    left = call(sign.toLowerCase(), left, inner(reader, depth));
    countNode(reader);
  }
}

function readSigned(reader: TokenReader, depth: number): Expression {
  let isNegated = false;
  while (isNext(reader, "-") || isNext(reader, "+")) if (take(reader).text === "-") isNegated = !isNegated;
  const value = readValue(reader, depth);
  if (!isNegated) return value;
  if (value.kind === "literal" && typeof value.value === "number") return { kind: "literal", value: -value.value };
  return call("*", { kind: "literal", value: -1 }, value);
}

function countNode(reader: TokenReader): void {
  reader.nodes += 1;
  if (reader.nodes > MAX_FILTER_NODES) throw new Cql2Error(`a filter has at most ${MAX_FILTER_NODES} parts`);
}

function readValue(reader: TokenReader, depth: number): Expression {
  countNode(reader);
  if (isGeometryNext(reader)) return { kind: "geometry", geometry: readGeometry(reader) };
  const { kind, text } = peek(reader);
  if (kind === "number") return { kind: "literal", value: Number(take(reader).text) };
  if (kind === "text") return { kind: "literal", value: take(reader).text };
  if (kind === "quoted") return { kind: "property", name: take(reader).text };
  if (kind === "name") return readNamed(reader, depth);
  if (text !== "(") throw unexpected(reader, "a property or a value");
  take(reader);
  const items = readArguments(reader, depth);
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "array", items };
}

function readNamed(reader: TokenReader, depth: number): Expression {
  const name = take(reader).text;
  const upper = name.toUpperCase();
  if (!takeIf(reader, "(")) {
    if (upper === "TRUE" || upper === "FALSE") return { kind: "literal", value: upper === "TRUE" };
    if (RESERVED.has(upper)) {
      reader.next -= 1;
      throw unexpected(reader, "a property or a value");
    }
    return { kind: "property", name };
  }
  const args = readArguments(reader, depth);
  if (upper === "TIMESTAMP") return timestampOf(textOf(args[0]));
  if (upper === "DATE") return dateOf(textOf(args[0]));
  if (upper === "INTERVAL") return intervalOf(args);
  return call(name.toLowerCase(), ...args);
}

const RESERVED: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "IN", "IS", "NULL", "LIKE", "BETWEEN"]);

function textOf(expression: Expression | undefined): unknown {
  return expression?.kind === "literal" ? expression.value : undefined;
}

function intervalOf(args: readonly Expression[]): Expression {
  if (args.length !== 2) throw new Cql2Error("INTERVAL must have two moments");
  const [start, end] = args.map((one) => (one.kind === "literal" ? endOf(one.value) : one));
  return { kind: "interval", start: start ?? null, end: end ?? null };
}

/** The items after an opening parenthesis, the closing one included. */
function readArguments(reader: TokenReader, depth: number): readonly Expression[] {
  if (takeIf(reader, ")")) return [];
  const items = [readOr(reader, depth + 1)];
  while (takeIf(reader, ",")) items.push(readOr(reader, depth + 1));
  expect(reader, ")");
  return items;
}
