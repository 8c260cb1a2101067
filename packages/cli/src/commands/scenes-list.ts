import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { formatTable } from "../output.ts";
import { listOwnedScenes, type OwnedScene } from "../owned-scenes.ts";
import { rememberSeen } from "../remember.ts";

export interface ScenesListOptions {
  readonly deleted?: boolean;
  readonly group?: string;
  readonly limit: number;
}

const PAGE_SIZE = 1000;

/** `swath scenes list`: pages through the scenes of the group until the limit. */
export async function scenesList(context: CommandContext, options: ScenesListOptions): Promise<void> {
  const { output, signal } = context;
  const client = await connect(context);
  const request = {
    ...(options.deleted === true ? { deleted: true } : {}),
    ...(options.group === undefined ? {} : { groupId: options.group }),
  };
  const results: OwnedScene[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE_SIZE, options.limit - results.length);
    const page = await listOwnedScenes(client, { ...request, limit, ...(cursor === null ? {} : { cursor }) }, signal);
    results.push(...page.results);
    ({ cursor } = page);
  } while (cursor !== null && results.length < options.limit);
  await rememberSeen(context, { scenes: results.map(({ sceneId }) => sceneId) });
  const notes = cursor === null ? [] : [`more than ${options.limit} scenes: raise --limit`];
  output.result({ results, cursor }, results.length === 0 ? [whyEmpty(options)] : [...tableOf(results), ...notes]);
}

function tableOf(scenes: readonly OwnedScene[]): readonly string[] {
  return formatTable(
    scenes.map((scene) => [
      scene.sceneId,
      `${scene.datetime}${scene.datetimeSource === "unknown" ? " ?" : ""}`,
      scene.satellite,
      `${scene.areaKm2.toFixed(1)} km2`,
      scene.bands.map(({ names: [name = "?"] }) => name).join(","),
      scene.visibility,
      scene.restorableUntil === null ? "" : `until ${scene.restorableUntil}`,
    ]),
  );
}

function whyEmpty({ deleted, group }: ScenesListOptions): string {
  const owner = group === undefined ? "your group" : `group ${group}`;
  if (deleted === true) return `no scene: ${owner} has deleted none in the last day`;
  return `no scene: ${owner} has ingested none; swath ingest FILE does, swath search finds scenes of catalogues`;
}
