import type PDFDocument from "pdfkit";
import type { Color } from "./report-content.ts";

export type Pdf = InstanceType<typeof PDFDocument>;

/** Points, from the upper left corner of the page. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A4 in points. */
export const PAGE: Box = { x: 0, y: 0, width: 595.28, height: 841.89 };
export const MARGIN = 42;
export const CONTENT_WIDTH = PAGE.width - 2 * MARGIN;
export const FOOTER_Y = PAGE.height - 30;
export const INK = "#1c2530";
export const FAINT = "#6b7683";
export const LINE = "#c9d0d8";

interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly color?: string;
  readonly width?: number;
  readonly height?: number;
  readonly align?: "left" | "right" | "center";
}

/** Writes text and answers where the next line would begin. */
export function text(pdf: Pdf, words: string, x: number, y: number, style: TextStyle): number {
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

export function hex([r, g, b]: Color): string {
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
