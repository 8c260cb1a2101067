import * as fc from "fast-check";
import { hostileText, PROTOTYPE_NAMES } from "./hostile-texts.ts";

/** Values of every type, none of which most members expect. */
const foreign: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      0.5,
      1e308,
      -1e308,
      2 ** 53,
      "",
      [],
      {},
      [[]],
      [null],
    ),
  },
  { weight: 2, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(30, 62, 63, 64, 200).map((depth) => nest("deep", depth)) },
  { weight: 1, arbitrary: fc.constantFrom(1000, 100_000).map((length) => "x".repeat(length)) },
  { weight: 1, arbitrary: fc.constantFrom(1000, 50_000).map((length) => Array.from({ length }, () => 0)) },
);

function nest(value: unknown, depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>(
    (inner, _, level) => (level % 2 === 0 ? [inner] : { a: inner }),
    value,
  );
}

type Fault =
  | { readonly kind: "replace" | "append"; readonly value: unknown }
  | { readonly kind: "remove" | "repeat" | "wrap" }
  | { readonly kind: "add"; readonly name: string; readonly value: unknown };

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: foreign.map((value): Fault => ({ kind: "replace", value })) },
  { weight: 2, arbitrary: fc.constant<Fault>({ kind: "remove" }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: "repeat" }) },
  { weight: 1, arbitrary: fc.constant<Fault>({ kind: "wrap" }) },
  { weight: 1, arbitrary: foreign.map((value): Fault => ({ kind: "append", value })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), hostileText), foreign)
      .map(([name, value]): Fault => ({ kind: "add", name, value })),
  },
);

/** Most copies of a fault of "repeat", and their size as JSON: about the largest body. */
const COPIES = 1000;
const COPIED_CHARACTERS = 12_000_000;

/** The value with a fault or two at places that `index` chooses. */
export function spoiled(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(values, fc.array(fc.tuple(fc.nat({ max: 10_000 }), fault), { minLength: 1, maxLength: 2 }))
    .map(([value, faults]) => faults.reduce((spoilt, [index, one]) => withFault(spoilt, index, one), value));
}

/** Places of a value where a fault may go: itself and, of objects and lists, their members. */
function countPlaces(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value)
    .slice(0, 50)
    .reduce<number>((sum, member) => sum + countPlaces(member), 1);
}

function withFault(value: unknown, index: number, one: Fault): unknown {
  let left = index % countPlaces(value);
  const visit = (part: unknown): unknown => {
    if (left === 0) {
      left -= 1;
      return applied(part, one);
    }
    left -= 1;
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return part.flatMap((item, at) => (at < 50 && left >= 0 ? kept(visit(item)) : [item]));
    const entries = Object.entries(part).flatMap(([name, member], at) =>
      (at < 50 && left >= 0 ? kept(visit(member)) : [member]).map((changed) => [name, changed] as const),
    );
    return withEntries(entries);
  };
  const spoilt = visit(value);
  return spoilt === REMOVED ? {} : spoilt;
}

const REMOVED = Symbol("removed");

function kept(value: unknown): readonly unknown[] {
  return value === REMOVED ? [] : [value];
}

/** An object of these members, `__proto__` among them as any other. */
function withEntries(entries: readonly (readonly [name: string, value: unknown])[]): object {
  const object = {};
  for (const [name, value] of entries) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

function applied(value: unknown, one: Fault): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  switch (one.kind) {
    case "replace":
      return one.value;
    case "remove":
      return REMOVED;
    case "wrap":
      return [value];
    case "repeat":
      return repeated(value);
    case "append":
      return Array.isArray(value) ? [...value, one.value] : one.value;
    case "add":
      return isObject ? withEntries([...Object.entries(value), [one.name, one.value]]) : { [one.name]: one.value };
    default:
      return value;
  }
}

function repeated(value: unknown): readonly unknown[] {
  const characters = JSON.stringify(value)?.length ?? 1;
  const length = Math.min(COPIES, Math.max(1, Math.floor(COPIED_CHARACTERS / characters)));
  return Array.isArray(value) ? Array.from({ length }, () => value).flat() : Array.from({ length: 3 }, () => value);
}
