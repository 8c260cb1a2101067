import { CONTENT_WIDTH, FAINT, hex, LINE, MARGIN, text, type Box, type Pdf } from "./page.ts";
import type { ReportChart } from "./report-content.ts";
import { niceTicks } from "./scale.ts";

const CHARTS_PER_PAGE = 2;
/** Room of a line's name below a chart. */
const KEY_WIDTH = 82;

/** Two charts over time a page. */
export function chartPages(pdf: Pdf, charts: readonly ReportChart[]): void {
  for (const [i, chart] of charts.entries()) {
    const slot = i % CHARTS_PER_PAGE;
    if (slot === 0) pdf.addPage();
    drawChart(pdf, chart, { x: MARGIN, y: MARGIN + slot * 375, width: CONTENT_WIDTH, height: 350 });
  }
}

function drawChart(pdf: Pdf, { title, unit, series }: ReportChart, box: Box): void {
  text(pdf, title, box.x, box.y, { size: 12, bold: true, height: 16 });
  text(pdf, unit, box.x, box.y + 18, { size: 8, color: FAINT, height: 10 });
  const plot: Box = { x: box.x + 46, y: box.y + 34, width: box.width - 56, height: box.height - 90 };
  const points = series.flatMap((line) => line.points);
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
    text(pdf, String(tick), box.x, yOf(tick) - 5, { size: 7.5, width: 40, align: "right" });
  }
  const labelled = [...new Set(points.map(({ date }) => date))].toSorted();
  const every = Math.max(1, Math.ceil(labelled.length / 7));
  for (const [i, date] of labelled.entries()) {
    if (i % every !== 0) continue;
    text(pdf, date.slice(0, 10), xOf(date) - 30, plot.y + plot.height + 6, { size: 7, width: 60, align: "center" });
  }
  for (const { color, points: own } of series) {
    const ordered = own.toSorted((a, b) => (a.date < b.date ? -1 : 1));
    pdf.lineWidth(1.2);
    for (const [i, { date, value }] of ordered.entries()) {
      if (i === 0) pdf.moveTo(xOf(date), yOf(value));
      else pdf.lineTo(xOf(date), yOf(value));
    }
    pdf.stroke(hex(color));
    for (const { date, value } of ordered) pdf.circle(xOf(date), yOf(value), 2.2).fill(hex(color));
  }
  const perRow = Math.floor(plot.width / KEY_WIDTH);
  for (const [i, { name, color }] of series.slice(0, 2 * perRow).entries()) {
    const x = plot.x + (i % perRow) * KEY_WIDTH;
    const y = plot.y + plot.height + 24 + Math.floor(i / perRow) * 12;
    pdf.rect(x, y + 2, 10, 6).fill(hex(color));
    text(pdf, name, x + 14, y, { size: 7.5, width: KEY_WIDTH - 16, height: 9 });
  }
}
