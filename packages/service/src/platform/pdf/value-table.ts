import { chartRows, type ChartRow } from "./chart-rows.ts";
import { CONTENT_WIDTH, FAINT, FOOTER_Y, LINE, MARGIN, text, type Pdf } from "./page.ts";
import type { ReportChart } from "./report-content.ts";

const ROW_HEIGHT = 11;
const DATE_WIDTH = 90;
/** Rows of a table; the attached CSV has all. */
const MAX_TABLE_ROWS = 200;

/** The values of a chart by date, from a height on and over as many pages as they need. */
export function drawTable(pdf: Pdf, chart: ReportChart, top: number): void {
  const rows = chartRows(chart);
  if (rows.length === 0) return;
  let y = drawHead(pdf, chart, top);
  for (const row of rows.slice(0, MAX_TABLE_ROWS)) {
    if (y > FOOTER_Y - 2 * ROW_HEIGHT) {
      pdf.addPage();
      y = drawHead(pdf, chart, MARGIN);
    }
    drawRow(pdf, row, y);
    y += ROW_HEIGHT;
  }
  if (rows.length <= MAX_TABLE_ROWS) return;
  const words = `The first ${MAX_TABLE_ROWS} of ${rows.length} rows: all are in the attached file ${chart.name}.csv.`;
  text(pdf, words, MARGIN, y + 2, { size: 7.5, color: FAINT, height: 9 });
}

function drawHead(pdf: Pdf, { series }: ReportChart, y: number): number {
  const names = series.map(({ name }) => name);
  drawCells(pdf, ["date (UTC)", ...names], y, { bold: true });
  const bottom = y + ROW_HEIGHT;
  pdf
    .lineWidth(0.6)
    .moveTo(MARGIN, bottom)
    .lineTo(MARGIN + CONTENT_WIDTH, bottom)
    .stroke(LINE);
  return bottom + 3;
}

function drawRow(pdf: Pdf, { date, values }: ChartRow, y: number): void {
  const shown = values.map((value) => (value === null ? "" : String(Number(value.toPrecision(6)))));
  drawCells(pdf, [date, ...shown], y, { bold: false });
}

function drawCells(pdf: Pdf, cells: readonly string[], y: number, { bold }: { readonly bold: boolean }): void {
  const width = (CONTENT_WIDTH - DATE_WIDTH) / Math.max(1, cells.length - 1);
  for (const [i, cell] of cells.entries()) {
    if (cell === "") continue;
    const style = { size: 7.5, bold, height: 9 };
    if (i === 0) text(pdf, cell, MARGIN, y, { ...style, width: DATE_WIDTH });
    else {
      const x = MARGIN + DATE_WIDTH + (i - 1) * width;
      text(pdf, cell, x, y, { ...style, width: width - 6, align: "right" });
    }
  }
}
