import { Option, type Command } from "commander";
import type { BindAction } from "../command-action.ts";
import { collect, names, number, numberOrNone, wholeNumber } from "../option-values.ts";

const LIMIT = ["--limit <count>", "most rows to list", wholeNumber(1, 10_000), 100] as const;

/** Adds `swath admin`: the work of administrators and of managers of groups. */
export function addAdminCommands(program: Command, action: BindAction): void {
  const admin = program.command("admin").description("users, groups, credit, prices and invoices");
  addUsers(admin, action);
  addGroups(admin, action);
  addGrants(admin, action);
  addPrices(admin, action);
  addAccounts(admin, action);
}

function addUsers(admin: Command, action: BindAction): void {
  const users = admin.command("users").description("users of the groups that you look after");
  users
    .command("list")
    .description("users by e-mail")
    .option("--group <group>", "only of this group: id or name")
    .option("--search <text>", "part of name or e-mail")
    .option("--blocked", "only blocked users")
    .option("--no-blocked", "no blocked users")
    .option(...LIMIT)
    .action(action(async () => (await import("./users.ts")).listUsers));
  users
    .command("create")
    .description("make a user of a group; without --user-password the command makes a password and shows it once")
    .argument("<email>", "address of the user")
    .requiredOption("--group <group>", "group of the user: id or name")
    .option("--name <name>", "display name; the part of the address before @ if absent")
    .option("--manager", "the user manages the group")
    .option("--paying-group <group>", "group whose credit pays; the group of the user if absent")
    .option("--user-password <password>", "first password of the user")
    .action(action(async () => (await import("./users.ts")).createUser));
  users
    .command("change")
    .description("change members of a user; all others stay")
    .argument("<user>", "e-mail or id")
    .option("--name <name>", "display name")
    .option("--groups <groups>", "all groups between commas; the user belongs to the first", names)
    .option("--manager-of <groups>", "groups that the user manages, between commas", names)
    .option("--permissions <permissions>", "all extra permissions between commas", names)
    .option("--paying-group <group>", "group whose credit pays: id or name")
    .option("--credit-limit <credits>", "most that the user may spend, or none", numberOrNone)
    .option("--require-mfa", "ask for a second factor")
    .option("--no-require-mfa", "ask for no second factor")
    .action(action(async () => (await import("./users.ts")).changeUser));
  users
    .command("deactivate")
    .description("block a user everywhere; the account stays, so that its records remain attributed")
    .argument("<user>", "e-mail or id")
    .action(action(async () => (await import("./users.ts")).deactivateUser));
  users
    .command("activate")
    .description("end a block")
    .argument("<user>", "e-mail or id")
    .action(action(async () => (await import("./users.ts")).activateUser));
}

function withSettings(command: Command): Command {
  return command
    .option("--permissions <permissions>", "all permissions of the members, between commas", names)
    .option("--tier <tier>", "price list of the group")
    .option("--license-start <time>", "begin of the licence, ISO 8601, or none")
    .option("--license-end <time>", "end of the licence, ISO 8601, or none");
}

function addGroups(admin: Command, action: BindAction): void {
  const groups = admin.command("groups").description("groups: members share permissions, a licence and credit");
  groups
    .command("list")
    .description("groups by name")
    .option(...LIMIT)
    .action(action(async () => (await import("./groups.ts")).listGroupTable));
  withSettings(groups.command("create"))
    .description("make a group, and its organisation when there is none of that name")
    .argument("<name>", "name of the group")
    .requiredOption("--organization <organization>", "organisation of the group: id or name")
    .action(action(async () => (await import("./groups.ts")).createGroup));
  withSettings(groups.command("change"))
    .description("change a group; members that are absent stay")
    .argument("<group>", "id or name")
    .option("--name <name>", "new name")
    .action(action(async () => (await import("./groups.ts")).changeGroup));
  groups
    .command("deactivate")
    .description("end the licence of a group now: it can spend no credit any more")
    .argument("<group>", "id or name")
    .action(action(async () => (await import("./groups.ts")).deactivateGroup));
}

function addGrants(admin: Command, action: BindAction): void {
  const grants = admin.command("grants").description("credit of groups");
  grants
    .command("list")
    .description("grants, newest first")
    .option("--group <group>", "only of this group: id or name")
    .option(...LIMIT)
    .action(action(async () => (await import("./grants.ts")).listGrants));
  grants
    .command("create")
    .description("add credit to a group; a negative amount corrects. A grant is never changed or deleted")
    .argument("<group>", "id or name")
    .argument("<credit>", "amount, such as 1000 or -50")
    .requiredOption("--note <text>", "reason, such as the number of a bill")
    .option("--key <text>", "a repeated key has no second effect")
    .action(action(async () => (await import("./grants.ts")).createGrant));
}

function withSubject(command: Command): Command {
  return command
    .option("--provider <id>", "provider")
    .option("--dataset <name>", "dataset of the provider")
    .option("--type <name>", "map type with a separate price")
    .option("--group <group>", "group that pays: id or name")
    .option("--tier <tier>", "price list of groups");
}

function addPrices(admin: Command, action: BindAction): void {
  const prices = admin.command("prices").description("prices that differ from the prices of the datasets");
  withSubject(prices.command("list"))
    .description("prices that hold now or later")
    .option("--ended", "ended prices too")
    .option(...LIMIT)
    .action(action(async () => (await import("./prices.ts")).listPrices));
  withSubject(prices.command("create"))
    .description("set a price from a moment on, or make an area free")
    .requiredOption("--credits <credits>", "price of a square kilometre; 0 makes it free", number)
    .option("--min-area <km2>", "least charged area of the first allocation of a scene", number)
    .option("--free-area <area>", "the only area that is free: west,south,east,north or a GeoJSON file")
    .option("--from <time>", "begin, UTC; now if absent")
    .option("--until <time>", "end, UTC; open if absent")
    .action(action(async () => (await import("./prices.ts")).createPrice));
  prices
    .command("end")
    .description("end a price; it is kept, so that every charge stays explainable")
    .argument("<id>", "price, from the list")
    .option("--until <time>", "end, UTC; now if absent")
    .action(action(async () => (await import("./prices.ts")).endPrice));
}

function addAccounts(admin: Command, action: BindAction): void {
  admin
    .command("usage")
    .description("the log of credit of a group, newest first")
    .option("--group <group>", "id or name; the paying group of the caller if absent")
    .option("--from <time>", "logged at this time or later, UTC")
    .option("--to <time>", "logged before this time, UTC")
    .option("--csv <file>", "write the whole log to a file instead, oldest first")
    .option(...LIMIT)
    .action(action(async () => (await import("./usage.ts")).usage));
  admin
    .command("invoices")
    .description("invoices of a month (UTC) as CSV and PDF, of all groups that you look after")
    .requiredOption("--month <YYYY-MM>", "calendar month in UTC")
    .option("--group <group>", "only this group: id or name; may be repeated", collect)
    .option("--out <folder>", "folder for the files", "invoices")
    .addOption(
      new Option("--format <format>", "files to write").choices(["csv", "pdf", "both", "none"]).default("both"),
    )
    .option("--limit <count>", "most groups to invoice", wholeNumber(1, 10_000), 1000)
    .action(action(async () => (await import("./invoices.ts")).invoices));
}
