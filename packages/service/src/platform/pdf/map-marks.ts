import { INK, text, type Pdf } from "./page.ts";
import { chooseScaleM } from "./scale.ts";

export function drawNorth(pdf: Pdf, x: number, y: number): void {
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
export function drawScaleBar(pdf: Pdf, x: number, y: number, metresPerPoint: number, longest: number): void {
  const lengthM = chooseScaleM(longest * metresPerPoint);
  const length = lengthM / metresPerPoint;
  pdf.rect(x, y, length / 2, 4).fillAndStroke(INK, INK);
  pdf.rect(x + length / 2, y, length / 2, 4).fillAndStroke("#ffffff", INK);
  const label = lengthM >= 1000 ? `${lengthM / 1000} km` : `${lengthM} m`;
  text(pdf, label, x + length + 4, y - 3, { size: 7.5, width: 80 });
}
