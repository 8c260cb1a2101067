import { ServiceError } from "@swath/kernel/errors/service-error";
import type { BandRole } from "@swath/kernel/bands/band-role";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { roleOfText } from "@swath/raster/scene-metadata/band-roles";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { PayableScene } from "../../credits/release-quote.ts";
import type { Results } from "../analysis/results.ts";
import { isEmptyPart, partInside, releasedPart, type ReleasedPart } from "../released-part.ts";
import { sceneGroups } from "../scene-groups.ts";
import type { SeenScenes } from "../scene-lookup.ts";
import type { ReleasePlan } from "./release-plan.ts";

export interface PayableMapsDeps {
  readonly areas: Pick<Areas, "intersection">;
  readonly results: Pick<Results, "refusalOf">;
}

/** A scene of a release as it is known before its pixels are fetched. */
interface KnownScene {
  readonly scene: Scene;
  /** Null while the pixels are not in the store. */
  readonly stored: StoredScene | null;
  readonly part: ReleasedPart;
}

/**
 * The scenes and map types of a release that can become maps, as far as it can be known before pixels are fetched.
 *
 * @throws {ServiceError} the first reason when no map can be made
 */
export async function payableMaps(
  deps: PayableMapsDeps,
  { mapTypes, typeIds, area }: Pick<ReleasePlan, "mapTypes" | "typeIds" | "area">,
  scenes: Iterable<Scene>,
  seen: Pick<SeenScenes, "stored">,
  signal: AbortSignal,
): Promise<readonly PayableScene[]> {
  const known = await knownScenes(deps.areas, scenes, area, seen, signal);
  const typesOf = new Map<string, string[]>();
  let firstRefusal: ServiceError | null = null;
  for (const [index, mapType] of mapTypes.entries()) {
    for (const group of groupsOf(mapType, known)) {
      const refusal = group instanceof ServiceError ? group : await refusalOf(deps, mapType, group, area, signal);
      if (refusal !== null) firstRefusal ??= refusal;
      else if (!(group instanceof ServiceError)) {
        for (const { scene } of group) {
          const types = typesOf.get(scene.sceneId) ?? [];
          typesOf.set(scene.sceneId, [...types, typeIds[index] ?? mapType.id]);
        }
      }
    }
  }
  if (typesOf.size === 0) {
    throw firstRefusal ?? new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the extent does not intersect the scenes");
  }
  return [...typesOf].map(([sceneId, types]) => ({ sceneId, mapTypes: [...new Set(types)] }));
}

/** Scenes that the area meets. */
async function knownScenes(
  areas: Pick<Areas, "intersection">,
  scenes: Iterable<Scene>,
  area: MultiPolygon,
  seen: Pick<SeenScenes, "stored">,
  signal: AbortSignal,
): Promise<readonly KnownScene[]> {
  const known: KnownScene[] = [];
  for (const scene of scenes) {
    const part = await releasedPart(areas, [scene], area, signal);
    if (!isEmptyPart(part)) known.push({ scene, stored: await seen.stored(scene.sceneId), part });
  }
  return known;
}

type Group = readonly [KnownScene, ...KnownScene[]];

/** The scenes of each map, or why there is no such map. */
function groupsOf(mapType: MapTypeDescriptor, known: readonly KnownScene[]): readonly (Group | ServiceError)[] {
  if ((mapType.analysis?.scenes.max ?? 1) === 1) return known.map((one) => [one]);
  const { groups, refusals } = sceneGroups(mapType, known);
  return [
    ...refusals.map(({ error }) => error),
    ...groups.flatMap(([first, ...others]): readonly Group[] => (first === undefined ? [] : [[first, ...others]])),
  ];
}

async function refusalOf(
  { areas, results }: PayableMapsDeps,
  mapType: MapTypeDescriptor,
  group: Group,
  area: MultiPolygon,
  signal: AbortSignal,
): Promise<ServiceError | null> {
  for (const { scene, stored } of group) {
    const roles = stored === null ? namedRoles(scene) : stored.raster.bands.map(({ role }) => role);
    if (roles === null) continue;
    const acceptance = mapType.accepts(scene, roles);
    if (!acceptance.accepted) return new ServiceError(acceptance.errorCode, acceptance.errorMessage);
  }
  const stored = group.flatMap((one) => one.stored ?? []);
  if (mapType.analysis === undefined || stored.length < group.length) return null;
  const [first, ...others] = group;
  const partners = others.map(({ scene }) => scene);
  const { inside } = await partInside(areas, { ...first.part, area }, partners, signal);
  const refused = results.refusalOf({ mapType, analysis: mapType.analysis, scenes: stored, inside });
  return refused === null ? null : new ServiceError(refused.errorCode, refused.errorMessage);
}

/** Roles of the bands of a catalogue by their names; null when a name leaves its role open. */
function namedRoles({ bands }: Scene): readonly BandRole[] | null {
  const roles = bands.flatMap(({ names }) => names.map(roleOfText).find((role) => role !== null) ?? []);
  return roles.length === bands.length && roles.length > 0 ? roles : null;
}
