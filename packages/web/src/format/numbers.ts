const NO_BREAK = "\u00a0";
const MINUS = "\u2212";

/** By digits behind the point: to make one takes 50 us, and a list has hundreds of numbers. */
const formats = new Map<number, Intl.NumberFormat>();

function formatOf(digits: number): Intl.NumberFormat {
  const known = formats.get(digits);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, made);
  return made;
}

function fixed(value: number, digits: number): string {
  return formatOf(digits).format(value).replace("-", MINUS);
}

/** `16.0 km²` */
export function formatArea(areaKm2: number): string {
  return `${fixed(areaKm2, 1)}${NO_BREAK}km²`;
}

/** `60 %` of a share between 0 and 1. */
export function formatShare(share: number): string {
  return `${fixed(share * 100, 0)}${NO_BREAK}%`;
}

/** A share that something covers: `100 %` and `0 %` are exact ones. `<1 %`, `99 %` */
export function formatCover(share: number): string {
  if (share > 0 && share < 0.01) return `<${formatShare(0.01)}`;
  // Scenes cover their own box up to rounding.
  return formatShare(share >= 1 - 1e-6 ? 1 : Math.floor(share * 100) / 100);
}

/** `2.5 m` */
export function formatMetres(metres: number): string {
  return `${fixed(metres, Number.isInteger(metres) ? 0 : 1)}${NO_BREAK}m`;
}

/** `1,000 km` */
export function formatKilometres(kilometres: number): string {
  return `${fixed(kilometres, 0)}${NO_BREAK}km`;
}

/** `1,200 m²` */
export function formatSquareMetres(areaM2: number): string {
  return `${fixed(areaM2, areaM2 < 10 ? 1 : 0)}${NO_BREAK}m²`;
}

/** `12,000` */
export function formatCount(count: number): string {
  return fixed(count, 0);
}

/** `36.8812° S` */
export function formatLatitude(latitude: number): string {
  return half(latitude, "N", "S");
}

/** `174.8736° E` */
export function formatLongitude(longitude: number): string {
  return half(longitude, "E", "W");
}

/** A measured value with three digits behind the point, a count without. */
export function formatValue(value: number): string {
  return fixed(value, Number.isInteger(value) ? 0 : 3);
}

/** Credits in two parts: the digits to read, and those behind them. */
export interface CreditText {
  readonly main: string;
  readonly tail: string;
}

/** All six digits of credits; a balance is cut, never rounded up. */
export function formatCredits(credits: number): CreditText {
  const millionths = Math.floor(Math.abs(credits) * 1_000_000 + 1e-4);
  const whole = Math.floor(millionths / 1_000_000);
  const digits = String(millionths % 1_000_000).padStart(6, "0");
  const sign = credits < 0 && millionths > 0 ? MINUS : "";
  return { main: `${sign}${fixed(whole, 0)}.${digits.slice(0, 2)}`, tail: digits.slice(2) };
}

/** All six digits as one text, for a button or a sentence. */
export function creditText(credits: number): string {
  const { main, tail } = formatCredits(credits);
  return main + tail;
}

/** `12°` */
export function formatAngle(degrees: number): string {
  return `${fixed(degrees, 0)}°`;
}

/** Four digits: one more than a pixel needs would be a lie. `36.8812° S, 174.8736° E` */
export function formatPosition(longitude: number, latitude: number): string {
  return `${formatLatitude(latitude)}, ${formatLongitude(longitude)}`;
}

function half(degrees: number, positive: string, negative: string): string {
  return `${fixed(Math.abs(degrees), 4)}° ${degrees < 0 ? negative : positive}`;
}
