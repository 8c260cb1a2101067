import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { serviceUrl } from "../connection.ts";
import { readMemory, userMemory } from "../memory.ts";
import { userOf } from "../remember.ts";
import { complete } from "./complete.ts";

/** Prints the words that may end a command line, one a line with its meaning after a tab. No service is asked. */
export async function printCandidates(
  program: Command,
  context: CommandContext,
  words: readonly string[],
): Promise<void> {
  const url = await serviceUrl(context);
  const memory = await readMemory(context.environment.configFolder);
  const { datasets = [], types = [] } = memory[url] ?? {};
  const known = { datasets, types, ...userMemory(memory, url, await userOf(context, url)) };
  const candidates = complete(program, words, known);
  context.output.result(
    candidates,
    candidates.map(({ value, description }) => `${value}\t${description}`),
  );
}
