import assert from "node:assert/strict";
import { test } from "node:test";
import { createMapTypes } from "../../registry.ts";

const mapTypes = createMapTypes([]);

function parametersOf(id: string): Readonly<Record<string, number>> | undefined {
  const rendering = mapTypes.find(id)?.rendering;
  return rendering?.kind === "index" ? rendering.index.parameters : undefined;
}

test("any index of the catalogue is found by its id and by its short name", () => {
  for (const id of ["index:savi", "index:SAVI", "index:savi:L=0.5"]) {
    const mapType = mapTypes.find(id);
    assert.equal(mapType?.id, id);
    assert.deepEqual(mapType.gridFiles["png"], ["savi.png", "heatmap.png"]);
    assert.equal(mapType.permissionNamespace, "algorithms.savi");
  }
  assert.equal(
    mapTypes.find("index:BaI")?.permissionNamespace,
    "algorithms.bai-soil",
    "names that differ only in case",
  );
  assert.equal(mapTypes.find("index:BAI")?.permissionNamespace, "algorithms.bai");
});

test("constants of an index take other values, the rest keep theirs", () => {
  assert.deepEqual(parametersOf("index:savi:L=0.25"), { L: 0.25 });
  assert.deepEqual(parametersOf("index:evi:L=2"), { ...parametersOf("evi"), L: 2 });
  assert.deepEqual(parametersOf("index:kNDVI:sigma=0.2"), { sigma: 0.2 }, "the width of kernels is one of them");
  assert.deepEqual(parametersOf("savi"), { L: 0.5 }, "the index itself is not changed");
});

test("what an id means nothing for is told", () => {
  assert.equal(mapTypes.faultOf("index:nothing"), "there is no spectral index nothing");
  assert.equal(mapTypes.faultOf("index:constructor"), "there is no spectral index constructor");
  assert.equal(mapTypes.faultOf("index:savi:q=1"), "savi has no parameter q, expected one of L");
  assert.equal(mapTypes.faultOf("index:ndvi:L=1"), "ndvi has no parameter L, expected none");
  assert.match(mapTypes.faultOf("index:savi:L=x") ?? "", /got x for the parameter L of savi/);
  assert.match(mapTypes.faultOf("index:savi:L=Infinity") ?? "", /expected a number within/);
  assert.match(mapTypes.faultOf("index:savi:L=1,L=2") ?? "", /given twice/);
  assert.match(mapTypes.faultOf("index:savi:L") ?? "", /expected <name>=<number>/);
  assert.equal(mapTypes.faultOf("moonbase"), "there is no map type moonbase");
  assert.equal(mapTypes.faultOf("index:savi:L=1"), null);
});

test("an index has one price, whatever the values of its constants", () => {
  assert.deepEqual(mapTypes.pricedIds(["index:savi:L=0.25", "savi", "index:SAVI", "imagery", "moonbase"]), [
    "savi",
    "imagery",
    "moonbase",
  ]);
});
