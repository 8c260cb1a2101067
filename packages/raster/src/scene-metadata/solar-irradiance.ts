/** Mean exoatmospheric solar irradiance in W m^-2 um^-1 of Landsat bands (Chander et al. 2009, Remote Sensing of Environment 113, table 5). */
const IRRADIANCE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "LANDSAT-4": { B1: 1983, B2: 1795, B3: 1539, B4: 1028, B5: 219.8, B7: 83.49 },
  "LANDSAT-5": { B1: 1983, B2: 1796, B3: 1536, B4: 1031, B5: 220, B7: 83.44 },
  "LANDSAT-7": { B1: 1997, B2: 1812, B3: 1533, B4: 1039, B5: 230.8, B7: 84.9, B8: 1362 },
};

/** Null for thermal bands and satellites whose products state reflectance themselves. */
export function solarIrradiance(satellite: string, bandId: string): number | null {
  return IRRADIANCE[satellite]?.[bandId] ?? null;
}

/**
 * Distance from the Earth to the Sun in astronomical units, to 1e-4.
 *
 * @see Astronomical Almanac, low-precision formulas for the Sun: g is the mean anomaly
 */
export function earthSunDistanceAu(date: Date): number {
  const daysSinceJ2000 = (date.getTime() - Date.UTC(2000, 0, 1, 12)) / 86_400_000;
  const g = ((357.529 + 0.985_600_28 * daysSinceJ2000) * Math.PI) / 180;
  return 1.000_14 - 0.016_71 * Math.cos(g) - 0.000_14 * Math.cos(2 * g);
}

/**
 * Reflectance per unit of spectral radiance, before division by the sine of the sun's elevation: pi d^2 / E0.
 */
export function reflectancePerRadiance(irradiance: number, distanceAu: number): number {
  return (Math.PI * distanceAu ** 2) / irradiance;
}
