import * as fc from "fast-check";

/** Names of members that every JavaScript object inherits, or that steer its prototype. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "then",
  "toJSON",
  "length",
] as const;

const SPECIAL = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\uD800",
  "\uDC00x",
  "x\uDBFF",
  "\uFFFE\uFFFF",
  "\uFEFF",
  "\u202Egnp.exe",
  "e\u0301".repeat(40),
  "👩‍👩‍👧‍👦".repeat(20),
  "ß",
  "İ",
  "ﬁ",
  "\u2028\u2029",
  "\r\nSet-Cookie: a=b",
  "\u001B[31m\u0007\u0008",
  "'; select pg_sleep(9); --",
  "%",
  "_%\\",
  "\\",
  "%00",
  "%2e%2e%2f",
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "a/b",
  "null",
  "undefined",
  "NaN",
  "true",
  "0",
  "-1",
  "1e999",
  "{}",
  "[]",
  "<script>",
  "${7*7}",
  "{{7*7}}",
  "a".repeat(65),
  "a".repeat(257),
  "a.".repeat(128),
  `${"a".repeat(40)}!`,
  "(".repeat(100),
  "é".repeat(5000),
] as const;

const INSTANTS = [
  "2024-06-01",
  "2024-06-01 00:00:00",
  "2024-06-01T00:00:00Z",
  "2030-01-01 00:00:00",
  "2099-12-31T23:59:59Z",
  "2024-06-01T12:34:56.123456789+05:45",
  "0001-01-01T00:00:00+23:59",
  "9999-12-31 23:59:59",
  "9999-12-31T23:59:59-23:59",
  "1969-12-31T23:59:59Z",
] as const;

const WRONG_INSTANTS = [
  "2024-02-30 00:00:00",
  "2024-13-01",
  "2024-06-01T24:00:00Z",
  "2024-06-01T25:61:61Z",
  "2016-12-31T23:59:60Z",
  "0000-01-01",
  "0000-00-00 00:00:00",
  "2024-06-01T00:00:00+99:99",
  "-271821-04-20",
  "+275760-09-13T00:00:00Z",
  "+999999-01-01T00:00:00Z",
  "Infinity",
  "-infinity",
  "now",
  "epoch",
] as const;

/** Texts that upset databases, parsers and file systems. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...SPECIAL) },
  { weight: 1, arbitrary: fc.constantFrom(...PROTOTYPE_NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG_INSTANTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme-composite", maxLength: 40 }) },
);

/** Moments in the forms of requests, some of them impossible. */
export const instantText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...INSTANTS) },
  { weight: 1, arbitrary: fc.constantFrom(...WRONG_INSTANTS) },
);
