import { embedPicture } from "./embed-picture.ts";
import { drawNorth, drawScaleBar } from "./map-marks.ts";
import { CONTENT_WIDTH, FAINT, FOOTER_Y, hex, LINE, MARGIN, text, type Box, type Pdf } from "./page.ts";
import type { ReportLegend, ReportMap } from "./report-content.ts";
import { chooseScaleM } from "./scale.ts";

/** What lies beneath a map is paler than the map. */
const BASE_OPACITY = 0.45;

/** A map with its legend and statistics. */
export async function mapPage(pdf: Pdf, map: ReportMap): Promise<void> {
  pdf.addPage();
  let y = text(pdf, map.title, MARGIN, MARGIN, { size: 15, bold: true, height: 40 });
  y = text(pdf, map.description, MARGIN, y + 2, { size: 9.5, height: 26 });
  y = text(pdf, map.subtitle, MARGIN, y + 3, { size: 8, color: FAINT, height: 32 }) + 8;
  const frame: Box = { x: MARGIN, y, width: CONTENT_WIDTH, height: 455 };
  await drawPicture(pdf, map, frame);
  y = frame.y + frame.height + 14;
  const half = CONTENT_WIDTH / 2 - 10;
  if (map.legend !== null) drawLegend(pdf, map.legend, MARGIN, y, half);
  drawTable(pdf, map.statistics, MARGIN + half + 20, y, half);
}

async function drawPicture(pdf: Pdf, { picture, base, widthM }: ReportMap, frame: Box): Promise<void> {
  pdf.lineWidth(0.7);
  if (picture === null) {
    pdf.rect(frame.x, frame.y, frame.width, frame.height).stroke(LINE);
    text(pdf, "no valid pixel in the area", frame.x, frame.y + frame.height / 2, {
      size: 10,
      color: FAINT,
      align: "center",
    });
    return;
  }
  const image = pngSize(picture);
  const scale = Math.min(frame.width / image.width, frame.height / image.height);
  const width = image.width * scale;
  const height = image.height * scale;
  const x = frame.x + (frame.width - width) / 2;
  if (base !== null) {
    const embedded = await embedPicture(pdf, base);
    pdf.opacity(BASE_OPACITY);
    pdf.image(embedded, x, frame.y, { width, height });
    pdf.opacity(1);
  }
  pdf.image(await embedPicture(pdf, picture), x, frame.y, { width, height });
  pdf.rect(x, frame.y, width, height).stroke(LINE);
  const longest = Math.max(10, Math.min(110, width - 70));
  const plate = { x: x + 8, y: frame.y + height - 26, height: 18 };
  const plateWidth = chooseScaleM((longest * widthM) / width) / (widthM / width) + 52;
  pdf.fillOpacity(0.8).rect(plate.x, plate.y, plateWidth, plate.height).fill("#ffffff").fillOpacity(1);
  drawScaleBar(pdf, plate.x + 6, plate.y + 7, widthM / width, longest);
  pdf
    .fillOpacity(0.8)
    .circle(x + width - 20, frame.y + 24, 17)
    .fill("#ffffff")
    .fillOpacity(1);
  drawNorth(pdf, x + width - 20, frame.y + 10);
}

/** Width and height of a PNG, from its first chunk. */
function pngSize(png: Uint8Array): { readonly width: number; readonly height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

function drawLegend(pdf: Pdf, legend: ReportLegend, x: number, top: number, width: number): void {
  let y = text(pdf, "Legend", x, top, { size: 9, bold: true, width }) + 4;
  if (legend.kind === "classes") {
    for (const { name, color } of legend.classes) {
      if (y > FOOTER_Y - 24) return;
      pdf
        .lineWidth(0.5)
        .rect(x, y + 1, 12, 8)
        .fillAndStroke(hex(color), LINE);
      y = text(pdf, name, x + 18, y, { size: 8.5, width: width - 18, height: 12 }) + 2;
    }
    return;
  }
  const step = width / legend.colors.length;
  for (const [i, color] of legend.colors.entries()) pdf.rect(x + i * step, y, step + 0.4, 10).fill(hex(color));
  pdf.lineWidth(0.4).rect(x, y, width, 10).stroke(LINE);
  for (const { at, value } of legend.ticks) {
    const left = Math.min(Math.max(x + at * width - 20, x), x + width - 40);
    const align = at <= 0 ? "left" : at >= 1 ? "right" : "center";
    pdf
      .lineWidth(0.5)
      .moveTo(x + at * width, y + 10)
      .lineTo(x + at * width, y + 13)
      .stroke(FAINT);
    text(pdf, String(value), left, y + 15, { size: 7.5, width: 40, height: 9, align });
  }
  text(pdf, legend.unit, x, y + 26, { size: 8, width, align: "center", color: FAINT, height: 10 });
}

function drawTable(pdf: Pdf, rows: ReportMap["statistics"], x: number, top: number, width: number): void {
  if (rows.length === 0) return;
  let y = text(pdf, "Statistics", x, top, { size: 9, bold: true, width }) + 4;
  for (const [name, value] of rows) {
    if (y > FOOTER_Y - 24) return;
    text(pdf, name, x, y, { size: 8.5, width: width * 0.55, height: 11 });
    text(pdf, value, x + width * 0.55, y, { size: 8.5, width: width * 0.45, height: 11, align: "right" });
    y += 13;
    pdf
      .lineWidth(0.3)
      .moveTo(x, y - 1.5)
      .lineTo(x + width, y - 1.5)
      .stroke(LINE);
  }
}
