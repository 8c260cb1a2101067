import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "./band-role.ts";
import { SPECTRAL_INDICES } from "./spectral-index.ts";

const indices = Object.values(SPECTRAL_INDICES);

/** Indices that need these bands only, as the catalogue's authors count them: no kernels, no wavelengths. */
function computable(...roles: readonly BandRole[]): number {
  return indices.filter(
    (index) =>
      index.kernels.length === 0 &&
      !Object.keys(index.parameters).some((name) => name.startsWith("lambda")) &&
      index.roles.every((role) => roles.includes(role)),
  ).length;
}

test("the catalogue gives the known number of indices for each set of bands", () => {
  assert.equal(indices.length, 279, "280 formulas less the one that needs measured radiation");
  assert.equal(computable("R", "G", "B"), 29);
  assert.equal(computable("R", "G", "B", "N"), 98);
  assert.equal(computable("A", "B", "G", "R", "RE1", "RE2", "RE3", "N", "N2", "WV", "C", "S1", "S2"), 233);
  assert.equal(computable("VV", "VH"), 10);
  assert.equal(computable("HH"), 0);
});

test("ids are unique, safe in URLs and keep apart names that differ only in case", () => {
  assert.equal(new Set(indices.map(({ id }) => id)).size, indices.length);
  for (const { id } of indices) assert.match(id, /^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  assert.equal(SPECTRAL_INDICES["bai"]?.domain, "burn");
  assert.equal(SPECTRAL_INDICES["bai-soil"]?.domain, "soil");
});

test("parameters have the values of the papers", () => {
  assert.deepEqual(SPECTRAL_INDICES["savi"]?.parameters, { L: 0.5 });
  assert.deepEqual(SPECTRAL_INDICES["kndvi"]?.parameters, { sigma: 0 });
  assert.deepEqual(SPECTRAL_INDICES["evi"]?.parameters, { g: 2.5, C1: 6, C2: 7.5, L: 1 });
  assert.deepEqual(SPECTRAL_INDICES["kndvi"]?.roles, ["N", "R"]);
});
