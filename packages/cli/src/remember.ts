import { createHash } from "node:crypto";
import type { CommandContext } from "./command-context.ts";
import { serviceUrl } from "./connection.ts";
import { rememberForUser, rememberNames, type ServiceMemory } from "./memory.ts";
import { readSettings } from "./settings.ts";
import { tokenClaims } from "./token-claims.ts";

/** The user of a command by e-mail, in the order in which `connect` looks; empty when nobody is named. */
export async function userOf({ connection, environment }: CommandContext, url: string): Promise<string> {
  const token = connection.token ?? (connection.email === undefined ? environment.token : null);
  if (token !== null) {
    const { email, sub } = tokenClaims(token);
    if (typeof email === "string") return email;
    if (typeof sub === "string") return sub;
    // A key says nothing of its owner, and is not to be kept.
    return `key ${createHash("sha256").update(token).digest("hex").slice(0, 12)}`;
  }
  const email = connection.email ?? environment.email;
  if (email !== null) return email;
  return (await readSettings(environment.configFolder)).logins[url]?.email ?? "";
}

/** Keeps maps, scenes, studies and orders for later commands of the same user. */
export async function rememberSeen(
  context: CommandContext,
  seen: Parameters<typeof rememberForUser>[2],
): Promise<void> {
  await harmless(context, async (folder, url) => {
    await rememberForUser(folder, { url, user: await userOf(context, url) }, seen);
  });
}

/** Keeps names of a service for completion. */
export async function rememberListed(
  context: CommandContext,
  names: Partial<Pick<ServiceMemory, "datasets" | "types">>,
): Promise<void> {
  await harmless(context, (folder, url) => rememberNames(folder, url, names));
}

/** A home that cannot be written to fails no command. */
async function harmless(context: CommandContext, work: (folder: string, url: string) => Promise<void>): Promise<void> {
  const url = await serviceUrl(context);
  try {
    await work(context.environment.configFolder, url);
  } catch (error) {
    context.output.note(`not remembered: ${error instanceof Error ? error.message : String(error)}`);
  }
}
