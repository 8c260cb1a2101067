import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import * as fc from "fast-check";
import { compileFormula } from "./formula-evaluator.ts";
import type { FormulaFunction } from "./formula-functions.ts";
import { formulaText } from "./formula-text.ts";
import { parseFormula, type Formula, type FormulaOperator } from "./formula.ts";

function evaluate(text: string, inputs: Readonly<Record<string, number>>): number {
  const output = new Float32Array(1);
  compileFormula(parseFormula(text))(inputs, output);
  return output[0] ?? Number.NaN;
}

test("comparisons, where, clamp and rounding of pixels by hand", () => {
  assert.deepEqual(
    ["a<b", "a<=b", "a>b", "a>=b", "a==b", "a!=b"].map((text) => evaluate(text, { a: 2, b: 3 })),
    [1, 1, 0, 0, 0, 1],
  );
  assert.deepEqual(
    ["a<b", "a<=b", "a>b", "a>=b", "a==b", "a!=b"].map((text) => evaluate(text, { a: 2, b: 2 })),
    [0, 1, 0, 1, 1, 0],
  );
  assert.equal(evaluate("where(a > 1, 10, 20)", { a: 2 }), 10);
  assert.equal(evaluate("where(a > 1, 10, 20)", { a: 1 }), 20);
  assert.equal(evaluate("where(a > 1, 10, log(0))", { a: 2 }), 10, "the other branch may have no value");
  assert.equal(evaluate("clamp(a, 0, 1)", { a: 7 }), 1);
  assert.equal(evaluate("min(3, a, 2) + max(3, a, 9)", { a: -1 }), 8);
  assert.deepEqual(
    [0.5, 1.5, 2.5, -0.5, -1.5, 2.4].map((a) => evaluate("round(a)", { a })),
    [0, 2, 2, 0, -2, 2],
  );
  assert.equal(evaluate("pow(a, 2) - a ** 2", { a: 3 }), 0);
  assert.equal(evaluate("a + 1 < b * 2", { a: 1, b: 2 }), 1, "comparisons bind loosest");
});

test("a pixel without data has no value, whatever compares or chooses it", () => {
  for (const text of ["a<1", "a!=1", "where(a<1,0,1)", "min(a,1)", "max(1,a)", "clamp(a,0,1)", "abs(a)", "round(a)"]) {
    assert.ok(Number.isNaN(evaluate(text, { a: Number.NaN })), text);
  }
});

const OPERATORS: Readonly<Record<FormulaOperator, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => (Math.abs(b) < 1e-6 ? Number.NaN : a / b),
  power: (a, b) => (Number.isNaN(a) ? Number.NaN : a ** b),
  less: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a < b)),
  lessOrEqual: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a <= b)),
  greater: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a > b)),
  greaterOrEqual: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a >= b)),
  equal: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a === b)),
  notEqual: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(a !== b)),
};

const UNARY = ["abs", "ceil", "cos", "exp", "floor", "log", "log10", "sin", "sqrt", "tan"] as const;

/** One pixel at a time, straight from the tree. */
function direct(node: Formula, inputs: Readonly<Record<string, number>>): number {
  if (node.kind === "number") return node.value;
  if (node.kind === "name") return inputs[node.name] ?? Number.NaN;
  if (node.kind === "negate") return -direct(node.operand, inputs);
  if (node.kind !== "call") return OPERATORS[node.kind](direct(node.left, inputs), direct(node.right, inputs));
  const [a = 0, b = 0, c = 0] = node.operands.map((operand) => direct(operand, inputs));
  const unary = UNARY.find((name) => name === node.function);
  if (unary !== undefined) return Math[unary](a);
  if (node.function === "where") return Number.isNaN(a) ? a : a === 0 ? c : b;
  if (node.function === "clamp") return Math.min(Math.max(a, b), c);
  return node.function === "min" ? Math.min(a, b) : Math.max(a, b);
}

const trees = fc.letrec<{ tree: Formula }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("a", "b", "c").map((name): Formula => ({ kind: "name", name })),
    fc.double({ min: 0, max: 100, noNaN: true }).map((value): Formula => ({ kind: "number", value })),
    fc.record({ kind: fc.constant("negate"), operand: tie("tree") }),
    fc.record({
      kind: fc.constantFrom(...(Object.keys(OPERATORS) as FormulaOperator[])),
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({
      kind: fc.constant("call"),
      function: fc.constantFrom<FormulaFunction[]>(...UNARY),
      operands: fc.tuple(tie("tree")),
    }),
    fc.record({
      kind: fc.constant("call"),
      function: fc.constantFrom<FormulaFunction[]>("min", "max"),
      operands: fc.tuple(tie("tree"), tie("tree")),
    }),
    fc.record({
      kind: fc.constant("call"),
      function: fc.constantFrom<FormulaFunction[]>("where", "clamp"),
      operands: fc.tuple(tie("tree"), tie("tree"), tie("tree")),
    }),
  ),
})).tree;

function threeTimes(value: number): Float32Array {
  return Float32Array.of(value, value, value);
}

test("rows equal an evaluation of single pixels straight from the tree", () => {
  const pixels = fc.array(fc.float({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(trees, pixels, (tree, [a = 0, b = 0, c = 0]) => {
      const text = formulaText(tree);
      const output = new Float32Array(3);
      compileFormula(parseFormula(text))({ a: threeTimes(a), b: threeTimes(b), c: threeTimes(c) }, output);
      const value = direct(tree, { a, b, c });
      assert.equal(output[2], Math.fround(Number.isFinite(value) ? value : Number.NaN), text);
    }),
    { numRuns: 1_000 },
  );
});

const FORMULAS = [
  "(a - b) / (a + b)",
  "2.5 * (a - b) / (a + 6 * b + 7.5 * c + 1)",
  "where(a > 0.3, where(b < 0.2, a, b), c)",
  "where((a > b) * (b >= c), 1, 0) + where(a != b, 0.5, 0)",
  "min(a, b, c) / max(a, b, c, 0.01)",
  "sqrt(abs(a - b)) + exp(-a) * log(1 + b) - log10(c + 1)",
  "a ** 2 - b ** -0.5 + pow(c, 3)",
  "-a ** 2 + +b - -c",
  "sin(a) * cos(b) + tan(c)",
  "floor(a * 10) + ceil(b * 10) / 10 + round(c * 10)",
  "clamp((a - 0.1) / 0.5, 0, 1)",
  "((a) < (b)) == (c <= 0.5)",
  "1e-3 * a + .5 * b + 2.e2 * c",
];

const NUMPY = `
import json, sys, functools, numpy as np
job = json.load(sys.stdin)
rows = {k: np.array(v, dtype=np.float64) for k, v in job["rows"].items()}
names = dict(abs=np.abs, sqrt=np.sqrt, exp=np.exp, log=np.log, log10=np.log10, sin=np.sin, cos=np.cos, tan=np.tan,
    floor=np.floor, ceil=np.ceil, round=np.rint, where=np.where, pow=np.power,
    min=lambda *v: functools.reduce(np.minimum, v), max=lambda *v: functools.reduce(np.maximum, v),
    clamp=lambda x, low, high: np.minimum(np.maximum(x, low), high), __builtins__={})
json.dump([(eval(f, names, rows) * 1.0).tolist() for f in job["formulas"]], sys.stdout)
`;

/** Values from 0.02 to 0.92. */
function spread(factor: number): Float32Array {
  return Float32Array.from({ length: 1_500 }, (_, i) => 0.02 + 0.9 * ((i * factor) % 1));
}

test("formulas equal numpy to a ten-millionth", (t) => {
  const rows = { a: spread(0.618), b: spread(0.414), c: spread(0.732) };
  const input = JSON.stringify({
    formulas: FORMULAS,
    rows: Object.fromEntries(Object.entries(rows).map(([name, values]) => [name, [...values]])),
  });
  const python = spawnSync("/usr/bin/python3", ["-c", NUMPY], { input, maxBuffer: 1e8 });
  if (python.status !== 0) {
    t.skip(`python3 with numpy is not installed: ${python.stderr?.toString().trim().split("\n").at(-1)}`);
    return;
  }
  const expected: readonly (readonly number[])[] = JSON.parse(python.stdout.toString());
  for (const [position, text] of FORMULAS.entries()) {
    const output = new Float32Array(1_500);
    compileFormula(parseFormula(text))(rows, output);
    for (const [i, value] of expected[position].entries()) {
      const tolerance = 1.2e-7 * Math.max(1e-3, Math.abs(value));
      assert.ok(Math.abs(output[i] - value) <= tolerance, `${text} at ${i}: ${output[i]} is not ${value}`);
    }
  }
});

test("a formula that cannot be read is refused with the character and what was expected there", () => {
  const faults: Readonly<Record<string, RegExp>> = {
    "(B08-B04)/(B08+B04": /^got the end, expected an operator or "\)"$/,
    "B08 + * B04": /^got "\*" at character 7, expected a number, a name or a parenthesis$/,
    "B08 B04": /^got "B04" at character 5, expected an operator or the end$/,
    "sqr(B08)": /^there is no function "sqr" at character 1, did you mean sqrt\?$/,
    "B08 + sqt(B04)": /^there is no function "sqt" at character 7, did you mean sqrt\?$/,
    "constructor(B08)": /^there is no function "constructor" at character 1, expected one of abs, ceil, /,
    "where(B08, 1)": /^where at character 1 has 2 operands, expected 3$/,
    "max(B08)": /^max at character 1 has 1 operands, expected 2 to 16$/,
    "sqrt()": /^sqrt at character 1 has 0 operands, expected 1$/,
    "B08 ^ 2": /^got "\^" at character 5, expected a number, a name or an operator; powers are written \*\*$/,
    "B08 = 2": /equality is written ==$/,
    "0 < B08 < 1": /^got "<" at character 9, expected one comparison, or parentheses around each$/,
    "B08 + 1e999": /^got 1e999 at character 7, expected a finite number$/,
    "B08; process.exit()": /^got ";" at character 4, /,
    "": /^got the end, expected a number, a name or a parenthesis$/,
  };
  for (const [text, message] of Object.entries(faults))
    assert.throws(() => parseFormula(text), { name: "RangeError", message });
});

test("hostile formulas are refused within a millisecond", () => {
  const hostile = [
    "B08+".repeat(25_000),
    "(".repeat(10_000),
    `${"(".repeat(400)}B08${")".repeat(400)}`,
    "-".repeat(999),
    `${"abs(".repeat(200)}B08${")".repeat(200)}`,
    `B08${"+B08".repeat(240)}`,
    `${" ".repeat(998)}+`,
    "9".repeat(900),
    `min(${"B08,".repeat(200)}B08)`,
    `${"B".repeat(999)}(`,
  ];
  for (const text of hostile) {
    let leastMs = Infinity;
    for (let run = 0; run < 20; run++) {
      const before = performance.now();
      assert.throws(() => parseFormula(text), RangeError);
      leastMs = Math.min(leastMs, performance.now() - before);
    }
    assert.ok(leastMs < 1, `${text.slice(0, 20)}… took ${leastMs} ms`);
  }
});
