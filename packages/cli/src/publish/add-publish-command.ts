import type { Command } from "commander";
import type { BindAction } from "../command-action.ts";
import { wholeNumber } from "../option-values.ts";

/** Adds the command that publishes maps as a folder. */
export function addPublishCommand(program: Command, action: BindAction): void {
  program
    .command("publish")
    .description("write maps with their viewer to a folder that any web server serves, without this service")
    .argument("<what...>", "an analysis ID, or map IDs or their short names; then the folder")
    .option("--title <text>", "title of the page; the name of the analysis if absent")
    .option("--replace", "replace the publication that the folder holds; other files stay")
    .option("--most-megabytes <count>", "most bytes of all maps", wholeNumber(1, 100_000), 1_000)
    .action(action(async () => (await import("./publish.ts")).publish));
}
