/** A position that somebody writes. */
export interface Place {
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  /** Degrees, -90 to 90. */
  readonly latitude: number;
}

const PAIR = /^([+\-\u2212]?\d+(?:\.\d+)?)\s*°?\s*([nsew])?\s*[,;\s]\s*([+\-\u2212]?\d+(?:\.\d+)?)\s*°?\s*([nsew])?$/i;

const LATITUDE = /[ns]/i;
const LONGITUDE = /[ew]/i;

/**
 * Reads two numbers as longitude and latitude, as the page writes corners, or in the order of their letters: `36.88° S
 * 174.87° E`. Null for another text and for positions outside the globe.
 */
export function parsePlace(written: string): Place | null {
  const match = PAIR.exec(written.trim());
  if (match === null) return null;
  const [, first = "", firstLetter = "", second = "", secondLetter = ""] = match;
  const areBothOf = (letters: RegExp): boolean => letters.test(firstLetter) && letters.test(secondLetter);
  if (areBothOf(LATITUDE) || areBothOf(LONGITUDE)) return null;
  const isLatitudeFirst = LATITUDE.test(firstLetter) || LONGITUDE.test(secondLetter);
  const values = [degrees(first, firstLetter), degrees(second, secondLetter)] as const;
  const [longitude, latitude] = isLatitudeFirst ? [values[1], values[0]] : values;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? { longitude, latitude } : null;
}

function degrees(digits: string, letter: string): number {
  const value = Number(digits.replace("\u2212", "-"));
  return /[sw]/i.test(letter) ? -value : value;
}
