import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { listDatasets, type DatasetListing } from "../list-datasets.ts";
import { formatTable } from "../output.ts";
import { rememberListed } from "../remember.ts";

export interface DatasetsOptions {
  readonly type?: string;
  readonly all?: boolean;
}

/** `swath datasets`: the datasets that the user may search, or all of the service. */
export async function datasets(context: CommandContext, options: DatasetsOptions): Promise<void> {
  const client = await connect(context);
  const listed = await listDatasets(client, context.signal);
  await rememberListed(context, { datasets: listed.map(({ provider, dataset }) => `${provider}/${dataset}`) });
  const ofType = listed.filter((one) => options.type === undefined || one.datasetType === options.type);
  const shown = ofType.filter((one) => options.all === true || one.searchable);
  const hidden = ofType.length - shown.length;
  const lines = shown.length === 0 ? [whyNone(options, ofType.length)] : formatTable([TITLES, ...shown.map(rowOf)]);
  context.output.result(shown, lines);
  if (shown.length > 0 && hidden > 0) {
    context.output.note(`${hidden} more datasets need the permission imagery.images; --all lists them`);
  }
}

const TITLES = ["dataset", "name", "type", "resolution", "scenes", "download"];

function rowOf(one: DatasetListing): readonly string[] {
  const [finest = 0, coarsest = finest] = one.resolution;
  return [
    `${one.provider}/${one.dataset}`,
    one.datasetName,
    one.datasetType,
    finest === coarsest ? `${finest} m` : `${finest}-${coarsest} m`,
    one.requiresSeparateSearch ? "searched alone" : one.catalogAccess ? "catalogue" : "ingested only",
    one.downloadable ? "yes" : "no",
  ];
}

function whyNone({ type }: DatasetsOptions, ofType: number): string {
  const of = type === undefined ? "" : ` of type ${type}`;
  if (ofType === 0) return `no dataset${of}`;
  return `no dataset${of} that you may search: ${ofType} need the permission imagery.images; --all lists them`;
}
