import * as fc from "fast-check";
import { Compile } from "typebox/compile";
import { membersOf, type Schema } from "../example-request.ts";
import { geojsonOf } from "./geojson-values.ts";
import { hostileText } from "./hostile-texts.ts";
import type { MemberValues } from "./member-values.ts";

/** A list at a bound is one item repeated up to this number: a request of more is larger than a body may be. */
const LONGEST_LIST = 12_000;
const LONGEST_TEXT = 20_000;
/** Of ten values within the bounds, about one lies at a bound; of a hundred, one lies beyond it. */
const WITHIN = 100;
const AT_BOUND = 12;
const BEYOND = 1;

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function schemasIn(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function numberIn(schema: Schema, name: string): number | null {
  const value = schema[name];
  return typeof value === "number" ? value : null;
}

function weighted(
  within: fc.Arbitrary<unknown>,
  atBound: readonly unknown[],
  beyond: readonly unknown[],
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: WITHIN, arbitrary: within },
    ...(atBound.length > 0 ? [{ weight: AT_BOUND, arbitrary: fc.constantFrom(...atBound) }] : []),
    ...(beyond.length > 0 ? [{ weight: BEYOND, arbitrary: fc.constantFrom(...beyond) }] : []),
  );
}

/**
 * Values of a JSON Schema: within its bounds, at each bound, and now and then beyond one. `members` may know better by
 * the name of a member.
 */
export function valuesOf(schema: Schema, members: MemberValues): fc.Arbitrary<unknown> {
  if ("const" in schema) return fc.constant(schema["const"]);
  const geojson = geojsonTypes(schema);
  if (geojson !== null) return geojsonOf(geojson);
  if (Array.isArray(schema["enum"])) {
    return weighted(fc.constantFrom(...schema["enum"]), [], [`${String(schema["enum"][0])}x`, null]);
  }
  const variants = [...schemasIn(schema["anyOf"]), ...schemasIn(schema["oneOf"])];
  if (variants.length > 0) return fc.oneof(...variants.map((variant) => valuesOf(variant, members)));
  const composed = schemasIn(schema["allOf"]);
  const [first] = composed;
  if (first !== undefined && schema["type"] === undefined && schema["properties"] === undefined) {
    if (composed.every((part) => part["properties"] === undefined)) return valuesOf(first, members);
  }
  const types = [schema["type"]].flat();
  if (types.length > 1) return fc.oneof(...types.map((type) => valuesOf({ ...schema, type }, members)));
  switch (types[0]) {
    case "array":
      return listsOf(schema, members);
    case "integer":
    case "number":
      return numbersOf(schema, types[0] === "integer");
    case "boolean":
      return weighted(fc.boolean(), [], ["true", 1, 0, null]);
    case "null":
      return fc.constant(null);
    case "string":
      return textsOf(schema);
    default:
      return schema["properties"] !== undefined || composed.length > 0 || types[0] === "object"
        ? objectsOf(schema, members)
        : fc.jsonValue({ maxDepth: 3 });
  }
}

/** Types of GeoJSON that the schema takes; null for a schema of something else. */
function geojsonTypes(schema: Schema): readonly string[] | null {
  const type = isSchema(schema["properties"]) ? schema["properties"]["type"] : undefined;
  const names = isSchema(type) && Array.isArray(type["enum"]) ? type["enum"] : [];
  const known = names.filter((name) => typeof name === "string");
  return known.includes("Polygon") || known.includes("MultiPolygon") ? known : null;
}

function numbersOf(schema: Schema, integer: boolean): fc.Arbitrary<unknown> {
  const min = numberIn(schema, "minimum") ?? numberIn(schema, "exclusiveMinimum");
  const max = numberIn(schema, "maximum") ?? numberIn(schema, "exclusiveMaximum");
  const [low, high] = [min ?? -1e6, max ?? Math.max(1e6, (min ?? 0) + 1e6)];
  const within = integer
    ? fc.oneof(
        fc.integer({ min: Math.ceil(low), max: Math.floor(Math.min(high, low + 50)) }),
        fc.maxSafeInteger().map((value) => Math.min(Math.floor(high), Math.max(Math.ceil(low), value))),
      )
    : fc.double({ min: low, max: high, noNaN: true });
  const bounds = [min, max].filter((bound) => bound !== null);
  const beyond = [
    ...(min === null ? [] : [min - 1, min - 1e-9]),
    ...(max === null ? [] : [max + 1, max * (1 + 1e-15)]),
    ...(integer ? [0.5, 1e-7, (min ?? 0) + 0.999_999] : []),
    -0,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 63,
    1e308,
    5e-324,
    "1",
    "",
    true,
  ];
  return weighted(within, bounds, beyond);
}

function sized(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

function textsOf(schema: Schema): fc.Arbitrary<unknown> {
  const least = numberIn(schema, "minLength") ?? 0;
  const most = numberIn(schema, "maxLength") ?? 256;
  const longest = Math.min(most, LONGEST_TEXT);
  const examples = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  const pattern = typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"]) : null;
  const plain = fc.oneof(
    fc.string({ unit: "grapheme", minLength: least, maxLength: Math.min(most, least + 24) }),
    hostileText.map((text) => text.padEnd(least, "x").slice(0, most)),
  );
  const formed =
    pattern === null
      ? plain
      : fc.stringMatching(pattern).map((text) => (text.length < least ? "a".repeat(least) : text.slice(0, most)));
  const bounds = [sized("a", least), sized("a", longest), sized("é", longest), sized("\u{1F600}", longest)];
  const nearly = examples.filter((one) => typeof one === "string").map((one) => `${one}x`);
  return weighted(examples.length === 0 ? formed : fc.oneof(fc.constantFrom(...examples), formed), bounds, [
    sized("a", Math.max(0, least - 1)),
    sized("a", longest + 1),
    ...nearly,
    "\u0000",
    "\uD800",
    1,
    null,
    {},
  ]);
}

function listsOf(schema: Schema, members: MemberValues): fc.Arbitrary<unknown> {
  const prefix = schemasIn(schema["prefixItems"]);
  if (prefix.length > 0) return fc.tuple(...prefix.map((item) => valuesOf(item, members)));
  const items = isSchema(schema["items"]) ? schema["items"] : {};
  const item = valuesOf(items, members);
  const least = numberIn(schema, "minItems") ?? 0;
  const most = numberIn(schema, "maxItems") ?? 1000;
  const lengths = { minLength: least, maxLength: Math.max(least, Math.min(most, least + 3)) };
  const few = schema["uniqueItems"] === true ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
  const repeated = (length: number): fc.Arbitrary<unknown> =>
    item.map((one) =>
      Array.from({ length: Math.min(Math.max(0, length), LONGEST_LIST) }, (_, index) =>
        schema["uniqueItems"] === true && typeof one === "string" ? `${one.slice(0, -6)}${index}` : one,
      ),
    );
  return fc.oneof(
    { weight: WITHIN, arbitrary: few },
    { weight: 2, arbitrary: fc.oneof(repeated(least), repeated(most)) },
    { weight: BEYOND, arbitrary: fc.oneof(repeated(least - 1), repeated(most + 1)) },
  );
}

function objectsOf(schema: Schema, members: MemberValues): fc.Arbitrary<unknown> {
  const required = [schema, ...schemasIn(schema["allOf"])].flatMap((part) =>
    Array.isArray(part["required"]) ? part["required"].filter((name) => typeof name === "string") : [],
  );
  const named = Object.entries(membersOf(schema)).map(([name, member]) => {
    const own = valuesOf(member, members);
    const special = members(name, member);
    return [name, special === null ? own : preferred(special, own, member)] as const;
  });
  const pattern = isSchema(schema["patternProperties"])
    ? Object.values(schema["patternProperties"]).find(isSchema)
    : null;
  const open = isSchema(schema["additionalProperties"]) ? schema["additionalProperties"] : pattern;
  const free =
    named.length === 0
      ? fc.dictionary(hostileText, open ? valuesOf(open, members) : fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 })
      : fc.constant({});
  const known = fc.record(Object.fromEntries(named), {
    requiredKeys: required.filter((name) => named.some(([one]) => one === name)),
  });
  return fc.tuple(free, known).map(([others, own]) => ({ ...others, ...own }));
}

/** Values of the first kind, three times in four; one that the schema refuses is taken once in sixteen. */
function preferred(first: fc.Arbitrary<unknown>, second: fc.Arbitrary<unknown>, schema: Schema): fc.Arbitrary<unknown> {
  let check: { Check(value: unknown): boolean } | null = null;
  return fc.tuple(fc.nat({ max: 15 }), first, second).map(([chance, one, other]) => {
    if (chance < 4) return other;
    check ??= Compile(schema);
    return chance === 4 || check.Check(one) ? one : other;
  });
}
