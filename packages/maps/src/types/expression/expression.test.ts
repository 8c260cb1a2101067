import assert from "node:assert/strict";
import { test } from "node:test";
import { createMapTypes } from "../../registry.ts";

const mapTypes = createMapTypes([]);

function keptAs(id: string): string | undefined {
  return mapTypes.find(id)?.keptAs;
}

test("an own formula is an index with the files, the permission and the price of every own formula", () => {
  const mapType = mapTypes.find("expression:(B08-B04)/(B08+B04)?ramp=viridis&min=0&max=1");
  assert.ok(mapType?.rendering.kind === "index");
  assert.deepEqual(mapType.gridFiles["png"], ["expression.png", "heatmap.png"]);
  assert.equal(mapType.permissionNamespace, "algorithms.expression");
  assert.deepEqual(mapTypes.pricedIds(["expression:nir", "expression:red*2", "ndvi"]), ["expression", "ndvi"]);
  const { ramp, range, index } = mapType.rendering;
  assert.deepEqual(
    [ramp, range, index.formula, index.bandNames],
    ["viridis", [0, 1], "(B08-B04)/(B08+B04)", ["B08", "B04"]],
  );
});

test("spellings of one formula, ramp and range are kept as one map type", () => {
  const spellings = [
    "expression:(B08-B04)/(B08+B04)",
    "expression: ( (B08) - B04 ) / (B08 + +B04)",
    "expression:((B08-B04))/(B08+B04)?ramp=diverging&min=-1.0&max=1",
    "expression:(B08-B04)/(B08+B04)?max=1e0",
  ];
  for (const id of spellings) {
    assert.equal(keptAs(id), "expression:(B08-B04)/(B08+B04)");
    assert.equal(mapTypes.find(id)?.id, id, "answers name it as the request does");
  }
  assert.equal(keptAs("expression:pow(nir, .50)?max=2&min=-0&ramp=heat"), "expression:nir**0.5?ramp=heat&min=0&max=2");
  assert.notEqual(keptAs("expression:B08-(B04-B02)"), keptAs("expression:B08-B04-B02"));
  const kept = keptAs("expression:pow(nir, .50)?max=2&min=-0&ramp=heat")!;
  assert.equal(keptAs(kept), kept);
});

test("what an expression means nothing by is refused with what was expected", () => {
  const faults: Readonly<Record<string, RegExp>> = {
    "expression:": /^expression: got the end, expected a number, a name or a parenthesis$/,
    "expression:(B08-B04": /^expression: got the end, expected an operator or "\)"$/,
    "expression:srqt(B08)": /did you mean sqrt\?$/,
    "expression:1+2": /names no band, expected at least one/,
    "expression:NaN*B08": /^expression: "NaN" is no name of a band/,
    "expression:Infinity-B08": /"Infinity" is no name of a band/,
    "expression:constructor": /"constructor" is no name of a band/,
    "expression:__proto__+B08": /"__proto__" is no name of a band/,
    "expression:hasOwnProperty(B08)": /there is no function "hasOwnProperty" at character 1/,
    "expression:B08*1e999": /got 1e999 at character 5, expected a finite number/,
    "expression:B08?ramp=virids": /there is no ramp virids, did you mean viridis\?, expected one of heat, diverging/,
    "expression:B08?rampe=heat": /there is no parameter rampe, did you mean ramp\?/,
    "expression:B08?min=0&min=1": /the parameter min is given twice/,
    "expression:B08?min=2": /got min 2 and max 1, expected min to be lower/,
    "expression:B08?min=NaN": /got NaN for min, expected a number within/,
    "expression:B08?max=1e999": /got 1e999 for max, expected a number within/,
    "expression:B08?max=": /got nothing for max/,
    "expression:B08?heat": /got the parameter "heat", expected <name>=<value>/,
    [`expression:${Array.from({ length: 17 }, (_, i) => `b${i}`).join("+")}`]: /names 17 bands, expected at most 16/,
    [`expression:${"B08+".repeat(25_000)}`]: /has 100011 characters, expected at most 512/,
    [`expression:${"(".repeat(10_000)}`]: /has 10011 characters, expected at most 512/,
    [`expression:${"1e20*".repeat(90)}B08`]: /has \d+ characters, expected at most 512/,
  };
  for (const [id, message] of Object.entries(faults)) {
    assert.match(mapTypes.faultOf(id) ?? "", message);
    assert.equal(mapTypes.find(id), undefined);
    let leastMs = Infinity;
    for (let run = 0; run < 20; run++) {
      const before = performance.now();
      mapTypes.faultOf(id);
      leastMs = Math.min(leastMs, performance.now() - before);
    }
    assert.ok(leastMs < 1, `${id.slice(0, 30)}… took ${leastMs} ms`);
  }
});
