import { Option, type Command } from "commander";
import type { BindAction } from "./command-action.ts";
import { collect, number, ratio, wholeNumber } from "./option-values.ts";

/** Adds the commands that read maps. */
export function addMapFileCommands(program: Command, action: BindAction): void {
  program
    .command("export")
    .description("download a whole map as one file; values keep the grid, CRS and pixel size of the scene")
    .argument("<maps...>", "map ID from release; of a pdf several")
    .addOption(
      new Option("--format <format>", "kind of file")
        .choices(["geotiff", "cog", "png", "geojson", "shz", "pdf"])
        .default("geotiff"),
    )
    .addOption(
      new Option(
        "--grid <grid>",
        "native: the pixels of the scene; web: Web Mercator; native for a geotiff and web for a png if absent",
      ).choices(["native", "web"]),
    )
    .option("--zoom <zoom>", "zoom of the web grid; the deepest that fits if absent", wholeNumber(0, 30))
    .option("--file <name>", "grid file, of formats that a map type has several of")
    .option("--out <path>", "file or folder to write to", ".")
    .action(action(async () => (await import("./commands/export.ts")).exportMap));

  program
    .command("point")
    .description("show all values of a map at places")
    .argument("<map>", "map ID from release, or its short name: @last, or @ndvi for the latest of that map type")
    .argument("<places...>", "longitude,latitude in degrees; after -- when one is negative")
    .option("--resolution <metres>", "read averaged pixels up to this size; the pixels of the scene if absent", number)
    .action(action(async () => (await import("./commands/point.ts")).point));

  program
    .command("series")
    .description("statistics of maps over dates where the sky is clear: table, CSV and chart")
    .requiredOption("--area <area>", "west,south,east,north in degrees, or a GeoJSON file")
    .requiredOption("--dataset <provider/dataset>", "dataset to search, may be repeated", collect)
    .option("--types <names>", "map types of values between commas", "ndvi")
    .option("--from <time>", "earliest time of acquisition, UTC")
    .option("--to <time>", "latest time of acquisition, UTC")
    .option("--min-intersection <ratio>", "part of the area that a scene must cover", ratio, 0.99)
    .option("--limit <count>", "most scenes, the newest first", wholeNumber(1, 500), 60)
    .option("--out <folder>", "folder for series.csv, series.svg and series.png", "out")
    .option("--yes", "pay for what has a price; without it the price is said and nothing is done")
    .action(action(async () => (await import("./commands/series.ts")).series));
}
