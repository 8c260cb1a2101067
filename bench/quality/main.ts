/**
 * `npm run quality` measures every map type on simulated ground truth and on the labelled samples and prints a table: a
 * row per map type and data set. It fails when a bar that was met is met no longer, when a card in docs/map-types is
 * missing, or when a card says something else than what was measured.
 *
 * --write    writes figures.json and the cards
 * --long     also measures what takes minutes
 * --only a,b measures these suites; the others show their last figures
 * --cards    measures nothing: compares the cards with figures.json
 * --gallery  draws docs/gallery.md instead
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createMapTypes } from "../../packages/maps/src/registry.ts";
import { pageOf, qualitySection, writeSection, writtenSection, type Page } from "./cards.ts";
import { runCheckTool } from "../../scripts/extras.ts";
import { agrees, figureText, keyOf, verdict, type Figure } from "./figure.ts";
import { openQualityBench } from "./quality-bench.ts";
import { SUITES } from "./suites.ts";
import { tableOf } from "./table.ts";

const mapTypes = createMapTypes([]);

interface Measured {
  readonly suite: string;
  readonly figures: readonly Figure[];
}

const FIGURES = join(import.meta.dirname, "figures.json");

const { values: options } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    only: { type: "string" },
    cards: { type: "boolean", default: false },
    gallery: { type: "boolean", default: false },
  },
});

/** Replaces the figures of these suites; others may have been measured meanwhile. */
function keep(measured: readonly Measured[]): readonly Measured[] {
  const before = lastFigures();
  const merged = SUITES.map(({ name }) => {
    const none: Measured = { suite: name, figures: [] };
    return measured.find(({ suite }) => suite === name) ?? before.find(({ suite }) => suite === name) ?? none;
  });
  writeFileSync(FIGURES, `${JSON.stringify(merged, null, 2)}\n`);
  return merged;
}

function lastFigures(): readonly Measured[] {
  return existsSync(FIGURES) ? (JSON.parse(readFileSync(FIGURES, "utf8")) as readonly Measured[]) : [];
}

/** Figures that cannot be measured here, because samples or tools are absent, stay as they were measured last. */
function withLast(figures: readonly Figure[], last: readonly Figure[]): readonly Figure[] {
  return figures.map((figure) =>
    figure.value === null ? (last.find((one) => keyOf(one) === keyOf(figure) && one.value !== null) ?? figure) : figure,
  );
}

async function measure(last: readonly Measured[]): Promise<readonly Measured[]> {
  const only = options.only?.split(",");
  const unknown = only?.filter((name) => !SUITES.some((suite) => suite.name === name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(
      `there is no suite ${unknown.join(", ")}; expected some of ${SUITES.map(({ name }) => name).join(", ")}`,
    );
  }
  const wanted = SUITES.filter(
    ({ name, isLong }) => !options.cards && (only?.includes(name) ?? (options.long || isLong !== true)),
  );
  await using bench = wanted.length === 0 ? null : await openQualityBench();
  const measured: Measured[] = [];
  for (const suite of SUITES) {
    const before = last.find((one) => one.suite === suite.name)?.figures ?? [];
    if (bench === null || !wanted.includes(suite)) {
      measured.push({ suite: suite.name, figures: before });
      continue;
    }
    const startedMs = performance.now();
    const run = await suite.measure();
    const figures = withLast(await run(bench), before);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
    process.stderr.write(`${suite.name}: ${figures.length} figures in ${seconds} s\n`);
    measured.push({ suite: suite.name, figures });
    // What took minutes is kept even if a later suite fails.
    if (options.write) keep([{ suite: suite.name, figures }]);
  }
  return measured;
}

/** Tables are aligned by the formatter. */
function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "").replaceAll(/-{2,}/g, "-");
}

function byPage(figures: readonly Figure[]): readonly (readonly [Page, readonly Figure[]])[] {
  const pages = new Map(mapTypes.all.map(pageOf).map((page) => [page.name, page]));
  const unknown = figures.find((figure) => !pages.has(figure.page));
  if (unknown !== undefined) throw new Error(`${keyOf(unknown)} is of no page of a map type`);
  return [...pages.values()].map((page) => [page, figures.filter((figure) => figure.page === page.name)]);
}

function complaints(before: readonly Figure[], now: readonly Figure[]): readonly string[] {
  const found: string[] = [];
  for (const figure of now) {
    const last = before.find((one) => keyOf(one) === keyOf(figure));
    if (last === undefined) found.push(`${keyOf(figure)} is new: ${figureText(figure)}`);
    else if (!agrees(figure, last))
      found.push(`${keyOf(figure)} is ${figureText(figure)}, the card says ${figureText(last)}`);
  }
  for (const [page, figures] of byPage(before)) {
    const written = writtenSection(page.name);
    const path = `docs/map-types/${page.name}.md`;
    if (written === null) found.push(`${path} is missing or has no quality section`);
    else if (withoutSpace(written) !== withoutSpace(qualitySection(page, figures)))
      found.push(`${path} is not what figures.json says`);
    if (figures.length === 0) found.push(`${path} has no figure`);
  }
  return found;
}

if (options.gallery) {
  const { drawGallery } = await import("./draw-gallery.ts");
  await drawGallery();
  process.exit(0);
}
const last = lastFigures();
const measured = await measure(last);
const figures = measured.flatMap((one) => one.figures);
process.stdout.write(`${tableOf(figures)}\n`);
const counted = figures.map(verdict);
const count = (what: string): number => counted.filter((one) => one === what).length;
process.stdout.write(`${count("met")} bars met, ${count("not met")} not met, ${count("absent")} absent\n`);
if (options.write) {
  const kept = keep([]).flatMap((one) => one.figures);
  const missing = [...byPage(kept)].filter(([page, ofPage]) => !writeSection(page, ofPage));
  for (const [page] of missing)
    process.stderr.write(`docs/map-types/${page.name}.md is missing or has no quality section\n`);
  // What is generated is formatted like everything else.
  runCheckTool("oxfmt", ["bench/quality/figures.json", "docs/map-types"]);
  process.exit(missing.length === 0 ? 0 : 1);
}
const found = complaints(
  last.flatMap((one) => one.figures),
  figures,
);
for (const complaint of found) process.stderr.write(`stale: ${complaint}\n`);
process.exit(found.length === 0 ? 0 : 1);
