import { formulaOperands, type Formula } from "./formula.ts";
import { ROW_FUNCTIONS, ROW_OPERATORS, type RowOperation } from "./formula-rows.ts";

/** Rows are computed in pieces of this many values, so that intermediate results stay in the processor's cache. */
const CHUNK = 1_024;

/** Stored pixels and what makes them the values meant: `mult * pixel + add`, in double precision. */
export interface ScaledPixels {
  readonly pixels: Float32Array;
  readonly mult: number;
  readonly add: number;
}

/**
 * What a name stands for: an array gives one value per pixel, a number is the same for every pixel. Reflectance is
 * scaled here and not before: rounded to single precision, it would be off by 6e-8 of itself, which differences of nearly
 * equal bands magnify beyond 1e-6.
 */
export type FormulaInput = Float32Array | Float64Array | ScaledPixels | number;

/** Inputs by name. */
export type FormulaInputs = Readonly<Record<string, FormulaInput>>;

/** The value of an input at a pixel, NaN where it has none. */
export function inputAt(input: FormulaInput | undefined, pixel: number): number {
  if (input === undefined) return Number.NaN;
  if (typeof input === "number") return input;
  if ("pixels" in input) return input.mult * (input.pixels[pixel] ?? Number.NaN) + input.add;
  return input[pixel] ?? Number.NaN;
}

/**
 * Evaluates a formula for `output.length` pixels.
 * A pixel is NaN where an input is NaN, where any denominator is nearer to zero than a millionth, or where the result is not finite.
 */
export type FormulaEvaluator = (inputs: FormulaInputs, output: Float32Array) => void;

/** Computes `count` pixels from `offset` on into `target`, using `scratch[depth]` and deeper. */
type Step = (inputs: FormulaInputs, offset: number, count: number, target: Float64Array) => void;

/**
 * The formula as a chain of closures over rows of float64; nothing is generated or evaluated as code.
 *
 * @throws {RangeError} when evaluated without a value for one of its names
 * @example compileFormula(parseFormula("(N - R) / (N + R)")) // NDVI of N 0.643, R 0.175 is 0.5721271
 */
export function compileFormula(formula: Formula): FormulaEvaluator {
  const step = compileStep(formula, 0, []);
  const result = new Float64Array(CHUNK);
  return (inputs, output) => {
    for (let offset = 0; offset < output.length; offset += CHUNK) {
      const count = Math.min(CHUNK, output.length - offset);
      step(inputs, offset, count, result);
      for (let i = 0; i < count; i++) {
        const value = result[i]!;
        output[offset + i] = value - value === 0 ? value : Number.NaN;
      }
    }
  };
}

function compileStep(formula: Formula, depth: number, scratch: Float64Array[]): Step {
  if (formula.kind === "number") {
    const { value } = formula;
    return (_inputs, _offset, count, target) => {
      target.fill(value, 0, count);
    };
  }
  if (formula.kind === "name") return readInput(formula.name);
  if (formula.kind === "negate") {
    const operand = compileStep(formula.operand, depth, scratch);
    return (inputs, offset, count, target) => {
      operand(inputs, offset, count, target);
      for (let i = 0; i < count; i++) target[i] = -target[i]!;
    };
  }
  const operation = formula.kind === "call" ? ROW_FUNCTIONS[formula.function] : ROW_OPERATORS[formula.kind];
  const operands = formulaOperands(formula);
  return formula.kind === "call" && (formula.function === "min" || formula.function === "max")
    ? folded(operation, operands, depth, scratch)
    : applied(operation, operands, depth, scratch);
}

function scratchRow(scratch: Float64Array[], depth: number): Float64Array {
  return (scratch[depth] ??= new Float64Array(CHUNK));
}

/** An operation on one to three operands. */
function applied(operation: RowOperation, operands: readonly Formula[], depth: number, scratch: Float64Array[]): Step {
  const [first, second, third] = operands.map((operand, i) => compileStep(operand, depth + i, scratch));
  // Step i uses the rows from depth + i on: the rows before hold finished operands.
  const b = scratchRow(scratch, depth);
  const c = scratchRow(scratch, depth + 1);
  return (inputs, offset, count, target) => {
    first!(inputs, offset, count, target);
    second?.(inputs, offset, count, b);
    third?.(inputs, offset, count, c);
    operation(count, target, b, c);
  };
}

/** An operation that joins any number of operands, two at a time. */
function folded(operation: RowOperation, operands: readonly Formula[], depth: number, scratch: Float64Array[]): Step {
  const [first, ...others] = operands.map((operand, i) => compileStep(operand, depth + (i > 0 ? 1 : 0), scratch));
  const row = scratchRow(scratch, depth);
  return (inputs, offset, count, target) => {
    first!(inputs, offset, count, target);
    for (const other of others) {
      other(inputs, offset, count, row);
      operation(count, target, row, row);
    }
  };
}

function readInput(name: string): Step {
  return (inputs, offset, count, target) => {
    const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (input === undefined) throw new RangeError(`formula needs a value for "${name}"`);
    if (typeof input === "number") target.fill(input, 0, count);
    else if ("pixels" in input) {
      const { pixels, mult, add } = input;
      for (let i = 0; i < count; i++) target[i] = mult * pixels[offset + i]! + add;
    } else for (let i = 0; i < count; i++) target[i] = input[offset + i]!;
  };
}
