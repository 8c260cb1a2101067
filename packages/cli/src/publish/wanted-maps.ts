import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../exit-code.ts";
import { resolveMap } from "../map-name.ts";
import { readMapToken } from "../map-token.ts";

/** Most maps of a folder. */
const MAX_MAPS = 200;

/** A map to publish. */
export interface WantedMap {
  readonly mapId: string;
  readonly mapType: string;
  /** Name of the inner polygon; null for the whole area. */
  readonly part: string | null;
}

/** The maps to publish, with the name and the words of their project. */
export interface WantedMaps {
  readonly title: string;
  readonly description: string;
  /** From top to bottom. */
  readonly maps: readonly WantedMap[];
  /** Whether the project hides objects: pictures would show them. */
  readonly hidesFeatures: boolean;
}

/**
 * Finds the maps of one analysis, or the maps that IDs and short names name.
 *
 * @throws {UsageError} for no map, and for too many
 */
export async function wantedMaps(
  context: CommandContext,
  client: Client,
  sources: readonly string[],
): Promise<WantedMaps> {
  const [first = ""] = sources;
  const isAnalysis = sources.length === 1 && !first.includes(".") && !first.startsWith("@");
  const wanted = isAnalysis ? await mapsOfAnalysis(context, client, first) : await mapsOfIds(context, sources);
  const { length } = wanted.maps;
  if (length === 0) throw new UsageError(`the analysis ${first} has no map: expected at least one`);
  if (length > MAX_MAPS) throw new UsageError(`got ${length} maps, expected at most ${MAX_MAPS}`);
  return wanted;
}

async function mapsOfIds(context: CommandContext, sources: readonly string[]): Promise<WantedMaps> {
  const mapIds = await Promise.all(sources.map((one) => resolveMap(context, one)));
  const maps = mapIds.map((mapId) => ({ mapId, mapType: readMapToken(mapId).mapType, part: null }));
  return { title: "Maps", description: "", maps, hidesFeatures: false };
}

async function mapsOfAnalysis({ signal }: CommandContext, client: Client, analysisId: string): Promise<WantedMaps> {
  const analysis = await client.call("/analytics/analysis/get", { analysisId }, { signal });
  const { analysisFrames, description, hiddenFeatures, innerPolygons, polygon } = analysis;
  const names = new Map(innerPolygons.map(({ id, properties }) => [id, properties?.name ?? id]));
  const newestFirst = analysisFrames.toSorted((a, b) => (b.scene.datetime ?? "").localeCompare(a.scene.datetime ?? ""));
  const maps = newestFirst.flatMap(({ innerPolygonsResults, results }) => [
    ...mapsOf(results, null),
    ...Object.entries(innerPolygonsResults).flatMap(([id, inner]) => mapsOf(inner, names.get(id) ?? id)),
  ]);
  return { title: polygon?.properties?.name ?? "Maps", description, maps, hidesFeatures: hiddenFeatures.length > 0 };
}

/** Maps of `{mapType: [{mapId, …}, …]}`. */
function mapsOf(results: unknown, part: string | null): readonly WantedMap[] {
  if (typeof results !== "object" || results === null) return [];
  return Object.entries(results).flatMap(([mapType, maps]: [string, unknown]) =>
    (Array.isArray(maps) ? maps : []).flatMap((map: unknown) =>
      typeof map === "object" && map !== null && "mapId" in map && typeof map.mapId === "string"
        ? [{ mapId: map.mapId, mapType, part }]
        : [],
    ),
  );
}
