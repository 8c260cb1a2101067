import { rotateConfiguredKeys } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";

/** `swath keys rotate`: new keys for tokens, map IDs and addresses; earlier ones stay valid until they expire. */
export async function rotateKeys({ output }: CommandContext) {
  const { signFrom } = await rotateConfiguredKeys();
  output.result({ signFrom: signFrom.toISOString() }, [
    `new keys sign from ${signFrom.toISOString()} on; tokens and links of the former keys stay valid until they expire`,
  ]);
}
