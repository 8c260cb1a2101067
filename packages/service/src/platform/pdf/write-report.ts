import { createRequire } from "node:module";
// oxlint-disable-next-line import/no-named-as-default -- its types know the default export only
import PDFDocument from "pdfkit";
import { chooseScaleM, niceTicks } from "./scale.ts";
import type {
  Color,
  LonLat,
  ReportChart,
  ReportContent,
  ReportLegend,
  ReportMap,
  ReportOverview,
} from "./report-content.ts";

type Pdf = InstanceType<typeof PDFDocument>;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A4 in points. */
const PAGE: Box = { x: 0, y: 0, width: 595.28, height: 841.89 };
const MARGIN = 42;
const CONTENT_WIDTH = PAGE.width - 2 * MARGIN;
const FOOTER_Y = PAGE.height - 30;
const INK = "#1c2530";
const FAINT = "#6b7683";
const LINE = "#c9d0d8";
const SEA = "#dfe9f2";
const LAND = "#f4f1e6";
const MARK = "#d7301f";
/** The title page holds so many rows; the rest follow on pages of their own anyway. */
const LISTED_MAPS = 22;
const CHARTS_PER_PAGE = 2;
/** Room of a line's name below a chart. */
const KEY_WIDTH = 82;
/** What lies beneath a map is paler than the map. */
const BASE_OPACITY = 0.45;

const require = createRequire(import.meta.url);
const fontPath = (name: string): string => require.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/** The report as a PDF: A4, fonts embedded, the same bytes for the same content. */
export async function writeReport(
  content: ReportContent,
): Promise<{ readonly body: Uint8Array; readonly pages: number }> {
  const created = new Date(`${content.createdAt.replace(" ", "T")}Z`);
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    font: fontPath("DejaVuSans"),
    info: { Title: content.title, Producer: "Swath", Creator: "Swath", CreationDate: created, ModDate: created },
    lang: "en",
    displayTitle: true,
  });
  pdf.registerFont("regular", fontPath("DejaVuSans"));
  pdf.registerFont("bold", fontPath("DejaVuSans-Bold"));
  const chunks: Uint8Array[] = [];
  pdf.on("data", (chunk: Uint8Array) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });

  titlePage(pdf, content);
  for (const map of content.maps) mapPage(pdf, map);
  chartPages(pdf, content.charts);
  attributionPage(pdf, content.attributions);
  const pages = pdf.bufferedPageRange().count;
  for (let page = 0; page < pages; page++) {
    pdf.switchToPage(page);
    text(pdf, content.title, MARGIN, FOOTER_Y, { size: 7, color: FAINT, width: CONTENT_WIDTH - 80 });
    text(pdf, `${page + 1} / ${pages}`, PAGE.width - MARGIN - 80, FOOTER_Y, {
      size: 7,
      color: FAINT,
      width: 80,
      align: "right",
    });
  }
  pdf.end();
  await ended;
  return { body: Buffer.concat(chunks), pages };
}

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly width?: number;
  readonly height?: number;
  readonly align?: "left" | "right" | "center";
}

/** Writes text and answers where the next line would begin. */
function text(pdf: Pdf, words: string, x: number, y: number, style: TextStyle): number {
  pdf
    .font(style.bold === true ? "bold" : "regular")
    .fontSize(style.size)
    .fillColor(style.color ?? INK);
  const width = style.width ?? CONTENT_WIDTH;
  pdf.text(words, x, y, {
    width,
    align: style.align ?? "left",
    ...(style.height === undefined ? { height: PAGE.height - y - MARGIN } : { height: style.height }),
    ellipsis: true,
  });
  return pdf.y;
}

function titlePage(pdf: Pdf, { title, notes, createdAt, overview, maps }: ReportContent): void {
  pdf.addPage();
  let y = text(pdf, title, MARGIN, MARGIN, { size: 22, bold: true, height: 84 });
  y = text(pdf, `${createdAt} UTC, ${maps.length === 1 ? "one map" : `${maps.length} maps`}`, MARGIN, y + 4, {
    size: 9,
    color: FAINT,
  });
  for (const note of notes) y = text(pdf, note, MARGIN, y + 8, { size: 9.5, height: Math.max(12, 250 - y) });
  drawOverview(pdf, overview, { x: MARGIN, y: y + 14, width: CONTENT_WIDTH, height: 270 });
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
  const scale = Math.min(box.width / ((east - west) * squeeze), box.height / (north - south));
  const left = box.x + (box.width - (east - west) * squeeze * scale) / 2;
  const top = box.y + (box.height - (north - south) * scale) / 2;
  const place = ([lon, lat]: LonLat): [number, number] => [
    left + (lon - west) * squeeze * scale,
    top + (north - lat) * scale,
  ];
  pdf.save();
  pdf.rect(box.x, box.y, box.width, box.height).clip();
  pdf.rect(box.x, box.y, box.width, box.height).fill(SEA);
  for (const ring of land) drawRing(pdf, ring.map(place)).fillAndStroke(LAND, LINE);
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
  scaleBar(pdf, box.x + 10, box.y + box.height - 20, 111_320 / scale, box.width * 0.25);
}

function drawRing(pdf: Pdf, points: readonly (readonly [number, number])[]): Pdf {
  for (const [i, [x, y]] of points.entries()) {
    if (i === 0) pdf.moveTo(x, y);
    else pdf.lineTo(x, y);
  }
  return pdf.closePath();
}

function drawNorth(pdf: Pdf, x: number, y: number): void {
  pdf
    .moveTo(x, y)
    .lineTo(x + 5, y + 16)
    .lineTo(x, y + 12)
    .lineTo(x - 5, y + 16)
    .closePath()
    .fill(INK);
  text(pdf, "N", x - 10, y + 17, { size: 8, bold: true, width: 20, align: "center" });
}

/** @param metresPerPoint ground length of a point of the page */
function scaleBar(pdf: Pdf, x: number, y: number, metresPerPoint: number, longest: number): void {
  const lengthM = chooseScaleM(longest * metresPerPoint);
  const length = lengthM / metresPerPoint;
  pdf.rect(x, y, length / 2, 4).fillAndStroke(INK, INK);
  pdf.rect(x + length / 2, y, length / 2, 4).fillAndStroke("#ffffff", INK);
  const label = lengthM >= 1000 ? `${lengthM / 1000} km` : `${lengthM} m`;
  text(pdf, label, x + length + 4, y - 3, { size: 7.5, width: 80 });
}

function mapPage(pdf: Pdf, map: ReportMap): void {
  pdf.addPage();
  let y = text(pdf, map.title, MARGIN, MARGIN, { size: 15, bold: true, height: 40 });
  y = text(pdf, map.description, MARGIN, y + 2, { size: 9.5, height: 26 });
  y = text(pdf, map.subtitle, MARGIN, y + 3, { size: 8, color: FAINT, height: 32 }) + 8;
  const frame: Box = { x: MARGIN, y, width: CONTENT_WIDTH, height: 455 };
  drawPicture(pdf, map, frame);
  y = frame.y + frame.height + 14;
  const half = CONTENT_WIDTH / 2 - 10;
  if (map.legend !== null) drawLegend(pdf, map.legend, MARGIN, y, half);
  drawTable(pdf, map.statistics, MARGIN + half + 20, y, half);
}

function drawPicture(pdf: Pdf, { picture, base, widthM }: ReportMap, frame: Box): void {
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
    pdf.opacity(BASE_OPACITY);
    pdf.image(Buffer.from(base), x, frame.y, { width, height });
    pdf.opacity(1);
  }
  pdf.image(Buffer.from(picture), x, frame.y, { width, height });
  pdf.rect(x, frame.y, width, height).stroke(LINE);
  const longest = Math.max(10, Math.min(110, width - 70));
  const plate = { x: x + 8, y: frame.y + height - 26, height: 18 };
  const plateWidth = chooseScaleM((longest * widthM) / width) / (widthM / width) + 52;
  pdf.fillOpacity(0.8).rect(plate.x, plate.y, plateWidth, plate.height).fill("#ffffff").fillOpacity(1);
  scaleBar(pdf, plate.x + 6, plate.y + 7, widthM / width, longest);
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

function hex([r, g, b]: Color): string {
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
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

function chartPages(pdf: Pdf, charts: readonly ReportChart[]): void {
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

function attributionPage(pdf: Pdf, attributions: readonly string[]): void {
  if (attributions.length === 0) return;
  pdf.addPage();
  let y = text(pdf, "Attribution", MARGIN, MARGIN, { size: 15, bold: true, height: 20 }) + 8;
  for (const line of attributions) {
    if (y > FOOTER_Y - 24) return;
    y = text(pdf, line, MARGIN, y, { size: 8.5 }) + 4;
  }
}
