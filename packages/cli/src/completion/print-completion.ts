import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CommandContext } from "../command-context.ts";

/** `swath completion`: the script of a shell, which asks this program for the words that may follow. */
export async function printCompletion(
  { output }: CommandContext,
  _options: object,
  [shell = ""]: readonly string[],
): Promise<void> {
  const script = await readFile(join(import.meta.dirname, `swath.${shell}`), "utf8");
  output.result({ shell, script }, script.trimEnd().split("\n"));
}
