import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { rememberListed } from "../remember.ts";
import { parseDataset } from "../searched-datasets.ts";

export interface TypesOptions {
  readonly dataset?: string;
  readonly group?: string;
  readonly experimental?: boolean;
}

/** `swath types`: the map types that the user may release, without experimental ones unless they are wanted. */
export async function types(context: CommandContext, options: TypesOptions): Promise<void> {
  const filter = {
    ...(options.dataset === undefined ? {} : parseDataset(options.dataset)),
    ...(options.group === undefined ? {} : { group: options.group }),
  };
  const client = await connect(context);
  const listed = await listTypes(client, filter, context.signal);
  const isWhole = Object.keys(filter).length === 0;
  if (isWhole) await rememberListed(context, { types: listed.map(({ mapType }) => mapType) });
  const shown = options.experimental === true ? listed : listed.filter(({ maturity }) => maturity !== "experimental");
  const rows = shown.map(({ mapType, group, scenes, maturity, description }) => [
    mapType,
    group,
    scenes.min === 1 ? "1 scene" : scenes.min === scenes.max ? `${scenes.min} scenes` : `${scenes.min} or more scenes`,
    description.split(/(?<=\.)\s/)[0] ?? "",
    maturity === "validated" ? maturity : `${maturity}, not validated on real imagery`,
  ]);
  const lines = listed.length === 0 ? [whyNone(options)] : formatTable(rows);
  context.output.result(shown, [...lines, ...leftOut(listed.length - shown.length)]);
}

function leftOut(count: number): readonly string[] {
  if (count === 0) return [];
  return [`${count} experimental type${count === 1 ? "" : "s"} left out; swath types --experimental lists all`];
}

async function listTypes(
  client: Client,
  filter: { readonly provider?: string; readonly dataset?: string; readonly group?: string },
  signal: AbortSignal,
) {
  return await client.call("/mapsvc/map-types/list", filter, { signal });
}

function whyNone({ dataset, group }: TypesOptions): string {
  if (dataset === undefined && group === undefined) {
    return "no map type: ask your administrator for the permission algorithms";
  }
  const filters = [dataset, group].filter((one) => one !== undefined).join(" and ");
  return `no map type of ${filters} that you may release; swath types lists all`;
}
