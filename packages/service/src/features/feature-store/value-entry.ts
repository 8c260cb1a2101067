import type { JsonScalar } from "@swath/kernel/query/ast";
import { firstCharacters } from "@swath/kernel/query/text-order";
import { PATH_SEGMENT, QUERY_LIMITS } from "@swath/kernel/query/query-reader";

/*
 * An entry is six characters of a hash of the path, one that tells the type, and the value in a form whose order by
 * code points is its own. Paths that share a hash only cost looking at features that do not match.
 */

/** Ascending by code point. */
const DIGITS = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
/** Longer texts are told apart by looking at the feature. */
const TEXT_CHARACTERS = 48;
/** No text of entries comes after so many of it. */
const LAST_CHARACTER = "\u{10FFFF}";
const MAX_REMEMBERED_PATHS = 10_000;

const bits = new DataView(new ArrayBuffer(8));
const hashes = new Map<string, string>();

function digits(value: number, count: number): string {
  let text = "";
  let rest = value;
  for (let i = 0; i < count; i += 1) {
    text = (DIGITS[rest % 64] ?? "") + text;
    rest = Math.floor(rest / 64);
  }
  return text;
}

/** FNV-1a, 32 bits. */
function pathHash(path: string): string {
  const known = hashes.get(path);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let i = 0; i < path.length; i += 1) hash = Math.imul(hash ^ path.charCodeAt(i), 0x01000193);
  const text = digits(hash >>> 0, 6);
  if (hashes.size >= MAX_REMEMBERED_PATHS) hashes.clear();
  hashes.set(path, text);
  return text;
}

/** A double in 12 digits that sort as numbers do. */
function numberDigits(value: number): string {
  bits.setFloat64(0, value + 0);
  let high = bits.getUint32(0);
  let low = bits.getUint32(4);
  if (high >= 0x80000000) {
    high = ~high >>> 0;
    low = ~low >>> 0;
  } else {
    high += 0x80000000;
  }
  return digits(high, 6) + digits(low, 6);
}

/** The entry of a value of a property. */
export function valueEntry(path: readonly string[], value: JsonScalar): string {
  return entryAt(pathHash(path.join(".")), value);
}

function entryAt(hash: string, value: JsonScalar): string {
  if (typeof value === "number") return `${hash}n${numberDigits(value)}`;
  if (typeof value === "string") return `${hash}s${firstCharacters(value, TEXT_CHARACTERS)}`;
  return value === null ? `${hash}z` : `${hash}b${value ? 1 : 0}`;
}

/** Entries from `low` to `high`, both included. */
export interface EntryRange {
  readonly low: string;
  readonly high: string;
}

/** Holds the entries of all values that compare so with a limit; some that do not, at its edge. */
export function comparedRange(
  path: readonly string[],
  order: "lt" | "le" | "gt" | "ge",
  limit: number | string,
): EntryRange {
  const hash = pathHash(path.join("."));
  const tag = typeof limit === "number" ? "n" : "s";
  const at = entryAt(hash, limit);
  return order === "lt" || order === "le"
    ? { low: `${hash}${tag}`, high: at }
    : {
        low: at,
        high: `${hash}${tag}${typeof limit === "number" ? "z".repeat(12) : LAST_CHARACTER.repeat(TEXT_CHARACTERS)}`,
      };
}

/** Holds the entries of all texts that begin so. */
export function prefixRange(path: readonly string[], prefix: string): EntryRange {
  const low = valueEntry(path, prefix);
  return { low, high: low + LAST_CHARACTER.repeat(TEXT_CHARACTERS) };
}

/** Entries of all scalars of a document that queries can name; those inside arrays have none. */
export function documentEntries(properties: Readonly<Record<string, unknown>>): readonly string[] {
  // Two paths can share a hash.
  const entries = new Set<string>();
  const visit = (members: object, path: string, depth: number): void => {
    for (const [name, value] of Object.entries(members)) {
      if (Array.isArray(value) || !PATH_SEGMENT.test(name)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      if (typeof value === "object" && value !== null) {
        if (depth < QUERY_LIMITS.pathSegments) visit(value, at, depth + 1);
      } else if (at !== "collection") {
        entries.add(entryAt(pathHash(at), value));
      }
    }
  };
  visit(properties, "", 1);
  return [...entries];
}
