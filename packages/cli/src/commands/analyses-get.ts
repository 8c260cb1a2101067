import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { rememberSeen } from "../remember.ts";

/** `swath analyses get`: an analysis and the map types of its frames. */
export async function analysesGet(
  context: CommandContext,
  _options: object,
  [analysisId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const analysis = await client.call("/analytics/analysis/get", { analysisId }, { signal });
  await rememberSeen(context, { analyses: [analysisId] });
  const { analysisFrames, description, path, polygon, version } = analysis;
  output.result(analysis, [
    `${analysis.id}, version ${version}`,
    `  path   ${path}`,
    `  name   ${polygon?.properties?.name ?? ""}`,
    `  about  ${description}`,
    ...analysisFrames.map(
      ({ failedActions, finishedActions, scene, skippedActions }) =>
        `  ${scene.datetime ?? ""} ${scene.sceneId}: ${finishedActions.join(", ")}; ${failedActions.length} failed, ` +
        `${skippedActions.length} skipped`,
    ),
  ]);
}
