import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { resolveMap } from "../map-name.ts";

/** `swath reproduce`: computes a map again and compares its pixels; fails when they differ or cannot be computed. */
export async function reproduce(
  context: CommandContext,
  _options: object,
  [map = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const mapId = await resolveMap(context, map);
  const client = await connect(context);
  const made = await client.run("/mapsvc/reproduce", { mapId }, { signal });
  const { outcome, sha256, expectedSha256, changes } = made;
  output.result(made, [
    `${outcome}: recorded ${expectedSha256}, computed ${sha256 ?? "nothing"}`,
    ...changes.map(({ input, id, expected, got }) =>
      got === null ? `${input} ${id} is gone` : `${input} ${id} is ${got}, the map was made of ${expected}`,
    ),
  ]);
  if (outcome === "equal") return;
  const why = outcome === "different" ? "its pixels differ" : "an input is gone or another one";
  throw new CommandError(`the map cannot be reproduced: ${why}`, EXIT.notReproduced);
}
