/**
 * Formulas of spectral indices: numbers, names, `+ - * / **`, unary signs, parentheses and `log(…)`, with the
 * precedence of Python (`**` binds tighter than a sign on its left and groups to the right). Nothing is ever evaluated as code.
 */
export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "negate" | "log"; readonly operand: Formula }
  | {
      readonly kind: "add" | "subtract" | "multiply" | "divide" | "power";
      readonly left: Formula;
      readonly right: Formula;
    };

/** Longer texts are refused: the longest formula of the catalogue has 150 characters. */
const MAX_FORMULA_LENGTH = 1_000;
const MAX_DEPTH = 100;

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|[-+*/()]))/y;

interface Token {
  readonly kind: "number" | "name" | "symbol";
  readonly text: string;
  readonly at: number;
}

/**
 * The syntax tree of a formula.
 *
 * @throws {RangeError} on anything that is not a formula, saying where
 * @example parseFormula("(N - R) / (N + R)").kind // "divide"
 */
export function parseFormula(text: string): Formula {
  if (text.length > MAX_FORMULA_LENGTH) {
    throw new RangeError(`formula has ${text.length} characters, expected at most ${MAX_FORMULA_LENGTH}`);
  }
  const tokens = tokenize(text);
  let position = 0;
  let depth = 0;

  const fail = (expected: string): RangeError => {
    const token = tokens[position];
    const got = token === undefined ? "the end" : `"${token.text}" at ${token.at}`;
    return new RangeError(`formula "${text}": got ${got}, expected ${expected}`);
  };
  const take = (...symbols: readonly string[]): string | null => {
    const token = tokens[position];
    if (token?.kind !== "symbol" || !symbols.includes(token.text)) return null;
    position++;
    return token.text;
  };
  const nested = <T>(parse: () => T): T => {
    if (++depth > MAX_DEPTH) throw new RangeError(`formula is nested deeper than ${MAX_DEPTH}`);
    const result = parse();
    depth--;
    return result;
  };

  const sum = (): Formula => {
    let left = product();
    for (let symbol = take("+", "-"); symbol !== null; symbol = take("+", "-")) {
      left = { kind: symbol === "+" ? "add" : "subtract", left, right: product() };
    }
    return left;
  };
  const product = (): Formula => {
    let left = signed();
    for (let symbol = take("*", "/"); symbol !== null; symbol = take("*", "/")) {
      left = { kind: symbol === "*" ? "multiply" : "divide", left, right: signed() };
    }
    return left;
  };
  const signed = (): Formula =>
    nested(() => {
      const sign = take("-", "+");
      if (sign === "-") return { kind: "negate", operand: signed() };
      return sign === "+" ? signed() : power();
    });
  const power = (): Formula => {
    const left = primary();
    return take("**") === null ? left : { kind: "power", left, right: signed() };
  };
  const primary = (): Formula => {
    const token = tokens[position];
    if (token?.kind === "number") {
      position++;
      return { kind: "number", value: Number(token.text) };
    }
    if (token?.kind === "name") {
      position++;
      if (take("(") === null) return { kind: "name", name: token.text };
      if (token.text !== "log") {
        throw new RangeError(`formula "${text}": function "${token.text}" is not known, expected log`);
      }
      const operand = nested(sum);
      if (take(")") === null) throw fail('")"');
      return { kind: "log", operand };
    }
    if (take("(") === null) throw fail("a number, a name or a parenthesis");
    const inner = nested(sum);
    if (take(")") === null) throw fail('")"');
    return inner;
  };

  const formula = sum();
  if (position !== tokens.length) throw fail("an operator or the end");
  return formula;
}

function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new RangeError(`formula "${text}": "${text.slice(at, at + 10)}" at ${at} is not understood`);
    const [, number, name, symbol] = match;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "symbol";
    tokens.push({ kind, text: number ?? name ?? symbol ?? "", at });
  }
  return tokens;
}

/** Every name a formula mentions, in order of first appearance. */
export function formulaNames(formula: Formula): readonly string[] {
  const names = new Set<string>();
  const visit = (node: Formula): void => {
    if (node.kind === "name") names.add(node.name);
    else if ("operand" in node) visit(node.operand);
    else if ("left" in node) {
      visit(node.left);
      visit(node.right);
    }
  };
  visit(formula);
  return [...names];
}
