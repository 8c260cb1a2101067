import assert from "node:assert/strict";
import { test } from "node:test";
import type { RgbaImage } from "../image.ts";
import { drawText, textHeightPx, wrapText } from "./draw-text.ts";

function blank(widthPx: number, heightPx: number): RgbaImage {
  return { data: new Uint8Array(4 * widthPx * heightPx), widthPx, heightPx };
}

/** The picture as rows of marks. */
function marks({ data, widthPx, heightPx }: RgbaImage): string {
  return Array.from({ length: heightPx }, (_, row) =>
    Array.from({ length: widthPx }, (_pixel, column) =>
      data[4 * (row * widthPx + column) + 3] === 0 ? "." : "#",
    ).join(""),
  ).join("\n");
}

test("characters are drawn dot by dot", () => {
  const image = blank(11, 7);
  drawText(image, { lines: ["17"], dotPx: 1 }, [0, 0], [255, 0, 0]);
  assert.equal(
    marks(image),
    ["..#...#####", ".##.......#", "..#......#.", "..#.....#..", "..#....#...", "..#....#...", ".###...#..."].join(
      "\n",
    ),
  );
  assert.deepEqual([...image.data.subarray(8, 12)], [255, 0, 0, 255]);
});

test("text outside of the picture is left out", () => {
  const image = blank(3, 3);
  drawText(image, { lines: ["88888888", "8"], dotPx: 3 }, [-20, -20], [1, 2, 3]);
  assert.equal(image.data.length, 36);
});

test("lines break at spaces, and words that are too long are cut", () => {
  const width = 10 * 6;
  assert.deepEqual(wrapText("no image between 2024-03-05 and then", 1, width).lines, [
    "no image",
    "between",
    "2024-03-05",
    "and then",
  ]);
  assert.deepEqual(wrapText("2024-03-05T10:00", 1, width).lines, ["2024-03-05"]);
  assert.equal(textHeightPx(wrapText("one two three four", 2, width)), 80);
});

test("letters lose their accents, and the sign of copyright has letters", () => {
  assert.deepEqual(wrapText("© Données – Ñ", 1, 600).lines, ["(c) Donnees - N"]);
});
