import { randomBytes } from "node:crypto";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { findGroup } from "./find-group.ts";
import { findUserId } from "./find-user.ts";
import { readPages } from "./pages.ts";
import { showRows } from "./show-table.ts";

export interface ListUsersOptions {
  readonly group?: string;
  readonly search?: string;
  readonly blocked?: boolean;
  readonly limit: number;
}

/** `swath admin users list`. */
export async function listUsers(context: CommandContext, options: ListUsersOptions): Promise<void> {
  const { signal } = context;
  const client = await connect(context);
  const { group, search, blocked, limit } = options;
  const filter = {
    ...(group === undefined ? {} : { groupId: (await findGroup(client, group, signal)).id }),
    ...(search === undefined ? {} : { search }),
    ...(blocked === undefined ? {} : { blocked }),
  };
  const rows = await readPages(limit, (page) => client.call("/user/list", { ...filter, ...page }, { signal }));
  showRows(
    context,
    rows,
    {
      email: ({ email }) => email,
      name: ({ name }) => name,
      id: ({ id }) => id,
      group: ({ groups }) => groups[0],
      state: ({ blocked: isBlocked }) => (isBlocked ? "blocked" : "active"),
      "last login": ({ lastLogin }) => lastLogin,
    },
    Object.keys(filter).length === 0
      ? "no user: you look after no group with users"
      : "no user fits --group, --search and --blocked",
  );
}

export interface CreateUserOptions {
  readonly group: string;
  readonly name?: string;
  readonly manager?: boolean;
  readonly payingGroup?: string;
  readonly userPassword?: string;
}

/** `swath admin users create`: without a password it makes one and shows it once. */
export async function createUser(
  context: CommandContext,
  options: CreateUserOptions,
  [email = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const password = options.userPassword ?? randomBytes(15).toString("base64url");
  const group = await findGroup(client, options.group, signal);
  const payer = options.payingGroup === undefined ? null : await findGroup(client, options.payingGroup, signal);
  const user = await client.call(
    "/user/organization/create-user",
    {
      email,
      password,
      name: options.name ?? email.replace(/@.*/, ""),
      groupId: group.id,
      isManager: options.manager === true,
      ...(payer === null ? {} : { accounting: payer.id }),
    },
    { signal },
  );
  const shown = options.userPassword === undefined ? { password } : {};
  output.result({ ...user, ...shown }, [
    `${user.email} is a user of ${group.name}, id ${user.id}`,
    ...(options.userPassword === undefined ? [`the password is ${password} (shown once)`] : []),
  ]);
}

export interface ChangeUserOptions {
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly managerOf?: readonly string[];
  readonly permissions?: readonly string[];
  readonly payingGroup?: string;
  readonly requireMfa?: boolean;
  readonly creditLimit?: number | null;
}

/** `swath admin users change`: members of the user, and the limit of its spending. */
export async function changeUser(
  context: CommandContext,
  options: ChangeUserOptions,
  [idOrEmail = ""]: readonly string[],
): Promise<void> {
  const { signal } = context;
  const { name, permissions, requireMfa, creditLimit } = options;
  const client = await connect(context);
  const groupIds = async (names: readonly string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const one of names) ids.push((await findGroup(client, one, signal)).id);
    return ids;
  };
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(options.groups === undefined ? {} : { groups: await groupIds(options.groups) }),
    ...(options.managerOf === undefined ? {} : { managerOf: await groupIds(options.managerOf) }),
    ...(permissions === undefined ? {} : { extraPermissions: permissions }),
    ...(options.payingGroup === undefined
      ? {}
      : { accounting: (await findGroup(client, options.payingGroup, signal)).id }),
    ...(requireMfa === undefined ? {} : { requireMfa }),
  };
  if (Object.keys(set).length === 0 && creditLimit === undefined) {
    throw new UsageError("nothing to change: give --name, --groups, --permissions, --credit-limit or another option");
  }
  const userId = await findUserId(client, idOrEmail, signal);
  if (creditLimit !== undefined) {
    await client.call("/credits/user/set-credit-limit", { userId, creditLimit }, { signal });
  }
  // The limit alone changes no member of the user; an empty set then returns the user as it is.
  const user = await client.call("/user/manage", { userId, set }, { signal });
  context.output.result({ ...user, ...(creditLimit === undefined ? {} : { creditLimit }) }, [
    `${user.email} is changed`,
  ]);
}

/** `swath admin users deactivate`: the account stays, so that its records remain attributed. */
export function deactivateUser(context: CommandContext, _options: object, args: readonly string[]): Promise<void> {
  return setBlocked(context, args, true);
}

/** `swath admin users activate`. */
export function activateUser(context: CommandContext, _options: object, args: readonly string[]): Promise<void> {
  return setBlocked(context, args, false);
}

async function setBlocked(
  context: CommandContext,
  [idOrEmail = ""]: readonly string[],
  blocked: boolean,
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const userId = await findUserId(client, idOrEmail, signal);
  const user = await client.call("/user/manage", { userId, set: { blocked } }, { signal });
  output.result(user, [`${user.email} is ${user.blocked ? "blocked" : "active"}`]);
}
