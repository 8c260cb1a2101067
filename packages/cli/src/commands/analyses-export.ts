import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadFile } from "../download-file.ts";

/** `swath analyses export`: makes a zip of an analysis and downloads it. */
export async function analysesExport(
  context: CommandContext,
  { out }: { readonly out: string },
  [analysisId = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const made = await client.run("/analytics/analysis/export", { analysisId }, { signal });
  const path = await downloadFile(made.url, out, signal);
  const { maps, mapsWithoutFiles, size } = made;
  const left = mapsWithoutFiles === 0 ? "" : `, ${mapsWithoutFiles} without files`;
  output.result({ path, size, maps, mapsWithoutFiles }, [`${path}: ${maps} maps${left}`]);
}
