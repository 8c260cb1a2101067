import { openAsBlob } from "node:fs";
import { extname } from "node:path";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { UsageError } from "../exit-code.ts";
import { rememberSeen } from "../remember.ts";

/** `swath analyses import`: uploads an exported zip and makes an analysis of it. */
export async function analysesImport(
  context: CommandContext,
  _options: object,
  [file = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  if (extname(file).toLowerCase() !== ".zip") throw new UsageError(`${file} is no .zip of swath analyses export`);
  const content = await openAsBlob(file);
  const client = await connect(context);
  const { filepath } = await client.sendFile(content, { filename: "analysis", uploadSuffix: ".zip", signal });
  const made = await client.run("/analytics/analysis/import", { filepath }, { signal });
  await rememberSeen(context, { analyses: [made.analysisId] });
  output.result(made, [
    made.analysisId,
    ...made.unknownScenes.map((sceneId) => `  scene ${sceneId} is not known here`),
    ...(made.unknownMaps === 0 ? [] : [`  ${made.unknownMaps} maps are of another service: add their types again`]),
  ]);
}
