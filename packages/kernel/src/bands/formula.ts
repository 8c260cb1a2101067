import { didYouMean } from "../text/did-you-mean.ts";
import { FORMULA_FUNCTIONS, isFormulaFunction, type FormulaFunction } from "./formula-functions.ts";
import { formulaTokens, type FormulaToken } from "./formula-tokens.ts";

/** An operator between two operands. Comparisons give 1 or 0. */
export type FormulaOperator =
  | "add"
  | "subtract"
  | "multiply"
  | "divide"
  | "power"
  | "less"
  | "lessOrEqual"
  | "greater"
  | "greaterOrEqual"
  | "equal"
  | "notEqual";

/**
 * Formulas of spectral indices: numbers, names, `+ - * / **`, comparisons, unary signs, parentheses and functions, with
 * the precedence of Python (`**` binds tighter than a sign on its left and groups to the right; comparisons bind
 * loosest). Nothing is ever evaluated as code.
 */
export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "negate"; readonly operand: Formula }
  | { readonly kind: "call"; readonly function: FormulaFunction; readonly operands: readonly Formula[] }
  | { readonly kind: FormulaOperator; readonly left: Formula; readonly right: Formula };

/** Longer texts are refused: the longest formula of the catalogue has 150 characters. */
const MAX_FORMULA_LENGTH = 1_000;
const MAX_DEPTH = 100;
const MAX_OPERATIONS = 100;

const COMPARISONS: Readonly<Record<string, FormulaOperator>> = {
  "<": "less",
  "<=": "lessOrEqual",
  ">": "greater",
  ">=": "greaterOrEqual",
  "==": "equal",
  "!=": "notEqual",
};
const COMPARISON_SYMBOLS = Object.keys(COMPARISONS);

interface Parser {
  readonly tokens: readonly FormulaToken[];
  position: number;
  depth: number;
  operations: number;
}

/**
 * The syntax tree of a formula.
 *
 * @throws {RangeError} on anything that is not a formula, with the character, from 1, and what was expected there
 * @example parseFormula("(N - R) / (N + R)").kind // "divide"
 */
export function parseFormula(text: string): Formula {
  if (text.length > MAX_FORMULA_LENGTH) {
    throw new RangeError(`the formula has ${text.length} characters, expected at most ${MAX_FORMULA_LENGTH}`);
  }
  const parser: Parser = { tokens: formulaTokens(text), position: 0, depth: 0, operations: 0 };
  const formula = comparison(parser);
  if (parser.position !== parser.tokens.length) throw unexpected(parser, "an operator or the end");
  return formula;
}

function unexpected({ tokens, position }: Parser, expected: string): RangeError {
  const token = tokens[position];
  const got = token === undefined ? "the end" : `"${token.text}" at character ${token.at}`;
  return new RangeError(`got ${got}, expected ${expected}`);
}

function take(parser: Parser, symbols: readonly string[]): string | null {
  const token = parser.tokens[parser.position];
  if (token?.kind !== "symbol" || !symbols.includes(token.text)) return null;
  parser.position++;
  return token.text;
}

function nested<T>(parser: Parser, parse: (parser: Parser) => T): T {
  if (++parser.depth > MAX_DEPTH) throw new RangeError(`the formula is nested deeper than ${MAX_DEPTH}`);
  const result = parse(parser);
  parser.depth--;
  return result;
}

function counted(parser: Parser, formula: Formula): Formula {
  if (++parser.operations > MAX_OPERATIONS) {
    throw new RangeError(`the formula has more than ${MAX_OPERATIONS} operations`);
  }
  return formula;
}

function comparison(parser: Parser): Formula {
  const left = sum(parser);
  const symbol = take(parser, COMPARISON_SYMBOLS);
  if (symbol === null) return left;
  const formula = counted(parser, { kind: COMPARISONS[symbol]!, left, right: sum(parser) });
  const next = parser.tokens[parser.position];
  if (next !== undefined && COMPARISON_SYMBOLS.includes(next.text)) {
    throw unexpected(parser, "one comparison, or parentheses around each");
  }
  return formula;
}

function sum(parser: Parser): Formula {
  let left = product(parser);
  for (let symbol = take(parser, ["+", "-"]); symbol !== null; symbol = take(parser, ["+", "-"])) {
    left = counted(parser, { kind: symbol === "+" ? "add" : "subtract", left, right: product(parser) });
  }
  return left;
}

function product(parser: Parser): Formula {
  let left = signed(parser);
  for (let symbol = take(parser, ["*", "/"]); symbol !== null; symbol = take(parser, ["*", "/"])) {
    left = counted(parser, { kind: symbol === "*" ? "multiply" : "divide", left, right: signed(parser) });
  }
  return left;
}

function signed(parser: Parser): Formula {
  return nested(parser, () => {
    const sign = take(parser, ["-", "+"]);
    if (sign === "-") return counted(parser, { kind: "negate", operand: signed(parser) });
    return sign === "+" ? signed(parser) : power(parser);
  });
}

function power(parser: Parser): Formula {
  const left = primary(parser);
  return take(parser, ["**"]) === null ? left : counted(parser, { kind: "power", left, right: signed(parser) });
}

function primary(parser: Parser): Formula {
  const token = parser.tokens[parser.position];
  if (token?.kind === "number") {
    parser.position++;
    return { kind: "number", value: finite(token) };
  }
  if (token?.kind === "name") {
    parser.position++;
    return take(parser, ["("]) === null ? { kind: "name", name: token.text } : call(parser, token);
  }
  if (take(parser, ["("]) === null) throw unexpected(parser, "a number, a name or a parenthesis");
  const inner = nested(parser, comparison);
  if (take(parser, [")"]) === null) throw unexpected(parser, 'an operator or ")"');
  return inner;
}

function finite({ text, at }: FormulaToken): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new RangeError(`got ${text} at character ${at}, expected a finite number`);
  return value;
}

/** A call whose opening parenthesis is read. */
function call(parser: Parser, { text: name, at }: FormulaToken): Formula {
  const known = [...Object.keys(FORMULA_FUNCTIONS), "pow"];
  if (name !== "pow" && !isFormulaFunction(name)) {
    const hint = didYouMean(name, known) || `, expected one of ${known.toSorted().join(", ")}`;
    throw new RangeError(`there is no function "${name}" at character ${at}${hint}`);
  }
  const operands = take(parser, [")"]) === null ? operandsOf(parser) : [];
  const [least, most] = name === "pow" ? [2, 2] : FORMULA_FUNCTIONS[name];
  if (operands.length < least || operands.length > most) {
    const expected = least === most ? String(least) : `${least} to ${most}`;
    throw new RangeError(`${name} at character ${at} has ${operands.length} operands, expected ${expected}`);
  }
  const [left, right] = operands;
  if (name !== "pow") return counted(parser, { kind: "call", function: name, operands });
  return counted(parser, { kind: "power", left: left!, right: right! });
}

function operandsOf(parser: Parser): readonly Formula[] {
  const operands: Formula[] = [];
  do operands.push(nested(parser, comparison));
  while (take(parser, [","]) !== null);
  if (take(parser, [")"]) === null) throw unexpected(parser, 'an operator, "," or ")"');
  return operands;
}

/** The formulas that a formula is made of, left to right. */
export function formulaOperands(formula: Formula): readonly Formula[] {
  if (formula.kind === "number" || formula.kind === "name") return [];
  if (formula.kind === "negate") return [formula.operand];
  return formula.kind === "call" ? formula.operands : [formula.left, formula.right];
}

/** Every name a formula mentions, in order of first appearance. */
export function formulaNames(formula: Formula): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Formula): void => {
    if (node.kind === "name") names.add(node.name);
    for (const operand of formulaOperands(node)) visit(operand);
  };
  visit(formula);
  return [...names];
}
