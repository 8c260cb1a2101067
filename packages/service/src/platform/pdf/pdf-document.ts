import { join } from "node:path";
// oxlint-disable-next-line import/no-named-as-default -- its types know the default export only
import PDFDocument from "pdfkit";
import { CONTENT_WIDTH, FAINT, FOOTER_Y, MARGIN, PAGE, text, type Pdf } from "./page.ts";
import type { WrittenPdf } from "./run-pdf-worker.ts";

/** DejaVu 2.37: the package of npm holds 22 more of its fonts, 10 MB. */
const fontPath = (name: string): string => join(import.meta.dirname, "fonts", `${name}.ttf`);

/**
 * A PDF of A4 pages with embedded fonts and a footer; the same bytes for the same drawing.
 *
 * @param createdAt `YYYY-MM-DD HH:MM:SS`, UTC
 */
export async function writePdf(
  { title, createdAt }: { readonly title: string; readonly createdAt: string },
  draw: (pdf: Pdf) => Promise<void> | void,
): Promise<WrittenPdf> {
  const created = new Date(`${createdAt.replace(" ", "T")}Z`);
  const pdf = new PDFDocument({
    size: "A4",
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    font: fontPath("DejaVuSans"),
    info: { Title: title, Producer: "Swath", Creator: "Swath", CreationDate: created, ModDate: created },
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
  await draw(pdf);
  const pages = pdf.bufferedPageRange().count;
  for (let page = 0; page < pages; page++) {
    pdf.switchToPage(page);
    text(pdf, title, MARGIN, FOOTER_Y, { size: 7, color: FAINT, width: CONTENT_WIDTH - 80 });
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
