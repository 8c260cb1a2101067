import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Poppler's programs as the independent reader of PDFs, where they are installed. */
export const popplerInstalled: boolean = spawnSync("pdftotext", ["-v"]).status === 0;

function inFolder<T>(body: Uint8Array, use: (path: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "swath-pdf-"));
  try {
    const path = join(folder, "report.pdf");
    writeFileSync(path, body);
    return use(path, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[]): Buffer {
  return execFileSync(program, args, { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });
}

/** The text of all pages, laid out as on paper. */
export function pdfText(body: Uint8Array): string {
  return inFolder(body, (path) => run("pdftotext", ["-layout", path, "-"]).toString("utf8"));
}

export function pdfInfo(body: Uint8Array): string {
  return inFolder(body, (path) => run("pdfinfo", [path]).toString("utf8"));
}

/** The lines of the table of fonts. */
export function pdfFonts(body: Uint8Array): readonly string[] {
  return inFolder(body, (path) => run("pdffonts", [path]).toString("utf8").split("\n").slice(2).filter(Boolean));
}

/** Attached files by name. */
export function pdfAttachments(body: Uint8Array): ReadonlyMap<string, string> {
  return inFolder(body, (path, folder) => {
    const target = mkdtempSync(join(folder, "attached-"));
    run("pdfdetach", ["-saveall", "-o", target, path]);
    return new Map(readdirSync(target).map((name) => [name, readFileSync(join(target, name), "utf8")]));
  });
}

/** A drawn page: one pixel per point. */
export interface DrawnPage {
  readonly widthPx: number;
  readonly heightPx: number;
  /** `#rrggbb` */
  colorAt(x: number, y: number): string;
}

/** @param page from 1 */
export function drawPdfPage(body: Uint8Array, page: number): DrawnPage {
  // Without smoothing a pixel has a colour of the drawing, not a mixture.
  const options = ["-r", "72", "-aa", "no", "-aaVector", "no", "-f", String(page), "-l", String(page)];
  const ppm = inFolder(body, (path) => run("pdftoppm", [...options, path]));
  const header = /^P6\s(\d+)\s(\d+)\s255\s/u.exec(ppm.subarray(0, 64).toString("latin1"));
  if (header === null) throw new Error("pdftoppm printed no picture");
  const [widthPx, heightPx] = [Number(header[1]), Number(header[2])];
  const pixels = ppm.subarray(header[0].length);
  return {
    widthPx,
    heightPx,
    colorAt: (x, y) => {
      const at = (Math.floor(y) * widthPx + Math.floor(x)) * 3;
      return `#${pixels.subarray(at, at + 3).toString("hex")}`;
    },
  };
}
