import type { ElementSet } from "./element-set.ts";

/** An orbit mean-elements message: its keywords and values, of whatever format. */
export type OmmKeywords = Readonly<Record<string, unknown>>;

/** Keywords whose other values would need another theory or another frame. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  CENTER_NAME: ["EARTH"],
  REF_FRAME: ["TEME"],
  TIME_SYSTEM: ["UTC"],
  MEAN_ELEMENT_THEORY: ["SGP4", "SGP/SGP4"],
  EPHEMERIS_TYPE: ["0"],
};
const EPOCH = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?Z?$/u;
const DAY_EPOCH = /^(\d{4})-(\d{3})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?Z?$/u;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/u;
const MAX_TEXT = 100;

/**
 * Reads an orbit mean-elements message.
 *
 * @throws {RangeError} naming the keyword, the value received and the value expected
 * @see CCSDS 502.0-B-3, Orbit Data Messages
 */
export function readOmm(keywords: OmmKeywords): ElementSet {
  for (const [keyword, allowed] of Object.entries(EXPECTED)) {
    const value = textOf(keywords, keyword);
    if (value !== "" && !allowed.includes(value.toUpperCase())) {
      throw new RangeError(`${keyword} is "${value}", expected ${allowed.join(" or ")}`);
    }
  }
  const catalogueNumber = numberOf(keywords, "NORAD_CAT_ID");
  const name = textOf(keywords, "OBJECT_NAME");
  return checkedElements({
    name: name === "" ? String(catalogueNumber) : name,
    catalogueNumber,
    objectId: textOf(keywords, "OBJECT_ID"),
    epochMs: epochOf(textOf(keywords, "EPOCH")),
    meanMotionRevPerDay: numberOf(keywords, "MEAN_MOTION"),
    eccentricity: numberOf(keywords, "ECCENTRICITY"),
    inclinationDeg: numberOf(keywords, "INCLINATION"),
    nodeDeg: numberOf(keywords, "RA_OF_ASC_NODE"),
    perigeeDeg: numberOf(keywords, "ARG_OF_PERICENTER"),
    meanAnomalyDeg: numberOf(keywords, "MEAN_ANOMALY"),
    bstar: numberOf(keywords, "BSTAR"),
    meanMotionDot: numberOf(keywords, "MEAN_MOTION_DOT", 0),
    meanMotionDdot: numberOf(keywords, "MEAN_MOTION_DDOT", 0),
  });
}

/**
 * Messages in keyword-value notation: `KEYWORD = VALUE [unit]` lines; each message begins with its version.
 *
 * @throws {RangeError} naming a line that is none
 */
export function keywordsOfKvn(text: string): readonly OmmKeywords[] {
  const messages: Record<string, string>[] = [];
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("COMMENT")) continue;
    const [, keyword = "", value = ""] = /^([A-Z][A-Z0-9_]*)\s*=\s*(.*?)(?:\s*\[[^\]]*\])?$/u.exec(trimmed) ?? [];
    if (keyword === "") throw new RangeError(`line ${index + 1} is "${shown(trimmed)}", expected KEYWORD = VALUE`);
    if (keyword === "CCSDS_OMM_VERS") messages.push({});
    const message = messages.at(-1);
    if (message === undefined) throw new RangeError(`line ${index + 1} comes before CCSDS_OMM_VERS`);
    message[keyword] = value;
  }
  return messages;
}

/**
 * The set itself, when its elements make sense: a bound orbit around the earth.
 *
 * @throws {RangeError}
 */
export function checkedElements(set: ElementSet): ElementSet {
  const { catalogueNumber, meanMotionRevPerDay, eccentricity, inclinationDeg } = set;
  const isNumber = Number.isInteger(catalogueNumber) && catalogueNumber > 0 && catalogueNumber <= 999_999_999;
  if (!isNumber) throw new RangeError(`the catalogue number is ${catalogueNumber}, expected 1 to 999999999`);
  if (set.name.length > MAX_TEXT || set.objectId.length > MAX_TEXT) {
    throw new RangeError(`the name or designator is longer than ${MAX_TEXT} characters`);
  }
  for (const [meaning, value, least, most] of [
    ["mean motion", meanMotionRevPerDay, 0.01, 18],
    ["eccentricity", eccentricity, 0, 0.999],
    ["inclination", inclinationDeg, 0, 180],
    ["right ascension of the ascending node", set.nodeDeg, -360, 360],
    ["argument of perigee", set.perigeeDeg, -360, 360],
    ["mean anomaly", set.meanAnomalyDeg, -360, 360],
    ["drag term", set.bstar, -10, 10],
    ["derivative of the mean motion", set.meanMotionDot, -1, 1],
    ["second derivative of the mean motion", set.meanMotionDdot, -1, 1],
  ] as const) {
    if (!(value >= least && value <= most)) {
      throw new RangeError(`the ${meaning} is ${value}, expected ${least} to ${most}`);
    }
  }
  return set;
}

function textOf(keywords: OmmKeywords, keyword: string): string {
  const value = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
  if (value === undefined || value === null) return "";
  if (typeof value !== "string" && typeof value !== "number") {
    throw new RangeError(`${keyword} is neither a text nor a number`);
  }
  return String(value).trim();
}

function numberOf(keywords: OmmKeywords, keyword: string, standard?: number): number {
  const text = textOf(keywords, keyword);
  if (text === "" && standard !== undefined) return standard;
  if (text === "") throw new RangeError(`${keyword} is missing`);
  if (!NUMBER.test(text)) throw new RangeError(`${keyword} is "${shown(text)}", expected a number`);
  return Number(text);
}

/** Milliseconds with a fraction: texts have microseconds. */
function epochOf(text: string): number {
  const day = EPOCH.exec(text);
  const dayOfYear = DAY_EPOCH.exec(text);
  const [, year, month, date, hour, minute, second, fraction = "0"] =
    day ?? (dayOfYear === null ? [] : [dayOfYear[0], dayOfYear[1], "1", ...dayOfYear.slice(2)]);
  const startMs = Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour), Number(minute), Number(second));
  const isDate = day === null || new Date(startMs).toISOString().startsWith(text.slice(0, 19));
  if (Number.isNaN(startMs) || !isDate)
    throw new RangeError(`EPOCH is "${shown(text)}", expected an ISO 8601 time in UTC`);
  return startMs + Number(`0.${fraction}`) * 1000;
}

function shown(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
