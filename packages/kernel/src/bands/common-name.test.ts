import assert from "node:assert/strict";
import { test } from "node:test";
import type { BandRole } from "./band-role.ts";
import { commonNameOf, roleOfCommonName } from "./common-name.ts";
import { ROLE_WAVELENGTH_NM } from "./role-wavelength.ts";

/** Micrometres, from the table of common names of the STAC extension eo v2.0.0. */
const RANGES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  coastal: [0.4, 0.45],
  blue: [0.45, 0.53],
  green: [0.51, 0.6],
  green05: [0.51, 0.55],
  yellow: [0.58, 0.62],
  red: [0.62, 0.69],
  rededge071: [0.69, 0.73],
  rededge075: [0.73, 0.76],
  rededge078: [0.76, 0.79],
  nir: [0.76, 1],
  nir08: [0.8, 0.9],
  nir09: [0.93, 0.96],
  cirrus: [1.36, 1.39],
  swir16: [1.55, 1.75],
  swir22: [2.08, 2.35],
  lwir: [10.4, 12.5],
  lwir11: [10.5, 11.5],
  lwir12: [11.5, 12.5],
};

test("the wavelength of a role is in the range of its common name", () => {
  const roles = Object.entries(ROLE_WAVELENGTH_NM);
  assert.equal(roles.length, 18);
  for (const [role, wavelengthNm] of roles) {
    const name = commonNameOf(role as BandRole) ?? "";
    const [from, to] = RANGES[name] ?? [0, 0];
    assert.ok(from * 1000 <= wavelengthNm && wavelengthNm <= to * 1000, `${role} ${name} ${wavelengthNm}`);
  }
});

test("a common name leads back to its role; the catalogue knows one near infrared", () => {
  for (const role of Object.keys(ROLE_WAVELENGTH_NM)) {
    const expected = role === "N2" ? "N" : role;
    assert.equal(roleOfCommonName(commonNameOf(role as BandRole) ?? ""), expected);
  }
  assert.equal(commonNameOf("P"), "pan");
  assert.equal(commonNameOf("VV"), null);
});
