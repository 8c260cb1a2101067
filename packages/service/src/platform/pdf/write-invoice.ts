import type { InvoiceColumn, InvoiceContent } from "./invoice-content.ts";
import { CONTENT_WIDTH, FAINT, FOOTER_Y, LINE, MARGIN, text, type Pdf } from "./page.ts";
import { writePdf } from "./pdf-document.ts";
import type { WrittenPdf } from "./run-pdf-worker.ts";

const ROW_HEIGHT = 13;
/** Room between two columns. */
const GAP = 6;

/** The invoice as a PDF: facts, a table over as many pages as it needs, the total. */
export function writeInvoice(content: InvoiceContent): Promise<WrittenPdf> {
  return writePdf(content, (pdf) => {
    pdf.addPage();
    let y = text(pdf, content.title, MARGIN, MARGIN, { size: 20, bold: true, height: 52 }) + 8;
    for (const [name, value] of content.facts) {
      text(pdf, name, MARGIN, y, { size: 9, color: FAINT, width: 110, height: 12 });
      y = text(pdf, value, MARGIN + 116, y, { size: 9, width: CONTENT_WIDTH - 116, height: 24 }) + 3;
    }
    y = heading(pdf, content.columns, y + 14);
    for (const row of content.rows) {
      if (y > FOOTER_Y - 2 * ROW_HEIGHT) y = nextPage(pdf, content.columns);
      y = drawRow(pdf, content.columns, row, y);
    }
    if (y > FOOTER_Y - 2 * ROW_HEIGHT) y = nextPage(pdf, content.columns);
    rule(pdf, y);
    drawRow(pdf, content.columns, content.total, y + 4, true);
  });
}

function nextPage(pdf: Pdf, columns: readonly InvoiceColumn[]): number {
  pdf.addPage();
  return heading(pdf, columns, MARGIN);
}

function heading(pdf: Pdf, columns: readonly InvoiceColumn[], y: number): number {
  const titles = columns.map(({ title }) => title);
  const end = drawRow(pdf, columns, titles, y, true);
  rule(pdf, end - 1);
  return end + 3;
}

function rule(pdf: Pdf, y: number): void {
  pdf
    .lineWidth(0.7)
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + CONTENT_WIDTH, y)
    .stroke(LINE);
}

function drawRow(
  pdf: Pdf,
  columns: readonly InvoiceColumn[],
  cells: readonly string[],
  y: number,
  bold = false,
): number {
  let x = MARGIN;
  for (const [i, { share, align }] of columns.entries()) {
    const width = share * CONTENT_WIDTH;
    text(pdf, cells[i] ?? "", x, y, { size: 8, bold, align, width: width - GAP, height: 10 });
    x += width;
  }
  return y + ROW_HEIGHT;
}
