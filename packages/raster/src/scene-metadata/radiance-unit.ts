/** Full scale of 16 bits per nanometre that no sunlit surface exceeds: a thousandth of the irradiance of the sun. */
const BRIGHTEST_PER_NM = 2;

/**
 * How many W m^-2 sr^-1 um^-1 one of a unit is; null when the unit is none of spectral radiance.
 *
 * @param scale of a pixel value, in the unit
 */
export function perMicrometre(unit: string, scale: number): number | null {
  if (!/^w(?![a-z])/i.test(unit) || !/sr/i.test(unit)) return null;
  if (/[uµμ]m/i.test(unit)) return 1;
  if (!/nm/i.test(unit)) return null;
  // Items of PlanetScope state nanometres where the product has micrometres: 0.01 a step would outshine the sun.
  return scale * 65_535 > BRIGHTEST_PER_NM ? 1 : 1000;
}
