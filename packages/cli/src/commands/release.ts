import type { CommandContext } from "../command-context.ts";
import { connect } from "../connection.ts";
import { CommandError, exitCodeOf } from "../exit-code.ts";
import { readExtent } from "../extent.ts";
import { formatTable } from "../output.ts";
import { rememberSeen } from "../remember.ts";
import { splitMapTypes } from "../split-map-types.ts";

export interface ReleaseOptions {
  readonly types: string;
  readonly extent?: string;
  readonly allocate?: boolean;
}

/** `swath release`: makes maps; fails when not a single one could be made. */
export async function release(
  context: CommandContext,
  options: ReleaseOptions,
  sceneIds: readonly string[],
): Promise<void> {
  const { output, signal } = context;
  const mapTypes = splitMapTypes(options.types, "--types");
  const client = await connect(context);
  const extent =
    options.extent === undefined
      ? await footprintsOf(
          sceneIds,
          async (sceneId) => (await client.call("/imagery/scene-info", { sceneId }, { signal })).footprint,
        )
      : await readExtent(options.extent);
  const progress = output.progress("release", 6);
  const result = await client
    .run(
      "/mapsvc/release",
      {
        mapTypes: [...mapTypes],
        sceneIds: [...sceneIds],
        extent,
        ...(options.allocate === true ? { allocate: true } : {}),
      },
      { signal, onProgress: (step) => progress.update(step.progress?.step ?? 0, step.progress?.message ?? "") },
    )
    .finally(() => progress.stop());
  const { payment } = result;
  if (payment !== undefined) {
    const { chargedCredits, returnedCredits, remainingCredit } = payment;
    output.note(`charged ${chargedCredits} credits, gave ${returnedCredits} back, ${remainingCredit} left`);
  }
  // A short name is of the latest map of its type.
  const latest = new Map(result.maps.map(({ mapType, mapId }) => [mapType, mapId]));
  const lines = [
    ...formatTable(
      result.maps.map((map) => [
        map.mapType,
        map.sceneId,
        `zoom ${map.tiles[0]?.[0] ?? "?"}-${map.maxZoom}`,
        ...(map.chargedCredits === undefined ? [] : [`${map.chargedCredits} credits`]),
        latest.get(map.mapType) === map.mapId ? `@${map.mapType}` : "",
        map.mapId,
      ]),
    ),
    ...result.failed.map(
      ({ mapType, sceneId, errorCode, errorMessage }) =>
        `${mapType} of ${sceneId} failed: ${errorCode}: ${errorMessage}`,
    ),
  ];
  output.result(result, lines);
  await rememberSeen(context, { maps: result.maps, scenes: sceneIds });
  if (result.maps.length === 0) {
    const [first] = result.failed;
    if (first === undefined) throw new CommandError("no map could be made: the service names no reason");
    throw new CommandError(`no map could be made: ${first.errorCode}`, exitCodeOf(first.errorCode));
  }
}

/** The footprints of all scenes as one extent. */
async function footprintsOf<Footprint extends { readonly coordinates: readonly unknown[] }>(
  sceneIds: readonly string[],
  footprintOf: (sceneId: string) => Promise<Footprint>,
) {
  const footprints = await Promise.all(sceneIds.map(footprintOf));
  return { type: "GeometryCollection" as const, geometries: footprints };
}
