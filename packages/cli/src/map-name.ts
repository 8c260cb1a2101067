import { didYouMean } from "@swath/kernel/text/did-you-mean";
import type { CommandContext } from "./command-context.ts";
import { serviceUrl } from "./connection.ts";
import { UsageError } from "./exit-code.ts";
import { readMemory, userMemory } from "./memory.ts";
import { userOf } from "./remember.ts";

/** Short name of the latest map. */
export const LAST_MAP = "@last";

/**
 * The map ID that a text means: itself, or a short name of a map that this user released before at the same service.
 * `@last` is the latest map, `@ndvi` the latest of the map type ndvi.
 *
 * @throws {UsageError} for names that are not remembered
 */
export async function resolveMap(context: CommandContext, text: string): Promise<string> {
  if (!text.startsWith("@")) return text;
  const url = await serviceUrl(context);
  const user = await userOf(context, url);
  const { last, maps } = userMemory(await readMemory(context.environment.configFolder), url, user);
  const found = text === LAST_MAP ? last : (maps[text.slice(1)] ?? null);
  if (found !== null) return found;
  if (last === null) {
    const who = user === "" ? "nobody is signed in" : `user ${user}`;
    throw new UsageError(`${text} is the name of a map, and none is remembered for ${url}, ${who}: release one first`);
  }
  const known = [LAST_MAP, ...Object.keys(maps).map((mapType) => `@${mapType}`)];
  throw new UsageError(`no map is remembered as ${text}${didYouMean(text, known)}; remembered: ${known.join(", ")}`);
}
