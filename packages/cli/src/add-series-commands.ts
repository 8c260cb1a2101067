import { Option, type Command } from "commander";
import { EVENT_TYPES } from "@swath/kernel/events/event-type";
import type { BindAction } from "./command-action.ts";
import { collect, wholeNumber } from "./option-values.ts";

const INTERVALS = ["day", "week", "month"];
const STATISTICS = ["mean", "median", "min", "max", "sum", "count"];

/** Adds the commands for the datacube and for events. */
export function addSeriesCommands(program: Command, action: BindAction): void {
  addDatacubeCommands(program, action);
  addEventCommands(program, action);
}

function addDatacubeCommands(program: Command, action: BindAction): void {
  const datacube = program.command("datacube").description("numbers of areas over time: list, read, export");
  datacube
    .command("list")
    .description("list the series that you may read")
    .option("--project <project>", "series of this project")
    .option("--algorithm <name>", "series of this algorithm")
    .option("--limit <count>", "most series to list", wholeNumber(1, 10_000), 100)
    .action(action(async () => (await import("./commands/datacube-list.ts")).datacubeList));
  selecting(
    datacube
      .command("series")
      .description("show the datapoints of a project")
      .argument("<project>", "project of the datacube"),
  )
    .option("--chart <file.svg>", "also draw the datapoints, up to 5 lines")
    .option("--limit <count>", "most datapoints to show", wholeNumber(1, 2_000), 100)
    .action(action(async () => (await import("./commands/datacube-series.ts")).datacubeSeries));
  selecting(
    datacube
      .command("export")
      .description("download all datapoints of a selection as CSV or Parquet")
      .argument("<project>", "project of the datacube"),
  )
    .requiredOption("--out <file>", "file to write, .csv or .parquet")
    .action(action(async () => (await import("./commands/datacube-export.ts")).datacubeExport));
}

/** Options that choose datapoints. */
function selecting(command: Command): Command {
  return command
    .option("--algorithm <name>", "datapoints of this algorithm, may be repeated", collect)
    .option("--source <name>", "datapoints of this source, may be repeated", collect)
    .option("--area <id>", "datapoints of this area of the project, may be repeated", collect)
    .option("--from <time>", "datapoints that do not end before, UTC")
    .option("--to <time>", "datapoints that do not start after, UTC")
    .option("--versions <which>", "latest, all, or one version", "latest")
    .option("--as-of <time>", "as the service would have answered at that time, UTC")
    .addOption(new Option("--interval <interval>", "join the datapoints of each interval").choices(INTERVALS))
    .addOption(new Option("--statistic <name>", "how --interval joins them; mean if absent").choices(STATISTICS))
    .option("--all-areas", "join the datapoints of all areas too, with --interval");
}

function addEventCommands(program: Command, action: BindAction): void {
  const events = program.command("events").description("events of you and your group: list, follow");
  choosing(events.command("list").description("list events, oldest first"))
    .option("--limit <count>", "most events to list", wholeNumber(1, 10_000), 100)
    .action(action(async () => (await import("./commands/events-list.ts")).eventsList));
  choosing(events.command("follow").description("show events as they happen, until interrupted; --json: a line each"))
    .option("--limit <count>", "end after this many events", wholeNumber(1, 1_000_000))
    .action(action(async () => (await import("./commands/events-follow.ts")).eventsFollow));
}

/** Options that choose events. */
function choosing(command: Command): Command {
  return command
    .addOption(new Option("--type <type...>", "events of these types").choices(EVENT_TYPES))
    .option("--subject <subject>", "events of this subject, such as order:ID")
    .option("--after <position>", "events behind this position", wholeNumber(0, Number.MAX_SAFE_INTEGER));
}
