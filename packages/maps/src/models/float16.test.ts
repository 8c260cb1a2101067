import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fromFloat16, toFloat16 } from "./float16.ts";

function bitsOf(value: number): number {
  return toFloat16(Float32Array.of(value))[0];
}

const ALL = Uint16Array.from({ length: 65_536 }, (_, bits) => bits);

/** The rule of IEEE 754 binary16 as it is written, on the digits of the bits. */
function byRule(bits: number): number {
  const digits = bits.toString(2).padStart(16, "0");
  const sign = digits[0] === "1" ? -1 : 1;
  const exponent = Number.parseInt(digits.slice(1, 6), 2);
  const fraction = Number.parseInt(digits.slice(6), 2) / 1024;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}

/** The language's own conversion, where it has one. */
const view: DataView & { getFloat16?: (at: number) => number; setFloat16?: (at: number, value: number) => void } =
  new DataView(new ArrayBuffer(2));

test("all 65,536 patterns of bits are the numbers that the standard says, and come back as the same bits", () => {
  const values = fromFloat16(ALL);
  const back = toFloat16(values);
  for (const [bits, value] of values.entries()) {
    assert.ok(Object.is(value, byRule(bits)), `${bits} is ${value}`);
    view.setUint16(0, bits);
    if (view.getFloat16 !== undefined) assert.ok(Object.is(value, view.getFloat16(0)), `${bits} is ${value}`);
    if (Number.isNaN(value)) assert.ok(Number.isNaN(byRule(back[bits])));
    else assert.equal(back[bits], bits);
  }
});

test("between any two neighbours a number goes to the nearer one, and from the middle to the even one", () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    const low = byRule(bits);
    // One step beyond the largest number lies 65,536, for which infinity stands.
    const high = bits === 0x7bff ? 65_536 : byRule(bits + 1);
    const middle = (low + high) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    assert.equal(bitsOf(middle), even);
    assert.equal(bitsOf(-middle), even | 0x8000);
    // A step of single precision.
    assert.equal(bitsOf(middle * (1 - 2 ** -23)), bits);
    assert.equal(bitsOf(middle * (1 + 2 ** -23)), bits + 1);
  }
  assert.equal(bitsOf(1e38), 0x7c00);
  assert.equal(bitsOf(-Infinity), 0xfc00);
  assert.equal(bitsOf(1e-45), 0);
});

test("any number becomes what the language itself makes of it", (t) => {
  if (view.setFloat16 === undefined) {
    t.skip("this Node has no numbers of half precision");
    return;
  }
  const numbers = fc.oneof(
    fc.float(),
    fc.float({ min: -70_000, max: 70_000 }),
    fc.float({ min: Math.fround(-1e-4), max: Math.fround(1e-4) }),
  );
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1 }), (values) => {
      const halves = toFloat16(Float32Array.from(values));
      for (const [index, value] of values.entries()) {
        view.setFloat16?.(0, value);
        assert.ok(Object.is(byRule(halves[index]), byRule(view.getUint16(0))));
      }
    }),
    { numRuns: 1000 },
  );
});
