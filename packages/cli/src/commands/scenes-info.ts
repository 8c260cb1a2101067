import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { listOwnedScenes, ownedSceneLines } from "../owned-scenes.ts";

/** `swath scenes info`: a scene of the group, deleted or not, or else any scene that the user sees. */
export async function scenesInfo(
  context: CommandContext,
  _options: object,
  [sceneId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const owned = await listOwnedScenes(client, { sceneId, limit: 1 }, signal);
  const [own] = owned.results;
  if (own !== undefined) {
    output.result(own, ownedSceneLines(own));
    return;
  }
  const scene = await client.call("/imagery/scene-info", { sceneId }, { signal });
  const cloud = scene.cloudCover === undefined ? "" : `, ${Math.round(scene.cloudCover * 100)}% cloud`;
  output.result(scene, [
    scene.sceneId,
    `  ${scene.provider} ${scene.dataset}, ${scene.satellite}`,
    `  time   ${scene.datetime} UTC${cloud}`,
    `  place  ${scene.areaKm2.toFixed(2)} km2, ${scene.crsEpsg === 0 ? "user-defined CRS" : `EPSG:${scene.crsEpsg}`}`,
    `  bands  ${scene.bands.map(({ names: [name = "?"] }) => name).join(", ")}`,
  ]);
}
