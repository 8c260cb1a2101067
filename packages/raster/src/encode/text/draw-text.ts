import type { RgbaImage } from "../image.ts";
import { GLYPH_HEIGHT_PX, GLYPH_WIDTH_PX, glyphOf } from "./bitmap-font.ts";

/** Pixels from one character to the next, and from one line to the next. */
const ADVANCE_PX = GLYPH_WIDTH_PX + 1;
const LEADING_PX = GLYPH_HEIGHT_PX + 3;

/** Lines of one size. */
export interface TextLines {
  readonly lines: readonly string[];
  /** Side of a dot of a character. */
  readonly dotPx: number;
}

/** Lines of at most that width, broken at spaces; words that are too long are cut. ASCII only. */
export function wrapText(text: string, dotPx: number, widthPx: number): TextLines {
  const most = Math.max(1, Math.floor((widthPx / dotPx + 1) / ADVANCE_PX));
  const lines: string[] = [];
  for (const word of asciiOf(text).split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word.slice(0, most));
  }
  return { lines, dotPx };
}

export function textHeightPx({ lines, dotPx }: TextLines): number {
  return lines.length * LEADING_PX * dotPx;
}

/** The same letters as the font has them: without accents, `(c)` for the sign of copyright. */
function asciiOf(text: string): string {
  return text
    .replaceAll("©", "(c)")
    .replaceAll(/[\u2010-\u2015]/gu, "-")
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "");
}

/** Draws lines into a picture, from their left upper corner; pixels outside of it are left out. */
export function drawText(
  { data, widthPx, heightPx }: RgbaImage,
  { lines, dotPx }: TextLines,
  [leftPx, topPx]: readonly [leftPx: number, topPx: number],
  color: readonly [red: number, green: number, blue: number],
): void {
  for (const [row, line] of lines.entries()) {
    for (let place = 0; place < line.length; place++) {
      const glyph = glyphOf(line.charCodeAt(place));
      for (let dot = 0; dot < GLYPH_WIDTH_PX * GLYPH_HEIGHT_PX; dot++) {
        const column = dot % GLYPH_WIDTH_PX;
        const down = Math.floor(dot / GLYPH_WIDTH_PX);
        if (((glyph[column]! >> down) & 1) === 0) continue;
        fillDot(leftPx + (place * ADVANCE_PX + column) * dotPx, topPx + (row * LEADING_PX + down) * dotPx);
      }
    }
  }

  function fillDot(x: number, y: number): void {
    for (let top = Math.max(0, y); top < Math.min(heightPx, y + dotPx); top++) {
      for (let left = Math.max(0, x); left < Math.min(widthPx, x + dotPx); left++) {
        data.set([...color, 255], 4 * (top * widthPx + left));
      }
    }
  }
}
