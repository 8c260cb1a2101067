import assert from "node:assert/strict";
import { test } from "node:test";
import { findMapType, mapTypeFault, pricedIds } from "../../find-map-type.ts";

function parametersOf(id: string): Readonly<Record<string, number>> | undefined {
  const rendering = findMapType(id)?.rendering;
  return rendering?.kind === "index" ? rendering.index.parameters : undefined;
}

void test("any index of the catalogue is found by its id and by its short name", () => {
  for (const id of ["index:savi", "index:SAVI", "index:savi:L=0.5"]) {
    const mapType = findMapType(id);
    assert.equal(mapType?.id, id);
    assert.deepEqual(mapType.gridFiles["png"], ["savi.png", "heatmap.png"]);
    assert.equal(mapType.permissionNamespace, "algorithms.savi");
  }
  assert.equal(findMapType("index:BaI")?.permissionNamespace, "algorithms.bai-soil", "names that differ only in case");
  assert.equal(findMapType("index:BAI")?.permissionNamespace, "algorithms.bai");
});

void test("constants of an index take other values, the rest keep theirs", () => {
  assert.deepEqual(parametersOf("index:savi:L=0.25"), { L: 0.25 });
  assert.deepEqual(parametersOf("index:evi:L=2"), { ...parametersOf("evi"), L: 2 });
  assert.deepEqual(parametersOf("index:kNDVI:sigma=0.2"), { sigma: 0.2 }, "the width of kernels is one of them");
  assert.deepEqual(parametersOf("savi"), { L: 0.5 }, "the index itself is not changed");
});

void test("what an id means nothing for is told", () => {
  assert.equal(mapTypeFault("index:nothing"), "there is no spectral index nothing");
  assert.equal(mapTypeFault("index:constructor"), "there is no spectral index constructor");
  assert.equal(mapTypeFault("index:savi:q=1"), "savi has no parameter q, expected one of L");
  assert.equal(mapTypeFault("index:ndvi:L=1"), "ndvi has no parameter L, expected none");
  assert.match(mapTypeFault("index:savi:L=x") ?? "", /got x for the parameter L of savi/);
  assert.match(mapTypeFault("index:savi:L=Infinity") ?? "", /expected a number within/);
  assert.match(mapTypeFault("index:savi:L=1,L=2") ?? "", /given twice/);
  assert.match(mapTypeFault("index:savi:L") ?? "", /expected <name>=<number>/);
  assert.equal(mapTypeFault("moonbase"), "there is no map type moonbase");
  assert.equal(mapTypeFault("index:savi:L=1"), null);
});

void test("an index has one price, whatever the values of its constants", () => {
  assert.deepEqual(pricedIds(["index:savi:L=0.25", "savi", "index:SAVI", "imagery", "moonbase"]), [
    "savi",
    "imagery",
    "moonbase",
  ]);
});
