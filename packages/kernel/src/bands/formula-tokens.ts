/** A number, a name or a symbol of a formula. */
export interface FormulaToken {
  readonly kind: "number" | "name" | "symbol";
  readonly text: string;
  /** Position of its first character, from 1. */
  readonly at: number;
}

const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|(\*\*|[<>=!]=|[-+*/(),<>]))/y;

/**
 * The tokens of a formula, in order.
 *
 * @throws {RangeError} on a character that no formula has, with its position
 */
export function formulaTokens(text: string): readonly FormulaToken[] {
  const tokens: FormulaToken[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw unreadable(text, from);
    const [all, number, name, symbol] = match;
    const token = number ?? name ?? symbol ?? "";
    const at = from + all.length - token.length + 1;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : "symbol";
    tokens.push({ kind, text: token, at });
  }
  return tokens;
}

function unreadable(text: string, from: number): RangeError {
  const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  const got = JSON.stringify(text.slice(at, at + 1));
  const hint = text[at] === "^" ? "; powers are written **" : text[at] === "=" ? "; equality is written ==" : "";
  return new RangeError(`got ${got} at character ${at + 1}, expected a number, a name or an operator${hint}`);
}
