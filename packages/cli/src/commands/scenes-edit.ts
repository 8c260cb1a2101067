import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { parseInstant } from "../instant.ts";
import { ownedSceneLines } from "../owned-scenes.ts";
import { splitList } from "../scene-document.ts";

export interface ScenesEditOptions {
  readonly datetime?: string;
  readonly bands?: string;
  readonly sensor?: string;
  readonly satellite?: string;
  readonly visibility?: "group" | "organization" | "public";
}

/** `swath scenes edit`: corrects the metadata of a scene, and shows it as it is then. */
export async function scenesEdit(
  context: CommandContext,
  options: ScenesEditOptions,
  [sceneId = ""]: readonly string[],
): Promise<void> {
  const { bands, datetime, satellite, sensor, visibility } = options;
  const edit = {
    ...(datetime === undefined ? {} : { datetime: parseInstant(datetime, "--datetime") }),
    ...(bands === undefined ? {} : { bands: [...splitList(bands, "--bands")] }),
    ...(sensor === undefined ? {} : { sensor }),
    ...(satellite === undefined ? {} : { satellite }),
    ...(visibility === undefined ? {} : { visibility }),
  };
  if (Object.keys(edit).length === 0) {
    throw new UsageError("nothing to edit: give --datetime, --bands, --sensor, --satellite or --visibility");
  }
  const client = await connect(context);
  const scene = await client.call("/imagery/scene/edit", { sceneId, ...edit }, { signal: context.signal });
  context.output.result(scene, ownedSceneLines(scene));
}
