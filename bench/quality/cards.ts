import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { MapTypeDescriptor } from "../../packages/maps/src/map-type.ts";
import { MATURITIES, type Maturity } from "../../packages/maps/src/maturity.ts";
import { useOf, type Use } from "./choices.ts";
import { barText, figureText, verdict, type Figure } from "./figure.ts";
import { sourceOf, type Source } from "./sources.ts";

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
  readonly maturity: Maturity;
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

/** A table with columns as wide as their cells. */
function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(escaped));
  const widths = header.map((title, i) => Math.max(title.length, 2, ...cells.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  return [line(header), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...cells.map(line)];
}

const VERDICTS = { met: "met", "not met": "**not met**", "no bar": "", absent: "absent" } as const;

function measuredCells(figure: Figure): readonly string[] {
  return [figure.mapType, figure.data, figure.metric, figureText(figure), figure.over, barText(figure.bar)];
}

interface RealFigure {
  readonly figure: Figure;
  readonly source: Source;
  readonly use: Use;
}

const BY_EVIDENCE: readonly Use["kind"][] = ["held-out", "crossed", "unlabelled", "chosen"];

function useText(use: Use): string {
  if (use.kind === "held-out") return "held out";
  if (use.kind === "crossed") return `cross-validated: ${use.what}`;
  return use.kind === "unlabelled" ? use.why : `chosen here: ${use.what}`;
}

function realTable(figures: readonly RealFigure[]): readonly string[] {
  if (figures.length === 0) return ["No figure of a real scene: **not validated on real imagery**."];
  const sorted = figures.toSorted((a, b) => BY_EVIDENCE.indexOf(a.use.kind) - BY_EVIDENCE.indexOf(b.use.kind));
  return tableLines(
    ["Map type", "Data", "Measure", "Figure (95 %)", "n", "Bar", "", "Use", "Place", "Date", "Licence"],
    sorted.map(({ figure, source, use }) => [
      ...measuredCells(figure),
      // A bar says nothing on a scene that has chosen the limits.
      use.kind === "chosen" ? "not held out" : VERDICTS[verdict(figure)],
      useText(use),
      source.place,
      source.date,
      source.licence,
    ]),
  );
}

function simulatedTable(figures: readonly Figure[]): readonly string[] {
  if (figures.length === 0) return ["No figure of a simulated scene."];
  return tableLines(
    ["Map type", "Data", "Measure", "Figure (95 %)", "n", "Bar", ""],
    figures.map((figure) => [...measuredCells(figure), VERDICTS[verdict(figure)]]),
  );
}

function gradeText({ name, maturity }: Page): string {
  if (name === "index") {
    return `Maturity: **validated** where the scenes below have the bands: ${MATURITIES.validated} Others are **self-tested**.`;
  }
  return `Maturity: **${maturity}**. ${MATURITIES[maturity]}`;
}

/** The generated section of a page: real scenes before simulated ones. */
export function qualitySection(page: Page, figures: readonly Figure[]): string {
  const real: RealFigure[] = [];
  const simulated: Figure[] = [];
  for (const figure of figures) {
    const source = sourceOf(figure.data);
    if (source === null) simulated.push(figure);
    else real.push({ figure, source, use: useOf(figure.page, figure.data, source.place) });
  }
  const notes = figures.flatMap(({ note, data, metric }) =>
    note === undefined ? [] : [`- ${data}, ${metric}: ${note}`],
  );
  return [
    BEGIN,
    "",
    gradeText(page),
    "",
    "### Real scenes",
    "",
    ...realTable(real),
    "",
    "### Self-test on simulated scenes",
    "",
    ...simulatedTable(simulated),
    ...(notes.length === 0 ? [] : ["", "### Notes", "", ...notes]),
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
