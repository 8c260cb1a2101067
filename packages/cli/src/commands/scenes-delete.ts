import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import type { OwnedScene } from "../owned-scenes.ts";

/** `swath scenes delete`: one scene after the other; the first that is refused ends it. */
export async function scenesDelete(
  context: CommandContext,
  _options: object,
  sceneIds: readonly string[],
): Promise<void> {
  const scenes = await each(context, "/imagery/scene/delete", sceneIds);
  context.output.result(
    { scenes },
    scenes.map(
      ({ sceneId, restorableUntil }) =>
        `${sceneId} deleted; swath scenes restore ${sceneId} takes it back until ${restorableUntil} UTC`,
    ),
  );
}

/** `swath scenes restore`: takes deletions back. */
export async function scenesRestore(
  context: CommandContext,
  _options: object,
  sceneIds: readonly string[],
): Promise<void> {
  const scenes = await each(context, "/imagery/scene/restore", sceneIds);
  context.output.result(
    { scenes },
    scenes.map(({ sceneId }) => `${sceneId} restored`),
  );
}

async function each(
  context: CommandContext,
  path: "/imagery/scene/delete" | "/imagery/scene/restore",
  sceneIds: readonly string[],
): Promise<readonly OwnedScene[]> {
  const client = await connect(context);
  const scenes: OwnedScene[] = [];
  for (const sceneId of sceneIds) scenes.push(await client.call(path, { sceneId }, { signal: context.signal }));
  return scenes;
}
