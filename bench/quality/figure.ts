/** What a figure is held against. */
export type Bar =
  | { readonly kind: "at-least"; readonly value: number }
  | { readonly kind: "at-most"; readonly value: number }
  | { readonly kind: "within"; readonly low: number; readonly high: number };

/** One measured number of one map type on one data set. */
export interface Figure {
  readonly mapType: string;
  /** Page of `docs/map-types` that shows it, without suffix. */
  readonly page: string;
  readonly data: string;
  readonly metric: string;
  /** Null when it was not measured; `note` says why. */
  readonly value: number | null;
  /** 95 % confidence interval; null where the figure is exact or a single observation. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly bar: Bar | null;
  /** What it was counted over, such as "27 ships" or "8 scenes". */
  readonly over: string;
  readonly note?: string;
  /** Digits after the point when printed; 3 unless given. */
  readonly digits?: number;
}

export type Verdict = "met" | "not met" | "no bar" | "absent";

export function verdict({ value, bar }: Pick<Figure, "value" | "bar">): Verdict {
  if (value === null) return "absent";
  if (bar === null) return "no bar";
  if (bar.kind === "at-least") return value >= bar.value ? "met" : "not met";
  if (bar.kind === "at-most") return value <= bar.value ? "met" : "not met";
  return value >= bar.low && value <= bar.high ? "met" : "not met";
}

/** Four digits; bars are products of levels and allowances. */
function limit(value: number): string {
  return value !== 0 && Math.abs(value) < 1e-3
    ? Number(value.toPrecision(4)).toExponential()
    : String(Number(value.toPrecision(4)));
}

export function barText(bar: Bar | null): string {
  if (bar === null) return "–";
  if (bar.kind === "at-least") return `≥ ${limit(bar.value)}`;
  if (bar.kind === "at-most") return `≤ ${limit(bar.value)}`;
  return `${limit(bar.low)} to ${limit(bar.high)}`;
}

function numberText(value: number, digits: number): string {
  const small = value !== 0 && Math.abs(value) < 10 ** -digits;
  return small ? value.toExponential(2) : value.toFixed(digits);
}

/** `0.926 (0.766 to 0.979)`, or `absent`. */
export function figureText({ value, interval, digits = 3 }: Figure): string {
  if (value === null) return "absent";
  const text = numberText(value, digits);
  if (interval === null) return text;
  return `${text} (${numberText(interval[0], digits)} to ${numberText(interval[1], digits)})`;
}

/** Figures are the same when they are to a hundredth of their size, or of 1. */
export function agrees(a: Figure, b: Figure): boolean {
  if (a.value === null || b.value === null) return a.value === b.value;
  return Math.abs(a.value - b.value) <= 0.01 * Math.max(1, Math.abs(b.value)) && verdict(a) === verdict(b);
}

/** What makes a figure the same figure from one run to the next. */
export function keyOf({ mapType, page, data, metric }: Figure): string {
  return [page, mapType, data, metric].join(" | ");
}

/** A figure of what is not there. */
export function absent(
  like: Pick<Figure, "mapType" | "page" | "data" | "metric"> & Partial<Figure>,
  note: string,
): Figure {
  return { bar: null, over: "–", ...like, value: null, interval: null, note };
}
