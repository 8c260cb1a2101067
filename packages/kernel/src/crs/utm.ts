/** A zone of Universal Transverse Mercator on WGS84. */
export interface UtmZone {
  /** 1 to 60. */
  readonly zone: number;
  readonly south: boolean;
}

/**
 * The zone of an EPSG code 32601 to 32660 (north) or 32701 to 32760 (south), else null.
 *
 * @example utmZoneOfEpsg(32718) // { zone: 18, south: true }
 */
export function utmZoneOfEpsg(epsg: number): UtmZone | null {
  if (!Number.isInteger(epsg)) return null;
  if (epsg >= 32_601 && epsg <= 32_660) return { zone: epsg - 32_600, south: false };
  if (epsg >= 32_701 && epsg <= 32_760) return { zone: epsg - 32_700, south: true };
  return null;
}

export function epsgOfUtmZone(utm: UtmZone): number {
  return (utm.south ? 32_700 : 32_600) + utm.zone;
}

export function utmProjString(utm: UtmZone): string {
  return `+proj=utm +zone=${utm.zone}${utm.south ? " +south" : ""} +datum=WGS84 +units=m +x_0=500000 +y_0=${utm.south ? 10_000_000 : 0} +no_defs`;
}

export function utmName(utm: UtmZone): string {
  return `WGS 84 / UTM zone ${utm.zone}${utm.south ? "S" : "N"}`;
}

/**
 * The zone a point belongs to, with the exceptions of south-west Norway (32V) and Svalbard (31X to 37X).
 *
 * @param lonDeg any longitude; 180 and -180 are zone 1
 * @example utmZoneAt(10, 50) // { zone: 32, south: false }
 */
export function utmZoneAt(lonDeg: number, latDeg: number): UtmZone {
  const lon = ((((lonDeg + 180) % 360) + 360) % 360) - 180;
  const south = latDeg < 0;
  if (latDeg >= 56 && latDeg < 64 && lon >= 3 && lon < 12) return { zone: 32, south };
  if (latDeg >= 72 && latDeg < 84 && lon >= 0 && lon < 42) {
    return { zone: lon < 9 ? 31 : lon < 21 ? 33 : lon < 33 ? 35 : 37, south };
  }
  return { zone: Math.floor((lon + 180) / 6) + 1, south };
}
