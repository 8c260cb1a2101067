import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { downloadFile } from "../download-file.ts";
import { UsageError } from "../exit-code.ts";
import { selectedPoints, type SelectionOptions } from "../series/selected-points.ts";

/** `swath datacube export`: makes a file of datapoints and downloads it. */
export async function datacubeExport(
  context: CommandContext,
  { out, ...options }: SelectionOptions & { readonly out: string },
  [project = ""]: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const isParquet = out.endsWith(".parquet");
  if (!isParquet && !out.endsWith(".csv")) throw new UsageError(`--out is "${out}", expected a .csv or .parquet file`);
  const request = selectedPoints(project, options);
  const client = await connect(context);
  const { asOf, count, csvLink, parquetLink, ...sizes } = await client.run("/datacube/datapoints/get", request, {
    signal,
  });
  const path = await downloadFile(isParquet ? parquetLink : csvLink, out, signal);
  const size = isParquet ? sizes.parquetSize : sizes.size;
  output.result({ path, count, size, asOf }, [`${path}: ${count} datapoints as of ${asOf}`]);
}
