import type { ElementSet } from "./element-set.ts";
import { checkedElements } from "./read-omm.ts";
import { checksumHolds } from "./sgp4.ts";

/** Catalogue numbers beyond 99999 begin with a letter; I and O are left out. */
const ALPHA_5 = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const DAY_MS = 86_400_000;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/u;
const EXPONENT = /^([+ -]?)(\d{5})([+-]\d)$/u;

/**
 * Reads the two lines of an element set.
 *
 * @param name of the satellite; empty: its catalogue number is the name
 * @throws {RangeError} naming the fault: length, checksum, catalogue numbers, or a field that is no number
 */
export function readTle(line1: string, line2: string, name = ""): ElementSet {
  for (const [index, line] of [line1, line2].entries()) {
    if (!line.startsWith(`${index + 1} `)) throw new RangeError(`line ${index + 1} begins with "${line.slice(0, 2)}"`);
    if (line.length !== 69) throw new RangeError(`line ${index + 1} has ${line.length} characters, expected 69`);
    if (!checksumHolds(line)) throw new RangeError(`the checksum of line ${index + 1} does not hold`);
  }
  const catalogueNumber = catalogueNumberOf(line1.slice(2, 7));
  const repeated = catalogueNumberOf(line2.slice(2, 7));
  if (repeated !== catalogueNumber) {
    throw new RangeError(`the lines have the catalogue numbers ${catalogueNumber} and ${repeated}, expected one`);
  }
  if (!["0", " "].includes(line1.slice(62, 63))) {
    throw new RangeError(`the ephemeris type is ${line1.slice(62, 63)}, expected 0, which is SGP4`);
  }
  return checkedElements({
    name: name === "" ? String(catalogueNumber) : name,
    catalogueNumber,
    objectId: objectIdOf(line1.slice(9, 17).trim()),
    epochMs: epochOf(line1),
    meanMotionRevPerDay: numberOf(line2.slice(52, 63), "mean motion"),
    eccentricity: numberOf(`.${line2.slice(26, 33).replaceAll(" ", "0")}`, "eccentricity"),
    inclinationDeg: numberOf(line2.slice(8, 16), "inclination"),
    nodeDeg: numberOf(line2.slice(17, 25), "right ascension of the ascending node"),
    perigeeDeg: numberOf(line2.slice(34, 42), "argument of perigee"),
    meanAnomalyDeg: numberOf(line2.slice(43, 51), "mean anomaly"),
    bstar: exponentOf(line1.slice(53, 61), "drag term"),
    meanMotionDot: numberOf(line1.slice(33, 43), "derivative of the mean motion"),
    meanMotionDdot: exponentOf(line1.slice(44, 52), "second derivative of the mean motion"),
  });
}

function catalogueNumberOf(field: string): number {
  const text = field.trim();
  const letter = ALPHA_5.indexOf(text.slice(0, 1));
  const digits = letter < 0 ? text : text.slice(1);
  const isNumber = /^\d+$/u.test(digits) && (letter < 0 || digits.length === 4);
  if (!isNumber) throw new RangeError(`"${field}" is no catalogue number`);
  return letter < 0 ? Number(digits) : (letter + 10) * 10_000 + Number(digits);
}

function objectIdOf(designator: string): string {
  const match = /^(\d{2})(\d{3}[A-Z]{1,3})$/u.exec(designator);
  if (match === null) return "";
  const [, year = "", piece = ""] = match;
  return `${fullYear(Number(year))}-${piece}`;
}

function fullYear(twoDigits: number): number {
  return twoDigits < 57 ? 2000 + twoDigits : 1900 + twoDigits;
}

function epochOf(line1: string): number {
  const year = numberOf(line1.slice(18, 20), "year of the epoch");
  const day = numberOf(line1.slice(20, 32), "day of the epoch");
  if (day < 1 || day >= 367) throw new RangeError(`the day of the epoch is ${day}, expected 1 to 366`);
  return Date.UTC(fullYear(year), 0, 1) + (day - 1) * DAY_MS;
}

function numberOf(field: string, meaning: string): number {
  const text = field.trim();
  if (!NUMBER.test(text)) throw new RangeError(`the ${meaning} is "${text}", expected a number`);
  return Number(text);
}

/** A number with an assumed point before its digits and an exponent of ten after them. */
function exponentOf(field: string, meaning: string): number {
  const match = EXPONENT.exec(field);
  if (match === null) throw new RangeError(`the ${meaning} is "${field}", expected five digits and an exponent`);
  const [, sign = "", digits = "", exponent = ""] = match;
  return Number(`${sign.trim()}0.${digits}e${exponent}`);
}
