import { Cql2Error } from "./expression.ts";

export interface Token {
  readonly kind: "name" | "quoted" | "text" | "number" | "sign" | "end";
  readonly text: string;
  /** First character in the filter, from 0. */
  readonly at: number;
}

const FORMS: readonly (readonly [Token["kind"] | null, RegExp])[] = [
  [null, /\s+/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["name", /[\p{L}_:][\p{L}\p{N}_:.]*/uy],
  ["quoted", /"(?:[^"\\]|\\.|"")*"/y],
  ["text", /'(?:[^'\\]|\\[^]|'')*'/y],
  ["sign", /<>|<=|>=|[<>=(),+\-*/%^]/y],
];

/** The words and signs of a filter in text, `end` last. @throws {Cql2Error} at a character that begins none */
export function tokensOf(filter: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < filter.length) {
    const found = nextToken(filter, at);
    if (found === null) throw new Cql2Error(`unexpected ${JSON.stringify(filter[at])} at character ${at + 1}`);
    const [kind, text] = found;
    if (kind !== null) tokens.push({ kind, text: kind === "text" || kind === "quoted" ? unquoted(text) : text, at });
    at += text.length;
  }
  return [...tokens, { kind: "end", text: "the end", at }];
}

function nextToken(filter: string, at: number): readonly [Token["kind"] | null, string] | null {
  for (const [kind, pattern] of FORMS) {
    pattern.lastIndex = at;
    const text = pattern.exec(filter)?.[0];
    if (text !== undefined) return [kind, text];
  }
  return null;
}

/** A quote within is doubled, or follows a backslash; other backslashes stay, since LIKE reads them. */
function unquoted(text: string): string {
  const quote = text[0] ?? "";
  return text.slice(1, -1).replaceAll(`\\${quote}`, quote).replaceAll(`${quote}${quote}`, quote);
}
