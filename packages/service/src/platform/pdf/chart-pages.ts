import { drawChart } from "./draw-chart.ts";
import { CONTENT_WIDTH, MARGIN, type Pdf } from "./page.ts";
import type { ReportChart } from "./report-content.ts";
import { drawTable } from "./value-table.ts";

const CHARTS_PER_PAGE = 2;
const CHART_HEIGHT = 350;
const SLOT_HEIGHT = 375;

/** Two charts over time a page; then charts with a table of their values, each from the top of a page. */
export function chartPages(pdf: Pdf, charts: readonly ReportChart[]): void {
  for (const [i, chart] of charts.filter(({ isTabulated = false }) => !isTabulated).entries()) {
    const slot = i % CHARTS_PER_PAGE;
    if (slot === 0) pdf.addPage();
    drawInSlot(pdf, chart, slot);
  }
  for (const chart of charts.filter(({ isTabulated = false }) => isTabulated)) {
    pdf.addPage();
    drawInSlot(pdf, chart, 0);
    drawTable(pdf, chart, MARGIN + SLOT_HEIGHT);
  }
}

function drawInSlot(pdf: Pdf, chart: ReportChart, slot: number): void {
  drawChart(pdf, chart, { x: MARGIN, y: MARGIN + slot * SLOT_HEIGHT, width: CONTENT_WIDTH, height: CHART_HEIGHT });
}
