import { barText, figureText, verdict, type Figure } from "./figure.ts";

/** All figures as lines of text. */
export function tableOf(figures: readonly Figure[]): string {
  const header = ["map type", "data", "measure", "figure (95 %)", "over", "bar", "met"];
  const rows = figures.map((figure) => [
    figure.mapType,
    figure.data,
    figure.metric,
    figureText(figure),
    figure.over,
    barText(figure.bar),
    { met: "met", "not met": "NOT MET", "no bar": "–", absent: "absent" }[verdict(figure)],
  ]);
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
