import assert from "node:assert/strict";
import { test } from "node:test";
import { compileCondition, type PropertyValue } from "./evaluate.ts";
import { Cql2Error } from "./expression.ts";
import { readCql2Text } from "./read-text.ts";
import { readCql2Json } from "./read-json.ts";

const TYPES = { angle: "number", side: "string", day: "boolean", clouds: "number" } as const;
const VALUES: Readonly<Record<string, PropertyValue>> = { angle: 20, side: "left", day: true, clouds: null };

const holds = (text: string): boolean | null => compileCondition(readCql2Text(text), TYPES)(VALUES);

test("comparisons hold for the values of properties", () => {
  const truths = ["angle = 20", "angle <> 21", "angle < 21", "20 <= angle", "angle > 19", "angle >= 20"];
  assert.deepEqual(truths.map(holds), [true, true, true, true, true, true]);
  const others = ["side = 'right'", "angle BETWEEN 21 AND 30", "side IN ('right', 'none')", "angle > 20"];
  assert.deepEqual(others.map(holds), [false, false, false, false]);
  assert.deepEqual(["angle BETWEEN 20 AND 30", "side IN ('left')", "day"].map(holds), [true, true, true]);
});

test("an unknown value decides nothing, by the three-valued logic of SQL", () => {
  const table: Readonly<Record<string, boolean | null>> = {
    "clouds < 10": null,
    "NOT clouds < 10": null,
    "clouds < 10 AND angle = 20": null,
    "clouds < 10 AND angle = 1": false,
    "clouds < 10 OR angle = 20": true,
    "clouds < 10 OR angle = 1": null,
    "clouds BETWEEN 1 AND 2": null,
    "clouds IN (1, 2)": null,
    "clouds IS NULL": true,
    "angle IS NOT NULL": true,
  };
  for (const [text, expected] of Object.entries(table)) assert.equal(holds(text), expected, text);
});

test("a condition names known properties, operators and values of their types", () => {
  const refused: Readonly<Record<string, RegExp>> = {
    "speed = 1": /no property "speed"/,
    "angle = 'steep'": /number and string cannot be compared/,
    "angle + 1 > 3": /has no place here/,
    "side LIKE 'l%'": /no operator "like"/,
    angle: /expected a condition/,
    "constructor = 1": /no property "constructor"/,
  };
  for (const [text, message] of Object.entries(refused)) {
    assert.throws(
      () => holds(text),
      (error) => error instanceof Cql2Error && message.test(error.message),
      text,
    );
  }
  for (const json of [
    { op: "and", args: [] },
    { op: "not", args: [] },
    { op: "<=", args: [{ property: "angle" }] },
    { op: "in", args: [{ property: "angle" }, []] },
    { op: "between", args: [{ property: "angle" }, 1] },
    { op: "toString", args: [1, 2] },
  ]) {
    assert.throws(() => compileCondition(readCql2Json(json), TYPES), Cql2Error, JSON.stringify(json));
  }
});
