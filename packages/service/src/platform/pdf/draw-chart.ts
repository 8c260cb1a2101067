import { FAINT, hex, INK, LINE, text, type Box, type Pdf } from "./page.ts";
import type { ReportChart, ReportPoint } from "./report-content.ts";
import { niceTicks } from "./scale.ts";

/** Room of a line's name below a chart. */
const KEY_WIDTH = 82;
/** Room of a date below the axis. */
const DATE_WIDTH = 54;
/** Length of a mark on an axis. */
const TICK = 3;
/** Room of a remark, two lines. */
const REMARK_HEIGHT = 24;

type Point = readonly [x: number, y: number];

function drawTick(pdf: Pdf, from: Point, to: Point): void {
  pdf
    .lineWidth(0.6)
    .moveTo(...from)
    .lineTo(...to)
    .stroke(INK);
}

/** A chart without a point says so. */
export function drawChart(pdf: Pdf, { title, unit, remark, series }: ReportChart, box: Box): void {
  text(pdf, title, box.x, box.y, { size: 12, bold: true, height: 16 });
  const points = series.flatMap((line) => line.points);
  const caption = points.length === 0 ? "no value" : `${unit === "" ? "value" : unit}, by date (UTC)`;
  text(pdf, caption, box.x, box.y + 18, { size: 8, color: FAINT, height: 10 });
  if (points.length === 0) return;
  const room = remark === undefined ? 0 : REMARK_HEIGHT;
  if (remark !== undefined) text(pdf, remark, box.x, box.y + 29, { size: 8, height: room - 2 });
  const plot: Box = { x: box.x + 46, y: box.y + 34 + room, width: box.width - 56, height: box.height - 90 - room };
  drawPlot(pdf, series, points, plot);
  drawNames(pdf, series, plot);
}

function drawPlot(pdf: Pdf, series: ReportChart["series"], points: readonly ReportPoint[], plot: Box): void {
  const times = points.map(({ date }) => Date.parse(`${date.replace(" ", "T")}Z`));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const ticks = niceTicks(
    Math.min(...points.map(({ value }) => value)),
    Math.max(...points.map(({ value }) => value)),
    5,
  );
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const xOf = (date: string): number =>
    plot.x + (last === first ? 0.5 : (Date.parse(`${date.replace(" ", "T")}Z`) - first) / (last - first)) * plot.width;
  const yOf = (value: number): number => plot.y + plot.height - ((value - low) / (high - low || 1)) * plot.height;
  for (const tick of ticks) {
    pdf
      .lineWidth(0.4)
      .moveTo(plot.x, yOf(tick))
      .lineTo(plot.x + plot.width, yOf(tick))
      .stroke(LINE);
    drawTick(pdf, [plot.x, yOf(tick)], [plot.x - TICK, yOf(tick)]);
    text(pdf, String(tick), plot.x - 46, yOf(tick) - 5, { size: 7.5, width: 40, align: "right" });
  }
  const bottom = plot.y + plot.height;
  let labelledTo = -Infinity;
  for (const date of [...new Set(points.map((point) => point.date))].toSorted()) {
    const x = xOf(date);
    drawTick(pdf, [x, bottom], [x, bottom + TICK]);
    // Dates lie where their time is: some are too near to each other for a label each.
    if (x < labelledTo + DATE_WIDTH) continue;
    labelledTo = x;
    text(pdf, date.slice(0, 10), x - DATE_WIDTH / 2, bottom + 6, { size: 7, width: DATE_WIDTH, align: "center" });
  }
  pdf
    .lineWidth(0.8)
    .moveTo(plot.x, plot.y)
    .lineTo(plot.x, bottom)
    .lineTo(plot.x + plot.width, bottom)
    .stroke(INK);
  for (const { color, points: own } of series) {
    const ordered = own.toSorted((a, b) => (a.date < b.date ? -1 : 1));
    pdf.lineWidth(1.2);
    for (const [i, { date, value, isAfterGap = false }] of ordered.entries()) {
      if (i === 0 || isAfterGap) pdf.moveTo(xOf(date), yOf(value));
      else pdf.lineTo(xOf(date), yOf(value));
    }
    pdf.stroke(hex(color));
    for (const { date, value } of ordered) pdf.circle(xOf(date), yOf(value), 2.2).fill(hex(color));
  }
}

function drawNames(pdf: Pdf, series: ReportChart["series"], plot: Box): void {
  const perRow = Math.floor(plot.width / KEY_WIDTH);
  for (const [i, { name, color }] of series.slice(0, 2 * perRow).entries()) {
    const x = plot.x + (i % perRow) * KEY_WIDTH;
    const y = plot.y + plot.height + 24 + Math.floor(i / perRow) * 12;
    pdf.rect(x, y + 2, 10, 6).fill(hex(color));
    text(pdf, name, x + 14, y, { size: 7.5, width: KEY_WIDTH - 16, height: 9 });
  }
}
