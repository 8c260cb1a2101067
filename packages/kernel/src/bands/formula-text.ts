import type { Formula, FormulaOperator } from "./formula.ts";

const OPERATORS: Readonly<Record<FormulaOperator, readonly [symbol: string, precedence: number]>> = {
  less: ["<", 1],
  lessOrEqual: ["<=", 1],
  greater: [">", 1],
  greaterOrEqual: [">=", 1],
  equal: ["==", 1],
  notEqual: ["!=", 1],
  add: ["+", 2],
  subtract: ["-", 2],
  multiply: ["*", 3],
  divide: ["/", 3],
  power: ["**", 5],
};
const SIGN_PRECEDENCE = 4;
const ATOM_PRECEDENCE = 6;

/**
 * The shortest spelling of a formula: no spaces, no parenthesis that precedence makes needless, numbers as JavaScript
 * writes them. Parsed again it is the same tree.
 *
 * @example formulaText(parseFormula("((B08) - B04) * 0.50")) // "(B08-B04)*0.5"
 */
export function formulaText(formula: Formula): string {
  return write(formula, 0);
}

function write(formula: Formula, least: number): string {
  const precedence = precedenceOf(formula);
  const text = writeBare(formula, precedence);
  return precedence < least ? `(${text})` : text;
}

function precedenceOf(formula: Formula): number {
  if (formula.kind === "number" || formula.kind === "name" || formula.kind === "call") return ATOM_PRECEDENCE;
  return formula.kind === "negate" ? SIGN_PRECEDENCE : OPERATORS[formula.kind][1];
}

function writeBare(formula: Formula, precedence: number): string {
  if (formula.kind === "number") return String(formula.value);
  if (formula.kind === "name") return formula.name;
  if (formula.kind === "negate") return `-${write(formula.operand, SIGN_PRECEDENCE)}`;
  if (formula.kind === "call") return `${formula.function}(${formula.operands.map(formulaText).join(",")})`;
  const [symbol] = OPERATORS[formula.kind];
  // Powers group to the right and take a sign there; comparisons group to no side.
  const [left, right] =
    formula.kind === "power" ? [ATOM_PRECEDENCE, SIGN_PRECEDENCE] : [precedence === 1 ? 2 : precedence, precedence + 1];
  return `${write(formula.left, left)}${symbol}${write(formula.right, right)}`;
}
