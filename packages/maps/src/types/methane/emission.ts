/** Mass of dry air above a square metre at sea level, kg: standard pressure over standard gravity. */
const AIR_KG_PER_M2 = 101_325 / 9.806_65;
const MOLAR_MASS_RATIO = 16.0425 / 28.9647;
/** Methane that one part per billion of the column holds, kg/m². */
const KG_PER_M2_PPB = 1e-9 * AIR_KG_PER_M2 * MOLAR_MASS_RATIO;
/** Wind that carries a plume seen by TROPOMI, as a share of the wind 10 m above ground (Schuit et al. 2023). */
const EFFECTIVE_WIND = 0.59;
/** Below, plumes do not drift but pool, and the method says nothing. */
const MIN_WIND_MS = 2;
const TONNES_PER_HOUR = 3.6;

/**
 * Emission rate by the integrated mass enhancement: mass times effective wind over the plume's length, which is the root
 * of its area. Nothing without wind, or below 2 m/s.
 *
 * @param excessPpb sum of the excess over the plume's pixels
 */
export function emission(
  excessPpb: number,
  areaM2: number,
  pixelM2: number,
  windMs: number | null,
): Readonly<Record<string, number | string>> {
  if (windMs === null) return {};
  const windSpeedMs = Number(windMs.toFixed(2));
  if (windMs < MIN_WIND_MS) return { windSpeedMs };
  const massKg = excessPpb * pixelM2 * KG_PER_M2_PPB;
  const rateKgPerS = (massKg * EFFECTIVE_WIND * windMs) / Math.sqrt(areaM2);
  return {
    windSpeedMs,
    emissionTonnesPerHour: Number((rateKgPerS * TONNES_PER_HOUR).toFixed(2)),
    emissionMethod: "integrated mass enhancement",
  };
}
