import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { float16Bits, float16Value, fromFloat16, toFloat16 } from "./float16.ts";

/** The rule of IEEE 754 binary16 as it is written, on the digits of the bits. */
function byRule(bits: number): number {
  const digits = bits.toString(2).padStart(16, "0");
  const sign = digits[0] === "1" ? -1 : 1;
  const exponent = Number.parseInt(digits.slice(1, 6), 2);
  const fraction = digits.slice(6).reduce((sum, digit, place) => sum + Number(digit) / 2 ** (place + 1), 0);
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -14 : sign * (1 + fraction) * 2 ** (exponent - 15);
}

/** The language's own conversion, where it has one. */
const view: DataView & { getFloat16?: (at: number) => number; setFloat16?: (at: number, value: number) => void } =
  new DataView(new ArrayBuffer(2));

test("all 65,536 patterns of bits are the numbers that the standard says, and come back as the same bits", () => {
  for (let bits = 0; bits < 65_536; bits++) {
    const value = float16Value(bits);
    assert.ok(Object.is(value, byRule(bits)), `${bits} is ${value}`);
    view.setUint16(0, bits);
    if (view.getFloat16 !== undefined) assert.ok(Object.is(value, view.getFloat16(0)), `${bits} is ${value}`);
    if (Number.isNaN(value)) assert.ok(Number.isNaN(float16Value(float16Bits(value))));
    else assert.equal(float16Bits(value), bits);
  }
});

test("between any two neighbours a number goes to the nearer one, and from the middle to the even one", () => {
  for (let bits = 0; bits < 0x7c00; bits++) {
    const low = byRule(bits);
    // One step beyond the largest number lies 65,536, for which infinity stands.
    const high = bits === 0x7bff ? 65_536 : byRule(bits + 1);
    const middle = (low + high) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    assert.equal(float16Bits(middle), even);
    assert.equal(float16Bits(-middle), even | 0x8000);
    const step = middle * 2 ** -40;
    assert.equal(float16Bits(middle - step), bits);
    assert.equal(float16Bits(middle + step), bits + 1);
  }
  assert.equal(float16Bits(1e300), 0x7c00);
  assert.equal(float16Bits(5e-324), 0);
});

test("any number becomes what the language itself makes of it, and lists are converted one by one", (t) => {
  const numbers = fc.oneof(fc.double(), fc.double({ min: -70_000, max: 70_000 }), fc.double({ min: -1e-4, max: 1e-4 }));
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) =>
      assert.equal(toFloat16(Float32Array.of(value))[0], float16Bits(value)),
    ),
  );
  assert.deepEqual(fromFloat16(Uint16Array.of(0x3c00, 0xc000, 0x7c00)), Float32Array.of(1, -2, Infinity));
  if (view.setFloat16 === undefined) {
    t.skip("this Node has no numbers of half precision");
    return;
  }
  fc.assert(
    fc.property(numbers, (value) => {
      view.setFloat16?.(0, value);
      assert.ok(Object.is(float16Value(float16Bits(value)), float16Value(view.getUint16(0))));
    }),
    { numRuns: 2000 },
  );
});
