import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { MapTypeDescriptor } from "../../packages/maps/src/map-type.ts";
import { MATURITIES, type Maturity } from "../../packages/maps/src/maturity.ts";
import { barText, figureText, verdict, type Figure } from "./figure.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "map-types");
const BEGIN = "<!-- quality:begin -->";
const END = "<!-- quality:end -->";

/** A page of docs/map-types, with the facts that it states beside the figures. */
export interface Page {
  /** Without suffix. */
  readonly name: string;
  /** Folder of packages/maps/src/types that holds the map types of the page. */
  readonly folder: string;
  readonly measuredBy: readonly string[];
  readonly maturity?: Maturity | undefined;
}

/** The page of a map type; all indices of the catalogue share one. */
export function pageOf({ id, measuredBy, maturity }: MapTypeDescriptor): Page {
  const isIndex = Object.hasOwn(SPECTRAL_INDICES, id);
  return { name: isIndex ? "index" : id, folder: isIndex ? "spectral-index" : id, measuredBy, maturity };
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|");
}

/** Where the code of a page and of its measurements is. */
function sourcesOf({ folder, measuredBy }: Page): string {
  const suites = measuredBy.map((suite) => `[${suite}](../../bench/quality/suites/${suite}.ts)`);
  const measured = suites.length === 0 ? "" : ` Measured by: ${suites.join(", ")}.`;
  return `Code: [${folder}](../../packages/maps/src/types/${folder}/).${measured}`;
}

/** The generated section of a page. */
export function qualitySection(page: Page, figures: readonly Figure[]): string {
  const header = ["Map type", "Data", "Measure", "Figure (95 %)", "Over", "Bar", ""];
  const rows = figures.map((figure) =>
    [
      figure.mapType,
      figure.data,
      figure.metric,
      figureText(figure),
      figure.over,
      barText(figure.bar),
      { met: "met", "not met": "**not met**", "no bar": "", absent: "absent" }[verdict(figure)],
    ].map(escaped),
  );
  const widths = header.map((title, i) => Math.max(title.length, 2, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const notes = figures.flatMap(({ note, data, metric }) =>
    note === undefined ? [] : [`- ${data}, ${metric}: ${note}`],
  );
  return [
    BEGIN,
    "",
    ...(page.maturity === undefined ? [] : [`Maturity: **${page.maturity}**. ${MATURITIES[page.maturity]}`, ""]),
    line(header),
    `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`,
    ...rows.map(line),
    ...(notes.length === 0 ? [] : ["", ...notes]),
    "",
    sourcesOf(page),
    "",
    END,
  ].join("\n");
}

/** What a page holds between its markers, null when it has none or is not there. */
export function writtenSection(page: string): string | null {
  const path = join(FOLDER, `${page}.md`);
  if (!existsSync(path)) return null;
  const text = readFileSync(path, "utf8");
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  return from < 0 || to < from ? null : text.slice(from, to + END.length);
}

/** Whether the page is there and has the markers. */
export function writeSection(page: Page, figures: readonly Figure[]): boolean {
  const written = writtenSection(page.name);
  if (written === null) return false;
  const path = join(FOLDER, `${page.name}.md`);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(written, () => qualitySection(page, figures)),
  );
  return true;
}
