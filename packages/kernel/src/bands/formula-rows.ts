import type { FormulaOperator } from "./formula.ts";
import type { FormulaFunction } from "./formula-functions.ts";

/** Quotients whose denominator is nearer to zero than this are undefined. */
const MIN_DENOMINATOR = 1e-6;

/** Replaces the first `count` values of the first row by the result of an operation on all rows. */
export type RowOperation = (count: number, target: Float64Array, b: Float64Array, c: Float64Array) => void;

/** The operators on rows of float64. A value without a number stays without: comparisons with NaN are NaN. */
export const ROW_OPERATORS: Readonly<Record<FormulaOperator, RowOperation>> = {
  add: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i]! += b[i]!;
  },
  subtract: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i]! -= b[i]!;
  },
  multiply: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i]! *= b[i]!;
  },
  divide: (count, target, b) => {
    for (let i = 0; i < count; i++) {
      const divisor = b[i]!;
      target[i] = Math.abs(divisor) < MIN_DENOMINATOR ? Number.NaN : target[i]! / divisor;
    }
  },
  power: (count, target, b) => {
    for (let i = 0; i < count; i++) {
      const base = target[i]!;
      // NaN ** 0 is 1: a pixel without data must stay without data.
      target[i] = base === base ? base ** b[i]! : Number.NaN;
    }
  },
  less: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i]! < b[i]!);
  },
  lessOrEqual: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i]! <= b[i]!);
  },
  greater: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i]! > b[i]!);
  },
  greaterOrEqual: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i]! >= b[i]!);
  },
  equal: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i] === b[i]);
  },
  notEqual: (count, target, b) => {
    for (let i = 0; i < count; i++) target[i] = compared(target[i]!, b[i]!, target[i] !== b[i]);
  },
};

function compared(a: number, b: number, holds: boolean): number {
  return a !== a || b !== b ? Number.NaN : holds ? 1 : 0;
}

const min: RowOperation = (count, target, b) => {
  for (let i = 0; i < count; i++) target[i] = Math.min(target[i]!, b[i]!);
};
const max: RowOperation = (count, target, b) => {
  for (let i = 0; i < count; i++) target[i] = Math.max(target[i]!, b[i]!);
};

/** The functions on rows of float64; `min` and `max` join two rows. */
export const ROW_FUNCTIONS: Readonly<Record<FormulaFunction, RowOperation>> = {
  abs: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.abs(target[i]!);
  },
  ceil: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.ceil(target[i]!);
  },
  clamp: (count, target, b, c) => {
    for (let i = 0; i < count; i++) target[i] = Math.min(Math.max(target[i]!, b[i]!), c[i]!);
  },
  cos: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.cos(target[i]!);
  },
  exp: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.exp(target[i]!);
  },
  floor: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.floor(target[i]!);
  },
  log: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.log(target[i]!);
  },
  log10: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.log10(target[i]!);
  },
  max,
  min,
  round: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = roundHalfEven(target[i]!);
  },
  sin: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.sin(target[i]!);
  },
  sqrt: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.sqrt(target[i]!);
  },
  tan: (count, target) => {
    for (let i = 0; i < count; i++) target[i] = Math.tan(target[i]!);
  },
  where: (count, target, b, c) => {
    for (let i = 0; i < count; i++) {
      const condition = target[i]!;
      target[i] = condition !== condition ? Number.NaN : condition === 0 ? c[i]! : b[i]!;
    }
  },
};

/** As IEEE 754 and numpy round. */
function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
