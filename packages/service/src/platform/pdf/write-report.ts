import { chartCsv } from "./chart-csv.ts";
import { chartPages } from "./chart-pages.ts";
import { drawNorth, drawScaleBar } from "./map-marks.ts";
import { mapPage } from "./map-page.ts";
import { CONTENT_WIDTH, FAINT, FOOTER_Y, LINE, MARGIN, text, type Box, type Pdf } from "./page.ts";
import { writePdf } from "./pdf-document.ts";
import { OVERVIEW_ASPECT, type LonLat, type ReportContent, type ReportOverview } from "./report-content.ts";
import type { WrittenPdf } from "./run-pdf-worker.ts";

const SEA = "#dfe9f2";
const LAND = "#f4f1e6";
const MARK = "#d7301f";
/** The title page holds so many rows; the rest follow on pages of their own anyway. */
const LISTED_MAPS = 22;

/** The report as a PDF. */
export function writeReport(content: ReportContent): Promise<WrittenPdf> {
  return writePdf(content, async (pdf) => {
    titlePage(pdf, content);
    for (const map of content.maps) await mapPage(pdf, map);
    chartPages(pdf, content.charts);
    attachNumbers(pdf, content);
    attributionPage(pdf, content.attributions);
  });
}

/** The numbers of each chart as an attachment. */
function attachNumbers(pdf: Pdf, { charts, createdAt }: ReportContent): void {
  const created = new Date(`${createdAt.replace(" ", "T")}Z`);
  for (const chart of charts) {
    pdf.file(Buffer.from(chartCsv(chart)), {
      name: `${chart.name}.csv`,
      type: "text/csv",
      description: `${chart.title}, ${chart.unit}`,
      creationDate: created,
      modifiedDate: created,
    });
  }
}

function titlePage(pdf: Pdf, { title, notes, createdAt, overview, maps }: ReportContent): void {
  pdf.addPage();
  let y = text(pdf, title, MARGIN, MARGIN, { size: 22, bold: true, height: 84 });
  y = text(pdf, `${createdAt} UTC, ${maps.length === 1 ? "one map" : `${maps.length} maps`}`, MARGIN, y + 4, {
    size: 9,
    color: FAINT,
  });
  for (const note of notes) y = text(pdf, note, MARGIN, y + 8, { size: 9.5, height: Math.max(12, 250 - y) });
  drawOverview(pdf, overview, { x: MARGIN, y: y + 14, width: CONTENT_WIDTH, height: CONTENT_WIDTH / OVERVIEW_ASPECT });
  y += 300;
  for (const [i, map] of maps.slice(0, LISTED_MAPS).entries()) {
    if (y > FOOTER_Y - 26) break;
    text(pdf, `${i + 1}`, MARGIN, y, { size: 8, color: FAINT, width: 18 });
    const [summary = ""] = map.subtitle.split("\n");
    text(pdf, `${map.title}, ${summary}`, MARGIN + 20, y, { size: 8, width: CONTENT_WIDTH - 20, height: 10 });
    y += 12;
  }
}

/** Land, sea and where the maps are, in plate carree with true proportions at the middle. */
function drawOverview(pdf: Pdf, { bounds, land, areas }: ReportOverview, box: Box): void {
  const [west, south, east, north] = bounds;
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.max(box.width / ((east - west) * squeeze), box.height / (north - south));
  const left = box.x + (box.width - (east - west) * squeeze * scale) / 2;
  const top = box.y + (box.height - (north - south) * scale) / 2;
  const place = ([lon, lat]: LonLat): [number, number] => [
    left + (lon - west) * squeeze * scale,
    top + (north - lat) * scale,
  ];
  pdf.save();
  pdf.rect(box.x, box.y, box.width, box.height).clip();
  pdf.rect(box.x, box.y, box.width, box.height).fill(SEA);
  // One path for all outlines: a lake is a ring inside the ring of its continent.
  for (const ring of land) drawRing(pdf, ring.map(place));
  if (land.length > 0) pdf.fillAndStroke(LAND, LINE, "even-odd");
  pdf.lineWidth(1.2);
  for (const ring of areas) drawRing(pdf, ring.map(place)).stroke(MARK);
  for (const ring of areas) {
    // An area of a few kilometres is a dot on a map of a continent: a circle says where to look.
    const points = ring.map(place);
    const [x, y] = points[0] ?? [0, 0];
    const size = Math.max(...points.map(([px, py]) => Math.hypot(px - x, py - y)));
    if (size < 8) pdf.circle(x, y, 9).stroke(MARK);
  }
  pdf.restore();
  pdf.lineWidth(0.7).rect(box.x, box.y, box.width, box.height).stroke(LINE);
  drawNorth(pdf, box.x + box.width - 22, box.y + 12);
  drawScaleBar(pdf, box.x + 10, box.y + box.height - 20, 111_320 / scale, box.width * 0.25);
}

function drawRing(pdf: Pdf, points: readonly (readonly [number, number])[]): Pdf {
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pdf.moveTo(x, y);
    else pdf.lineTo(x, y);
  }
  return pdf.closePath();
}

function attributionPage(pdf: Pdf, attributions: readonly string[]): void {
  if (attributions.length === 0) return;
  pdf.addPage();
  let y = text(pdf, "Attribution", MARGIN, MARGIN, { size: 15, bold: true, height: 20 }) + 8;
  for (const line of attributions) {
    if (y > FOOTER_Y - 24) return;
    y = text(pdf, line, MARGIN, y, { size: 8.5 }) + 4;
  }
}
