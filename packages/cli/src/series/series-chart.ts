import { px, svgText } from "../svg-text.ts";
import type { SeriesRow } from "./series-rows.ts";

const [WIDTH, HEIGHT] = [900, 420];
const PLOT = { left: 70, top: 46, right: 870, bottom: 350 } as const;
const COLORS = ["#1f78b4", "#e31a1c", "#33a02c", "#ff7f00", "#6a3d9a"];
const INK = "#1c2530";
const GRID = "#c9d0d8";
/** Room of a date below the axis, pixels. */
const DATE_PX = 80;
const TICKS = 5;

interface Point {
  readonly timeMs: number;
  readonly date: string;
  readonly value: number;
}

/** Means of clear pixels over time as an SVG, a line for each map type; null without a single mean. */
export function seriesSvg(rows: readonly SeriesRow[], title: string): string | null {
  const lines = Map.groupBy(rows, ({ mapType }) => mapType);
  const series = [...lines].map(([name, own]) => ({ name, points: pointsOf(own) }));
  const points = series.flatMap((line) => line.points);
  if (points.length === 0) return null;
  const times = points.map(({ timeMs }) => timeMs);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const ticks = roundTicks(points.map(({ value }) => value));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const xOf = (timeMs: number): number =>
    last === first
      ? (PLOT.left + PLOT.right) / 2
      : PLOT.left + ((timeMs - first) / (last - first)) * (PLOT.right - PLOT.left);
  const yOf = (value: number): number => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  const drawn = series.map(({ name, points: own }, i) => {
    const color = COLORS[i % COLORS.length]!;
    const path = own.map(({ timeMs, value }) => `${px(xOf(timeMs))},${px(yOf(value))}`);
    const dots = path.map((at) => `<circle cx="${at.split(",")[0]}" cy="${at.split(",")[1]}" r="3" fill="${color}"/>`);
    const key = `<rect x="${PLOT.left + i * 150}" y="${HEIGHT - 22}" width="14" height="8" fill="${color}"/>`;
    return [
      `<polyline points="${path.join(" ")}" fill="none" stroke="${color}" stroke-width="1.8"/>`,
      ...dots,
      key,
      svgText(PLOT.left + i * 150 + 20, HEIGHT - 14, name, "start"),
    ].join("\n");
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    svgText(PLOT.left, 26, title, "start", 15),
    ...ticks.map((tick) => valueTick(yOf(tick), tick)),
    ...dateTicks(points, xOf),
    `<path d="M${PLOT.left},${PLOT.top}V${PLOT.bottom}H${PLOT.right}" fill="none" stroke="${INK}" stroke-width="2"/>`,
    svgText((PLOT.left + PLOT.right) / 2, PLOT.bottom + 38, "date, UTC; mean of clear pixels", "middle"),
    ...drawn,
    "</svg>",
    "",
  ].join("\n");
}

function pointsOf(rows: readonly SeriesRow[]): readonly Point[] {
  return rows
    .flatMap(({ datetime, mean }) =>
      mean === null
        ? []
        : [{ timeMs: Date.parse(`${datetime.replace(" ", "T")}Z`), date: datetime.slice(0, 10), value: mean }],
    )
    .toSorted((a, b) => a.timeMs - b.timeMs);
}

function valueTick(y: number, tick: number): string {
  return [
    `<path d="M${PLOT.left},${px(y)}H${PLOT.right}" stroke="${GRID}" stroke-width="0.8"/>`,
    `<path d="M${PLOT.left - 5},${px(y)}H${PLOT.left}" stroke="${INK}"/>`,
    svgText(PLOT.left - 9, y + 4, String(tick), "end"),
  ].join("\n");
}

/** A mark for each date, a label where there is room. */
function dateTicks(points: readonly Point[], xOf: (timeMs: number) => number): readonly string[] {
  let labelledTo = -Infinity;
  return points
    .toSorted((a, b) => a.timeMs - b.timeMs)
    .map(({ timeMs, date }) => {
      const x = xOf(timeMs);
      const mark = `<path d="M${px(x)},${PLOT.bottom}v5" stroke="${INK}"/>`;
      if (x < labelledTo + DATE_PX) return mark;
      labelledTo = x;
      return `${mark}\n${svgText(x, PLOT.bottom + 19, date, "middle")}`;
    });
}

/** Round numbers at equal distances around the values. */
function roundTicks(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const span = high > low ? high - low : Math.max(Math.abs(high), 1) / 2;
  const power = 10 ** Math.floor(Math.log10(span / TICKS));
  const step = ([1, 2, 5].find((factor) => factor * power * TICKS >= span) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
