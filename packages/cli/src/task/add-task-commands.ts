import { ORDER_STATUSES } from "@swath/kernel/tasking/order-status";
import { Option, type Command } from "commander";
import type { BindAction } from "../command-action.ts";
import { collect, number, ratio, wholeNumber } from "../option-values.ts";
import { PRIORITIES } from "./order-options.ts";

const LIMIT = ["--limit <count>", "most rows to list", wholeNumber(1, 10_000), 100] as const;

/** Adds `swath task`: captures to order. */
export function addTaskCommands(program: Command, action: BindAction): void {
  const task = program.command("task").description("order captures: studies, orders, contracts, orbits");
  addOrders(task, action);
  addContracts(task, action);
  addElements(task, action);
}

function withOrderOptions(command: Command): Command {
  return command
    .option("--dataset <name>", "dataset that takes orders: its name or provider/dataset")
    .option("--place <lon,lat>", "place to capture, degrees")
    .option("--area <area>", "area to capture: west,south,east,north or a GeoJSON file with one polygon")
    .option("--name <name>", "name of the order")
    .option("--from <time>", "captures begin at this time or later, UTC")
    .option("--to <time>", "captures end at this time or earlier, UTC")
    .addOption(new Option("--priority <priority>", "priority of the dataset").choices([...PRIORITIES]))
    .option("--max-clouds <share>", "clouds of a capture that fulfils the order, 0 to 1; optical datasets only", ratio)
    .option("--contract <id>", "contract of the order; the default contract of your group if absent")
    .option("--product <type>", "product to ingest, may be repeated", collect)
    .option("--eula <name>", "licence to accept, where the contract lists licences")
    .option("--sla <name>", "promised time of delivery")
    .option("--project <name>", "project that the order belongs to")
    .option("--analysis <id>", "analysis that the order belongs to");
}

function addOrders(task: Command, action: BindAction): void {
  withOrderOptions(task.command("feasibility"))
    .description("find windows for a capture with prices, and draw them")
    .option("--out <file>", "PNG of ground tracks and strips", "out/windows.png")
    .option("--no-picture", "draw nothing")
    .option("--draw <count>", "windows in the picture", wholeNumber(1, 16), 8)
    .action(action(async () => (await import("./feasibility.ts")).feasibility));
  withOrderOptions(task.command("order"))
    .description("order a window of the latest study, or any window with the options of its study")
    .argument("<window>", "window: @1, @2 … of the latest study, or a window ID")
    .option("--check", "show the price and order nothing")
    .option("--most <credits>", "order only up to this price", number)
    .action(action(async () => (await import("./order.ts")).order));
  task
    .command("orders")
    .description("list orders, newest first")
    .addOption(new Option("--status <status>", "only orders in this state").choices([...ORDER_STATUSES]))
    .option("--dataset <name>", "only orders of this dataset")
    .option(...LIMIT)
    .action(action(async () => (await import("./orders.ts")).orders));
  task
    .command("watch")
    .description("follow an order until its scene is there; an interrupt ends the watching, the order goes on")
    .argument("<order>", "order ID, or @last")
    .option("--every <seconds>", "seconds between questions", wholeNumber(1, 3600), 5)
    .action(action(async () => (await import("./watch.ts")).watch));
  task
    .command("cancel")
    .description("cancel an order; the contract may keep a part of the price")
    .argument("<order>", "order ID, or @last")
    .action(action(async () => (await import("./cancel.ts")).cancel));
}

function addContracts(task: Command, action: BindAction): void {
  const contracts = task.command("contracts").description("contracts with providers");
  contracts
    .command("list")
    .description("contracts that you can order under")
    .option("--provider <id>", "only contracts with this provider")
    .option("--all", "stored contracts of every group; for administrators")
    .action(action(async () => (await import("./contracts.ts")).listContracts));
  contracts
    .command("set")
    .description("add a contract or replace the one of the same ID; for administrators")
    .argument("<file>", "JSON of the contract, as contracts list --json prints it")
    .option("--group <group>", "group of the contract: id or name; the group of the file if absent")
    .action(action(async () => (await import("./contracts.ts")).setContract));
  contracts
    .command("delete")
    .description("delete a contract; orders keep the terms that they were placed under; for administrators")
    .argument("<contract>", "contract ID")
    .action(action(async () => (await import("./contracts.ts")).deleteContract));
}

function addElements(task: Command, action: BindAction): void {
  const elements = task.command("elements").description("orbits of satellites; for administrators");
  elements
    .command("list")
    .description("newest elements of each satellite and their age")
    .option(...LIMIT)
    .action(action(async () => (await import("./elements.ts")).listElements));
  elements
    .command("import")
    .description("import two-line elements or orbit mean-elements messages (JSON, XML, KVN)")
    .argument("<files...>", "files of elements")
    .action(action(async () => (await import("./elements.ts")).importElements));
}
