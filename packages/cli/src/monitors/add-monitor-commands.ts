import type { Command } from "commander";
import type { BindAction } from "../command-action.ts";
import { wholeNumber } from "../option-values.ts";

/** Adds `swath monitors`: areas that are measured with each new scene. */
export function addMonitorCommands(program: Command, action: BindAction): void {
  const monitors = program.command("monitors").description("watched areas: list, create, look at, pause, backfill");
  monitors
    .command("list")
    .description("list your monitors, newest first")
    .option("--limit <count>", "most monitors to list", wholeNumber(1, 1_000), 100)
    .action(action(async () => (await import("./monitors-list.ts")).monitorsList));
  monitors
    .command("create")
    .description("watch areas from now on; creation charges nothing")
    .argument("<file>", "JSON of the monitor, as the request of /monitor/create")
    .action(action(async () => (await import("./monitors-create.ts")).monitorsCreate));
  monitors
    .command("get")
    .description("show a monitor with its spending and latest scenes")
    .argument("<monitor>", "monitor ID")
    .action(action(async () => (await import("./monitors-get.ts")).monitorsGet));
  monitors
    .command("pause")
    .description("pause a monitor, or go on")
    .argument("<monitor>", "monitor ID")
    .option("--resume", "go on instead")
    .action(action(async () => (await import("./monitors-pause.ts")).monitorsPause));
  monitors
    .command("delete")
    .description("delete a monitor and its list of results")
    .argument("<monitor>", "monitor ID")
    .action(action(async () => (await import("./monitors-delete.ts")).monitorsDelete));
  monitors
    .command("backfill")
    .description("show the price of past scenes, and measure them with --yes")
    .argument("<monitor>", "monitor ID")
    .requiredOption("--from <time>", "earliest time of acquisition, UTC")
    .requiredOption("--to <time>", "latest time of acquisition, UTC")
    .option("--yes", "pay the price and measure the scenes")
    .action(action(async () => (await import("./monitors-backfill.ts")).monitorsBackfill));
}
