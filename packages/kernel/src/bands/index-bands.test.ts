import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "./band-role.ts";
import { bandNamed, indexBands, type NamedBand } from "./index-bands.ts";

function bands(...roles: readonly (BandRole | null)[]): readonly NamedBand[] {
  return roles.map((role) => ({ names: [], role }));
}

test("a single near-infrared band plays both near-infrared roles", () => {
  const ndvi = { roles: ["N", "R"] as const };
  const one = indexBands(ndvi, bands("B", "G", "R", "N2"));
  assert.deepEqual([Object.fromEntries(one.positions), one.missing], [{ N: 3, R: 2 }, []]);
  const lacking = indexBands(ndvi, bands("B", null, "N", "N2"));
  assert.deepEqual([Object.fromEntries(lacking.positions), lacking.missing], [{ N: 2 }, ["R"]]);
});

const SCENE: readonly NamedBand[] = [
  { names: ["Blue", "blue", "B02"], role: "B" },
  { names: ["Red Edge", "red-edge", "B05"], role: "RE1" },
  { names: ["NIR", "near-ir", "B08"], role: "N" },
  { names: ["Narrow NIR", "near-ir2", "B8A"], role: "N2" },
  { names: ["SWIR 1", "swir1", "B11"], role: "S1" },
  { names: ["S2"], role: null },
];

test("a name means the band of that name, then of that role, then of a name spelt alike or a STAC common name", () => {
  const found = (name: string) => bandNamed(name, SCENE);
  assert.equal(found("B08"), 2);
  assert.equal(found("b08"), 2);
  assert.equal(found("S2"), 5, "the band of that name and not the role");
  assert.equal(found("N"), 2);
  assert.equal(found("N2"), 3);
  assert.equal(found("nir"), 2);
  assert.equal(found("nir08"), 2);
  assert.equal(found("rededge"), 1);
  assert.equal(found("Red_Edge"), 1);
  assert.equal(found("swir16"), 4);
  assert.equal(found("red"), -1);
  assert.equal(found("constructor"), -1);
  const { missing } = indexBands({ roles: [], bandNames: ["B08", "B99", "red"] }, SCENE);
  assert.deepEqual(missing, ["B99", "red"]);
});
