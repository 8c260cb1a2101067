/** The most operands that `min` and `max` take. */
const MAX_OPERANDS = 16;

/** How many operands each function takes, least and most. */
export const FORMULA_FUNCTIONS = {
  abs: [1, 1],
  ceil: [1, 1],
  clamp: [3, 3],
  cos: [1, 1],
  exp: [1, 1],
  floor: [1, 1],
  log: [1, 1],
  log10: [1, 1],
  max: [2, MAX_OPERANDS],
  min: [2, MAX_OPERANDS],
  round: [1, 1],
  sin: [1, 1],
  sqrt: [1, 1],
  tan: [1, 1],
  where: [3, 3],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

/**
 * A function of formulas. Angles are radians, `log` is the natural logarithm, `round` takes halves to the even number,
 * `clamp(x, low, high)` is `min(max(x, low), high)`, `where(condition, a, b)` is `b` where the condition is 0.
 */
export type FormulaFunction = keyof typeof FORMULA_FUNCTIONS;

export function isFormulaFunction(name: string): name is FormulaFunction {
  return Object.hasOwn(FORMULA_FUNCTIONS, name);
}
