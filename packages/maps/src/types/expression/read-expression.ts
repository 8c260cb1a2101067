import { parseFormula, formulaNames } from "@swath/kernel/bands/formula";
import { formulaText } from "@swath/kernel/bands/formula-text";
import { isRampName, RAMP_NAMES, type RampName } from "@swath/kernel/raster-mathematics/colormap";
import { didYouMean } from "@swath/kernel/text/did-you-mean";

export const EXPRESSION_PREFIX = "expression:";

/** Longer ids are refused, as requests refuse them. */
const MAX_ID_LENGTH = 512;
const MAX_NAMES = 16;
const MAX_LIMIT = 1e9;

const DEFAULT_RAMP: RampName = "diverging";
const DEFAULT_RANGE = [-1, 1] as const;
const PARAMETERS = ["ramp", "min", "max"] as const;
const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

/** Names that would be taken for values, or for members that every object has. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "nan",
  "inf",
  "infinity",
]);

/** An own formula in normal form. */
export interface Expression {
  /** The shortest spelling of the formula. */
  readonly formula: string;
  /** Names of bands or roles. */
  readonly names: readonly string[];
  readonly ramp: RampName;
  /** Values at the ends of the ramp. */
  readonly range: readonly [low: number, high: number];
  /** The id of every spelling of the same formula, ramp and range. */
  readonly canonicalId: string;
}

/**
 * Reads `expression:<formula>` or `expression:<formula>?ramp=<name>&min=<number>&max=<number>`; null for ids of another
 * form.
 *
 * @throws {RangeError} on an expression that means nothing, with the position in the formula and the expectation
 */
export function readExpression(id: string): Expression | null {
  if (!id.startsWith(EXPRESSION_PREFIX)) return null;
  requireLength(id);
  const text = id.slice(EXPRESSION_PREFIX.length);
  const mark = text.indexOf("?");
  const tree = parseFormula(mark < 0 ? text : text.slice(0, mark));
  const names = formulaNames(tree);
  requireNames(names);
  const formula = formulaText(tree);
  const colours = mark < 0 ? { ramp: DEFAULT_RAMP, range: DEFAULT_RANGE } : readColours(text.slice(mark + 1));
  const canonicalId = `${EXPRESSION_PREFIX}${formula}${colourText(colours)}`;
  requireLength(canonicalId);
  return { formula, names, ...colours, canonicalId };
}

function requireLength({ length }: string): void {
  if (length <= MAX_ID_LENGTH) return;
  throw new RangeError(`the map type has ${length} characters, expected at most ${MAX_ID_LENGTH}`);
}

function requireNames(names: readonly string[]): void {
  if (names.length === 0) throw new RangeError("the formula names no band, expected at least one, such as nir or B08");
  if (names.length > MAX_NAMES) {
    throw new RangeError(`the formula names ${names.length} bands, expected at most ${MAX_NAMES}`);
  }
  const reserved = names.find((name) => RESERVED.has(name) || RESERVED.has(name.toLowerCase()));
  if (reserved !== undefined)
    throw new RangeError(`"${reserved}" is no name of a band, expected one such as nir or B08`);
}

type Colours = Pick<Expression, "ramp" | "range">;

function readColours(text: string): Colours {
  const given = new Map<string, string>();
  for (const part of text.split("&")) {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/u.exec(part) ?? [];
    if (name === "") throw new RangeError(`got the parameter "${part}", expected <name>=<value> after the ?`);
    if (!PARAMETERS.some((one) => one === name)) {
      const hint = didYouMean(name, PARAMETERS) || `, expected one of ${PARAMETERS.join(", ")}`;
      throw new RangeError(`there is no parameter ${name}${hint}`);
    }
    if (given.has(name)) throw new RangeError(`the parameter ${name} is given twice`);
    given.set(name, value);
  }
  const low = readLimit("min", given.get("min"), DEFAULT_RANGE[0]);
  const high = readLimit("max", given.get("max"), DEFAULT_RANGE[1]);
  if (!(low < high)) throw new RangeError(`got min ${low} and max ${high}, expected min to be lower`);
  return { ramp: readRamp(given.get("ramp")), range: [low, high] };
}

function readLimit(name: string, text: string | undefined, standard: number): number {
  if (text === undefined) return standard;
  const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
  if (!(Math.abs(value) <= MAX_LIMIT)) {
    throw new RangeError(`got ${text === "" ? "nothing" : text} for ${name}, expected a number within ±${MAX_LIMIT}`);
  }
  // Minus zero is zero.
  return value + 0;
}

function readRamp(name: string | undefined): RampName {
  if (name === undefined) return DEFAULT_RAMP;
  if (isRampName(name)) return name;
  throw new RangeError(
    `there is no ramp ${name}${didYouMean(name, RAMP_NAMES)}, expected one of ${RAMP_NAMES.join(", ")}`,
  );
}

/** The parameters that differ from the standard, in a fixed order. */
function colourText({ ramp, range: [low, high] }: Colours): string {
  const parts = [
    ...(ramp === DEFAULT_RAMP ? [] : [`ramp=${ramp}`]),
    ...(low === DEFAULT_RANGE[0] ? [] : [`min=${low}`]),
    ...(high === DEFAULT_RANGE[1] ? [] : [`max=${high}`]),
  ];
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}
