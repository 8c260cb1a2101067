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
        .choices(["geotiff", "cog", "png", "geojson", "shz", "pdf", "pmtiles", "gpkg", "geoparquet"])
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

  addReproduce(program, action);

  program
    .command("timelapse")
    .description("make an animation of maps over time, with dates and gaps drawn in")
    .argument("[maps...]", "map IDs from release, of one map type; otherwise --area and --dataset")
    .option("--area <area>", "west,south,east,north in degrees, or a GeoJSON file: releases maps of its scenes")
    .option("--dataset <provider/dataset>", "dataset to search, may be repeated", collect, [])
    .option("--type <name>", "map type of --area", "imagery")
    .option("--from <time>", "earliest time of acquisition, UTC")
    .option("--to <time>", "latest time of acquisition, UTC")
    .option("--min-intersection <ratio>", "part of the area that a scene must cover", ratio, 0.9)
    .option("--limit <count>", "most scenes, the newest first", wholeNumber(1, 200), 100)
    .option("--max-cloud <ratio>", "leave out scenes with a larger share of cloud", ratio, 1)
    .option("--gap-days <days>", "a longer time without an image is a frame that says so", number, 30)
    .option("--side <pixels>", "longer side of the area", wholeNumber(64, 1024), 512)
    .option("--frame-ms <milliseconds>", "duration of a frame", wholeNumber(50, 10_000), 700)
    .requiredOption("--out <path>", "file to write, whose name ends with .webp or .gif")
    .option("--yes", "pay for what has a price; without it the price is said and nothing is done")
    .action(action(async () => (await import("./commands/timelapse.ts")).timelapse));

  program
    .command("stats")
    .description("statistics of areas over scenes: mean, deviation, classes in km2, objects")
    .requiredOption("--area <area>", "west,south,east,north in degrees, or a GeoJSON file; each feature is an area")
    .option("--scenes <scenes...>", "scenes to count")
    .option("--dataset <provider/dataset>", "dataset whose scenes count, may be repeated", collect)
    .option("--types <names>", "map types between commas", "ndvi")
    .option("--from <time>", "earliest time of acquisition, UTC")
    .option("--to <time>", "latest time of acquisition, UTC")
    .option("--min-intersection <ratio>", "part of all areas that a scene must cover", ratio, 0)
    .option("--max-cloud <ratio>", "highest part of a scene under cloud", ratio)
    .option("--limit <count>", "most scenes, the newest first", wholeNumber(1, 500), 60)
    .option("--resolution <metres>", "read averaged pixels up to this size; the pixels of the scene if absent", number)
    .option("--csv <file>", "file for all figures")
    .option("--yes", "pay for what has a price; without it the price is said and nothing is done")
    .action(action(async () => (await import("./commands/stats.ts")).stats));

  program
    .command("series")
    .description("statistics of maps over dates where the sky is clear: table, CSV and chart")
    .requiredOption("--area <area>", "west,south,east,north in degrees, or a GeoJSON file")
    .requiredOption("--dataset <provider/dataset>", "dataset to search, may be repeated", collect)
    .option("--types <names>", "map types of values between commas", "ndvi")
    .option("--from <time>", "earliest time of acquisition, UTC")
    .option("--to <time>", "latest time of acquisition, UTC")
    .option("--min-intersection <ratio>", "part of the area that a scene must cover", ratio, 0.99)
    .option("--max-cloud <ratio>", "highest part of a scene under cloud", ratio)
    .option("--limit <count>", "most scenes, the newest first", wholeNumber(1, 500), 60)
    .option("--out <folder>", "folder for series.csv, series.svg and series.png", "out")
    .option("--yes", "pay for what has a price; without it the price is said and nothing is done")
    .action(action(async () => (await import("./commands/series.ts")).series));
}

function addReproduce(program: Command, action: BindAction): void {
  program
    .command("reproduce")
    .description("compute a map again from its recorded inputs and compare the pixels; exit 7 when they are not equal")
    .argument("<map>", "map ID from release, or its short name")
    .action(action(async () => (await import("./commands/reproduce.ts")).reproduce));
}
