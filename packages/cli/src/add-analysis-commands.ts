import type { Command } from "commander";
import type { BindAction } from "./command-action.ts";
import { wholeNumber } from "./option-values.ts";

/** Adds the commands for saved projects. */
export function addAnalysisCommands(program: Command, action: BindAction): void {
  const analyses = program.command("analyses").description("saved projects: list, look at, export, import");
  analyses
    .command("list")
    .description("list those that you may read, newest first")
    .option("--path <expression>", "regular expression (RE2) of the folder, such as ^fields/")
    .option("--limit <count>", "most analyses to list", wholeNumber(1, 5_000), 100)
    .action(action(async () => (await import("./commands/analyses-list.ts")).analysesList));
  analyses
    .command("get")
    .description("show an analysis with the maps of its frames")
    .argument("<analysis>", "analysis ID")
    .action(action(async () => (await import("./commands/analyses-get.ts")).analysesGet));
  analyses
    .command("export")
    .description("download an analysis as a zip: GeoJSON, CSV, PNG, PDF and analysis.json")
    .argument("<analysis>", "analysis ID")
    .option("--out <path>", "file or folder to write to", ".")
    .action(action(async () => (await import("./commands/analyses-export.ts")).analysesExport));
  analyses
    .command("import")
    .description("make an analysis of an exported zip; it belongs to you")
    .argument("<file>", "zip of swath analyses export")
    .action(action(async () => (await import("./commands/analyses-import.ts")).analysesImport));
}
