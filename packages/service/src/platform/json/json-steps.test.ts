import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSteps } from "./json-steps.ts";

const LIMITS = { checkDepth: () => {}, checkPiece: () => {} };

function read(text: string, stepBytes: number): { readonly value: unknown; readonly steps: number } {
  const reading = jsonSteps(Buffer.from(text), { ...LIMITS, stepBytes });
  let steps = 0;
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return { value, steps };
    steps += 1;
  }
}

/** The outcome of a reader: the value, in the order of its members, or that the text is refused. */
function outcome(reader: () => unknown): string {
  try {
    return `value ${JSON.stringify(reader())}`;
  } catch (error) {
    assert.ok(error instanceof SyntaxError, String(error));
    return "refused";
  }
}

function assertAlike(text: string): void {
  for (const stepBytes of [1, 7, 64]) {
    assert.equal(
      outcome(() => read(text, stepBytes).value),
      outcome(() => JSON.parse(text)),
      `${stepBytes}: ${text}`,
    );
  }
}

const DOCUMENTS = [
  "[]",
  " { } ",
  '{"type":"Polygon","coordinates":[[[1,2],[3.5,-4e2],[5,6],[1,2]],[[0,0],[1,1],[0,1],[0,0]]]}',
  '{"type": "FeatureCollection", "features": [{"id": 1, "properties": {"a": [null, true], "b": "x,]}\\"\\\\"}}, {}]}',
  '[ [ ] , [ [ ] , { } ] , 7 , "ä,ö" , { "a" : { "b" : [ 1 , 2 ] , "c" : null } , "d" : false } ]',
  '{"a":1,"b":2,"a":{"c":[3,4]},"10":0,"2":1,"__proto__":{"x":[1,2]},"e":{"__proto__":5,"f":6}}',
];

test("a document in steps is the document of JSON.parse", () => {
  for (const text of DOCUMENTS) assertAlike(text);
  const { value } = read('{"__proto__":{"x":[1,2]},"y":[1,2]}', 1);
  assert.deepEqual(Object.keys(value ?? {}), ["__proto__", "y"]);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

test("what JSON.parse refuses is refused: each document with each byte left out, doubled or replaced", () => {
  for (const text of DOCUMENTS) {
    for (let at = 0; at < text.length; at += 1) {
      const [before, after] = [text.slice(0, at), text.slice(at + 1)];
      for (const mutated of ["", `${text[at]}${text[at]}`, ",", "]", "}", "[", "{", ":", '"', " ", "0"]) {
        const whole = `${before}${mutated}${after}`;
        if (/[[{]/.test(whole)) assertAlike(whole);
      }
    }
  }
});

test("text after or before the document is refused, and a document without containers is left to JSON.parse", () => {
  for (const text of ["[1] 2", "[1][2]", "1[2]", "[1],", "\ufeff[1]", "[1]x", "[1", '["a]']) assertAlike(text);
  for (const text of ["7", '"text, and more"', "null", ""]) assert.equal(read(text, 1).value, undefined);
});

test("a large document takes many steps of a bounded size", () => {
  const ring = Array.from({ length: 50_000 }, (_, i) => [i / 7, 50]);
  const text = JSON.stringify({ type: "Feature", geometry: { type: "Polygon", coordinates: [ring, ring] } });
  const lengths: number[] = [];
  const checkPiece = (_piece: unknown, piece: string): number => lengths.push(piece.length);
  const reading = jsonSteps(Buffer.from(text), { ...LIMITS, checkPiece });
  let last = reading.next();
  while (last.done !== true) last = reading.next();
  assert.deepEqual(last.value, JSON.parse(text));
  assert.ok(
    lengths.length >= Math.floor(text.length / (80 * 1024)),
    `${lengths.length} pieces of ${text.length} bytes`,
  );
  assert.ok(Math.max(...lengths) < 80 * 1024, `${Math.max(...lengths)} bytes`);
});
