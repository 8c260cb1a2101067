/**
 * Mean exoatmospheric solar irradiance in W m^-2 um^-1. Landsat 4 to 7: Chander et al. 2009, Remote Sensing of
 * Environment 113, table 5. Landsat 8: ratio of both factors that its Collection 2 products state, at their distance
 * from the Sun. WorldView, by role: absolute calibration by their operator, solar curve of Thuillier 2003.
 */
const IRRADIANCE: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "LANDSAT-4": { B1: 1983, B2: 1795, B3: 1539, B4: 1028, B5: 219.8, B7: 83.49 },
  "LANDSAT-5": { B1: 1983, B2: 1796, B3: 1536, B4: 1031, B5: 220, B7: 83.44 },
  "LANDSAT-7": { B1: 1997, B2: 1812, B3: 1533, B4: 1039, B5: 230.8, B7: 84.9, B8: 1362 },
  "LANDSAT-8": { B1: 1972, B2: 2020, B3: 1861, B4: 1569, B5: 960.4, B6: 238.8, B7: 80.5, B8: 1776, B9: 375.3 },
  "WORLDVIEW-2": { P: 1571.36, A: 1773.81, B: 2007.27, G: 1829.62, R: 1538.85, RE1: 1346.09, N: 1053.21 },
  "WORLDVIEW-3": { P: 1574.41, A: 1757.89, B: 2004.61, G: 1830.18, R: 1535.33, RE1: 1348.08, N: 1055.94 },
};

/** Null for thermal bands and satellites without a table. */
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
