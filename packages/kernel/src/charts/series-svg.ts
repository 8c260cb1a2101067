import { px, svgText } from "./svg-text.ts";

const [WIDTH, HEIGHT] = [900, 420];
const PLOT = { left: 70, top: 46, right: 870, bottom: 350 } as const;
const COLORS = ["#1f78b4", "#e31a1c", "#33a02c", "#ff7f00", "#6a3d9a"];
const INK = "#1c2530";
const GRID = "#c9d0d8";
/** Room of a date below the axis, pixels. */
const DATE_PX = 80;
/** Room of the name of a line, pixels. */
const NAME_PX = 150;
const TICKS = 5;

export interface SeriesPoint {
  readonly timeMs: number;
  /** Null: a date without a value, which interrupts the line. */
  readonly value: number | null;
  /** The line is interrupted before this point: a gap without a date. */
  readonly isAfterGap?: boolean;
}

export interface SeriesLine {
  readonly name: string;
  /** In any order. */
  readonly points: readonly SeriesPoint[];
}

interface SeriesText {
  readonly title: string;
  /** Words below the axis of dates. */
  readonly caption: string;
}

/** A point with a value. */
interface Known {
  readonly timeMs: number;
  readonly value: number;
}

/**
 * Lines over time as an SVG of 900 by 420 pixels; null without a single value. Dates without a value have a hollow mark
 * on the axis, and the line has a gap there. A point after a gap begins the line again, without a mark.
 */
export function seriesSvg(lines: readonly SeriesLine[], { title, caption }: SeriesText): string | null {
  const series = lines.map(({ name, points }) => ({ name, runs: runsOf(points) }));
  const known = series.flatMap(({ runs }) => runs.flat());
  if (known.length === 0) return null;
  const times = lines.flatMap(({ points }) => points.map(({ timeMs }) => timeMs)).toSorted((a, b) => a - b);
  const [first, last] = [times[0]!, times.at(-1)!];
  const ticks = roundTicks(extremes(known));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const xOf = (timeMs: number): number =>
    last === first
      ? (PLOT.left + PLOT.right) / 2
      : PLOT.left + ((timeMs - first) / (last - first)) * (PLOT.right - PLOT.left);
  const yOf = (value: number): number => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  const drawn = series.map(({ name, runs }, i) => {
    const color = COLORS[i % COLORS.length]!;
    const places = runs.map((run) => run.map(({ timeMs, value }) => [px(xOf(timeMs)), px(yOf(value))] as const));
    return [
      ...places.filter(({ length }) => length > 1).map((run) => polyline(run, color)),
      ...places.flat().map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3" fill="${color}"/>`),
      `<rect x="${PLOT.left + i * NAME_PX}" y="${HEIGHT - 22}" width="14" height="8" fill="${color}"/>`,
      svgText(PLOT.left + i * NAME_PX + 20, HEIGHT - 14, name, "start"),
    ].join("\n");
  });
  const empty = new Set(lines.flatMap(({ points }) => points.flatMap((one) => (one.value === null ? one.timeMs : []))));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    svgText(PLOT.left, 26, title, "start", 15),
    ...ticks.map((tick) => valueTick(yOf(tick), tick)),
    ...dateTicks(times, xOf),
    `<path d="M${PLOT.left},${PLOT.top}V${PLOT.bottom}H${PLOT.right}" fill="none" stroke="${INK}" stroke-width="2"/>`,
    ...Array.from(empty, (timeMs) => gapMark(xOf(timeMs))),
    svgText((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, caption, "middle"),
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

/** Points in ascending time, divided at dates without a value and at gaps. */
function runsOf(points: readonly SeriesPoint[]): readonly (readonly Known[])[] {
  const runs: Known[][] = [[]];
  for (const { timeMs, value, isAfterGap = false } of points.toSorted((a, b) => a.timeMs - b.timeMs)) {
    if (isAfterGap || value === null || !Number.isFinite(value)) runs.push([]);
    if (value !== null && Number.isFinite(value)) runs.at(-1)!.push({ timeMs, value });
  }
  return runs.filter(({ length }) => length > 0);
}

function polyline(places: readonly (readonly [x: string, y: string])[], color: string): string {
  const points = places.map(([x, y]) => `${x},${y}`).join(" ");
  return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.8"/>`;
}

function gapMark(x: number): string {
  return `<circle class="gap" r="3" cx="${px(x)}" cy="${PLOT.bottom}" fill="#ffffff" stroke="${INK}"/>`;
}

function valueTick(y: number, tick: number): string {
  return [
    `<path d="M${PLOT.left},${px(y)}H${PLOT.right}" stroke="${GRID}" stroke-width="0.8"/>`,
    `<path d="M${PLOT.left - 5},${px(y)}H${PLOT.left}" stroke="${INK}"/>`,
    svgText(PLOT.left - 9, y + 4, String(tick), "end"),
  ].join("\n");
}

/** A mark for each date, a label where there is room. */
function dateTicks(ascending: readonly number[], xOf: (timeMs: number) => number): readonly string[] {
  let labelledTo = -Infinity;
  return [...new Set(ascending)].map((timeMs) => {
    const x = xOf(timeMs);
    const mark = `<path d="M${px(x)},${PLOT.bottom}v5" stroke="${INK}"/>`;
    if (x < labelledTo + DATE_PX) return mark;
    labelledTo = x;
    const date = new Date(timeMs).toISOString().slice(0, 10);
    return `${mark}\n${svgText(x, PLOT.bottom + 19, date, "middle")}`;
  });
}

function extremes(known: readonly Known[]): readonly [low: number, high: number] {
  let [low, high] = [Infinity, -Infinity];
  for (const { value } of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}

/** Round numbers at equal distances around the values. */
function roundTicks([low, high]: readonly [low: number, high: number]): readonly number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high), 1) / 2;
  const power = 10 ** Math.floor(Math.log10(span / TICKS));
  const step = ([1, 2, 5].find((factor) => factor * power * TICKS >= span) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
