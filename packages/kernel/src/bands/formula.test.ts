import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { compileFormula } from "./formula-evaluator.ts";
import { formulaText } from "./formula-text.ts";
import { formulaNames, parseFormula, type Formula } from "./formula.ts";
import { SPECTRAL_INDICES, type SpectralIndex } from "./spectral-index.ts";

function evaluate(text: string, inputs: Readonly<Record<string, number>>): number {
  const output = new Float32Array(1);
  compileFormula(parseFormula(text))(inputs, output);
  return output[0] ?? 0;
}

function indexOf(id: string): SpectralIndex {
  const index = SPECTRAL_INDICES[id];
  assert.ok(index !== undefined);
  return index;
}

/** An evaluator that shares nothing with the parser: the shunting-yard algorithm on float64, straight from the text. */
function shuntingYard(text: string, inputs: Readonly<Record<string, number>>): number {
  const precedence: Readonly<Record<string, number>> = { "+": 1, "-": 1, "*": 2, "/": 2, negate: 3, "**": 4 };
  const values: number[] = [];
  const operators: string[] = [];
  const apply = (): void => {
    const operator = operators.pop();
    const right = values.pop() ?? Number.NaN;
    if (operator === "negate") {
      values.push(-right);
      return;
    }
    const left = values.pop() ?? Number.NaN;
    if (operator === "+") values.push(left + right);
    else if (operator === "-") values.push(left - right);
    else if (operator === "*") values.push(left * right);
    else if (operator === "/") values.push(left / right);
    else values.push(left ** right);
  };
  let operandExpected = true;
  for (const [token] of text.matchAll(/\d+\.?\d*|[A-Za-z]\w*|\*\*|[-+*/()]/g)) {
    if (/^[\dA-Za-z]/.test(token)) {
      values.push(inputs[token] ?? Number(token));
      operandExpected = false;
    } else if (token === "(") operators.push(token);
    else if (token === ")") {
      while (operators.at(-1) !== "(") apply();
      operators.pop();
    } else {
      const name = token === "-" && operandExpected ? "negate" : token;
      const own = precedence[name] ?? 0;
      // A sign binds what follows, so nothing before it is ready; powers group to the right.
      const ready = name === "negate" ? Infinity : name === "**" ? own + 1 : own;
      while ((precedence[operators.at(-1) ?? ""] ?? 0) >= ready) apply();
      operators.push(name);
      operandExpected = true;
    }
  }
  while (operators.length > 0) apply();
  return values[0] ?? Number.NaN;
}

test("indices computed by hand: NDVI of N 0.643, R 0.175 and EVI of 0.4, 0.08, 0.04", () => {
  assert.ok(Math.abs(evaluate(indexOf("ndvi").formula, { N: 0.643, R: 0.175 }) - 0.572_127_1) < 1e-7);
  const evi = indexOf("evi");
  const value = evaluate(evi.formula, { ...evi.parameters, N: 0.4, R: 0.08, B: 0.04 });
  assert.ok(Math.abs(value - 0.506_329_1) < 1e-7);
});

test("precedence is that of Python", () => {
  assert.equal(evaluate("-2 ** 2", {}), -4);
  assert.equal(evaluate("2 ** 3 ** 2", {}), 512);
  assert.equal(evaluate("2 ** -1", {}), 0.5);
  assert.equal(evaluate("8 / 4 / 2", {}), 1);
  assert.equal(evaluate("1 - 2 - 3", {}), -4);
  assert.equal(evaluate("-a * -a + 2 * (a - 1)", { a: 3 }), 13);
  assert.ok(Math.abs(evaluate("log(x) + 1e-1", { x: Math.E }) - 1.1) < 1e-7);
});

test("every formula of the catalogue equals an independent float64 evaluation to a millionth", () => {
  const random = fc.sample(fc.record({ seed: fc.integer({ min: 1, max: 2 ** 30 }) }), { numRuns: 20, seed: 7 });
  for (const index of Object.values(SPECTRAL_INDICES)) {
    const names = formulaNames(parseFormula(index.formula));
    for (const { seed } of random) {
      const inputs = Object.fromEntries(
        names.map((name, i) => [
          name,
          // Values that float32 holds exactly, in the range of reflectance.
          index.parameters[name] ?? Math.fround(0.05 + (0.6 * ((seed * (i + 3)) % 997)) / 997),
        ]),
      );
      const expected = shuntingYard(index.formula, inputs);
      const actual = evaluate(index.formula, inputs);
      if (Number.isNaN(actual)) {
        // A denominator near zero, an even root of a negative number.
        assert.ok(!Number.isFinite(expected) || Math.abs(expected) > 1e3, `${index.id}: ${expected}`);
        continue;
      }
      assert.ok(
        Math.abs(actual - expected) <= 1e-6 * Math.max(1, Math.abs(expected)),
        `${index.id}: ${actual} is not ${expected}`,
      );
    }
  }
});

test("a denominator below a millionth, an input without data and an overflow give NaN", () => {
  assert.ok(Number.isNaN(evaluate("a / b", { a: 1, b: 9e-7 })));
  assert.equal(evaluate("a / b", { a: 1, b: 0.5 }), 2);
  assert.ok(Number.isNaN(evaluate("a ** 0", { a: Number.NaN })));
  assert.ok(Number.isNaN(evaluate("a ** 0.5", { a: -1 })));
  assert.ok(Number.isNaN(evaluate("log(a)", { a: 0 })));
  assert.throws(() => evaluate("a + b", { a: 1 }), RangeError);
});

test("rows longer than a chunk are computed to the end", () => {
  const N = Float32Array.from({ length: 2_500 }, (_, i) => i + 1);
  const output = new Float32Array(2_500);
  compileFormula(parseFormula("(N - R) / (N + R)"))({ N, R: 1 }, output);
  assert.equal(output[2_499], Math.fround(2_499 / 2_501));
  assert.equal(output[1_024], Math.fround(1_024 / 1_026));
});

test("any text is parsed or refused with a RangeError", () => {
  const alphabet = [
    "(",
    ")",
    "+",
    "-",
    "*",
    "**",
    "/",
    "1",
    ".5",
    "2e3",
    "N",
    "log",
    "log(",
    " ",
    ",",
    "$",
    "e",
    "\u0000",
  ];
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fc.constantFrom(...alphabet), { maxLength: 40 }).map((p) => p.join("")),
        fc.constant("(".repeat(990)),
        fc.constant("-".repeat(990) + "1"),
      ),
      (text) => {
        try {
          parseFormula(text);
        } catch (error) {
          assert.ok(error instanceof RangeError);
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a printed tree is parsed back to itself", () => {
  const tree = fc.letrec<{ tree: Formula }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom("N", "R", "S1").map((name): Formula => ({ kind: "name", name })),
      fc.integer({ min: 0, max: 99 }).map((value): Formula => ({ kind: "number", value })),
      fc.record({ kind: fc.constant("negate"), operand: tie("tree") }),
      fc.record({
        kind: fc.constant("call"),
        function: fc.constantFrom("log", "abs"),
        operands: fc.tuple(tie("tree")),
      }),
      fc.record({
        kind: fc.constant("call"),
        function: fc.constantFrom("where", "clamp"),
        operands: fc.tuple(tie("tree"), tie("tree"), tie("tree")),
      }),
      fc.record({
        kind: fc.constantFrom("add", "subtract", "multiply", "divide", "power", "less", "equal"),
        left: tie("tree"),
        right: tie("tree"),
      }),
    ),
  })).tree;
  const symbols = {
    add: "+",
    subtract: "-",
    multiply: "*",
    divide: "/",
    power: "**",
    less: "<",
    lessOrEqual: "<=",
    greater: ">",
    greaterOrEqual: ">=",
    equal: "==",
    notEqual: "!=",
  } as const;
  const print = (node: Formula): string => {
    if (node.kind === "name") return node.name;
    if (node.kind === "number") return String(node.value);
    if (node.kind === "negate") return `(-(${print(node.operand)}))`;
    if (node.kind === "call") return `${node.function}( ${node.operands.map(print).join(" , ")} )`;
    return `(${print(node.left)}) ${symbols[node.kind]} (${print(node.right)})`;
  };
  fc.assert(
    fc.property(tree, (node) => {
      const expected = JSON.parse(JSON.stringify(node));
      assert.deepEqual(parseFormula(print(node)), expected);
      assert.deepEqual(parseFormula(formulaText(node)), expected, "the shortest spelling");
      assert.equal(formulaText(parseFormula(print(node))), formulaText(node), "however it was written");
    }),
  );
});
