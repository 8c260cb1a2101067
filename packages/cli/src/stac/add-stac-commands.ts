import type { Command } from "commander";
import type { BindAction } from "../command-action.ts";

/** Adds `swath stac`: items of other catalogues. */
export function addStacCommands(program: Command, action: BindAction): void {
  const stac = program.command("stac").description("items of STAC catalogues whose files stay where they are");
  stac
    .command("import")
    .description("register the items of a catalogue: a folder, a JSON document, lines of JSON or STAC-GeoParquet")
    .argument("<sources...>", "catalog.json or its folder, items (.json, .ndjson, .jsonl) or .parquet")
    .option("--dataset <provider/dataset>", "dataset of uploads that the items join", "local/uploads")
    .option("--base <url>", "address of the folder, for relative addresses of files")
    .action(action(async () => (await import("./import-items.ts")).importItems));
}
