import type { BandRole } from "./band-role.ts";

/**
 * Centre wavelengths in nanometres that stand for a role: Sentinel-2A where it has the band, else the sensor the
 * role was made for (G1, Y, P: PlanetScope and panchromatic cameras; T, T1, T2: Landsat). Radar roles have none.
 */
export const ROLE_WAVELENGTH_NM: Readonly<Partial<Record<BandRole, number>>> = {
  A: 442.7,
  B: 492.4,
  G1: 531,
  G: 559.8,
  Y: 610,
  R: 664.6,
  RE1: 704.1,
  RE2: 740.5,
  RE3: 782.8,
  N: 832.8,
  N2: 864.7,
  WV: 945.1,
  C: 1373.5,
  S1: 1613.7,
  S2: 2202.4,
  T: 11_450,
  T1: 10_895,
  T2: 12_005,
};
