import { Cql2Error } from "./expression.ts";
import { tokensOf, type Token } from "./tokens.ts";

/** A place among the tokens of a filter. */
export interface TokenReader {
  readonly tokens: readonly Token[];
  next: number;
  nodes: number;
}

export function tokenReader(filter: string): TokenReader {
  return { tokens: tokensOf(filter), next: 0, nodes: 0 };
}

export function peek(reader: TokenReader, ahead = 0): Token {
  const token = reader.tokens[Math.min(reader.next + ahead, reader.tokens.length - 1)];
  if (token === undefined) throw new Cql2Error("the filter is empty");
  return token;
}

export function take(reader: TokenReader): Token {
  const token = peek(reader);
  reader.next += 1;
  return token;
}

/** Takes the next token if it is this sign, or this word in any case. */
export function takeIf(reader: TokenReader, text: string): boolean {
  if (!isNext(reader, text)) return false;
  reader.next += 1;
  return true;
}

export function isNext(reader: TokenReader, text: string, ahead = 0): boolean {
  const token = peek(reader, ahead);
  return (token.kind === "sign" || token.kind === "name") && token.text.toUpperCase() === text;
}

/** @throws {Cql2Error} when the next token is another one */
export function expect(reader: TokenReader, text: string): void {
  if (!takeIf(reader, text)) throw unexpected(reader, text);
}

export function unexpected(reader: TokenReader, wanted: string): Cql2Error {
  const { text, at } = peek(reader);
  return new Cql2Error(`expected ${wanted}, got ${text} at character ${at + 1}`);
}
