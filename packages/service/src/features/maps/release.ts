import { intersection } from "@swath/kernel/geometry/clip";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { isErrorCode, type ErrorCode } from "@swath/kernel/errors/error-code";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { statusOf } from "../../error-status.ts";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import type { Clock } from "@swath/base/clock";
import type { Db, PipelineHandler, PipelineJob, RequestContext, Trx } from "../../platform/context.ts";
import { requestedArea } from "@swath/contract/kit/requested-area";
import type { CreditsService } from "../credits/service.ts";
import type { IngestionService } from "../ingestion/service.ts";
import type { Results } from "./analysis/results.ts";
import { fetchAhead } from "./fetch-ahead.ts";
import type { SceneLookup } from "./scene-lookup.ts";
import { sceneGroups } from "./scene-groups.ts";
import { geometryIdOf, mapIdOf } from "./map-identity.ts";
import { requireMapTypes } from "./require-map-types.ts";
import { planMap, releasedPart, type ReleasedPart } from "./plan-map.ts";
import type {
  FailedMap,
  LegacyReleaseRequest,
  LegacyReleaseResult,
  ReleaseRequest,
  ReleaseResult,
  SucceededMap,
} from "@swath/contract/features/maps/release-contract";
import type { MapIdSigner } from "./signed-map-id.ts";
import * as store from "./store.ts";

export interface ReleaseDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mapTypes: Pick<MapTypes, "find" | "faultOf">;
  readonly imagery: SceneLookup;
  readonly credits: Pick<CreditsService, "requireAllocated">;
  readonly ingestion: Pick<IngestionService, "ensureStored">;
  readonly signer: MapIdSigner;
  readonly results: Pick<Results, "ensure">;
}

export interface ReleaseHandlers {
  readonly release: PipelineHandler<ReleaseRequest, ReleaseResult>;
  /** Release of one map type of one scene. */
  readonly legacyRelease: PipelineHandler<LegacyReleaseRequest, LegacyReleaseResult>;
}

/** The Web Mercator square ends there. */
const MAX_LATITUDE_DEG = 85.051129;

function releasedArea(geojson: GeoJson, path: string, sceneIds: readonly string[]): MultiPolygon {
  return requestedArea(geojson, { path, maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: new Set(sceneIds).size });
}

/** The requested map types, of either form, without repeats. */
function requestedTypes(
  { mapTypes: known }: Pick<ReleaseDeps, "mapTypes">,
  { mapTypes, mapType }: ReleaseRequest,
): readonly string[] {
  if (mapTypes !== undefined) {
    requireMapTypes(known, mapTypes, (index) => `/mapTypes/${index}`);
    return [...new Set(mapTypes)];
  }
  if (mapType === undefined) {
    const message = "is required";
    throw new ServiceError("VALIDATION-ERROR", `mapTypes ${message}`, { details: [{ path: "/mapTypes", message }] });
  }
  requireMapTypes(known, [mapType], () => "/mapType");
  return [mapType];
}

function failure({ id }: MapTypeDescriptor, sceneId: string, errorCode: ErrorCode, errorMessage: string): FailedMap {
  return { mapType: id, sceneId, status: "failed", errorCode, errorMessage };
}

/** The answer of the forms that know no list of failures: the first map, or the first failure thrown. */
function flatten(result: ReleaseResult): LegacyReleaseResult {
  const [first] = result.maps;
  if (first !== undefined) return { mapId: first.mapId, maxZoom: first.maxZoom, tiles: first.tiles };
  const [refusal] = result.failed;
  const code = refusal?.errorCode ?? "ZERO-TILES-AVAILABLE";
  throw new ServiceError(isErrorCode(code) ? code : "PROCESSING-ERROR", refusal?.errorMessage ?? "no map was made");
}

/** A sub-geometry is known by its id from the initiate answer on, so that grid files can name it. */
async function keepSubGeometry(subGeometry: GeoJson, area: MultiPolygon, transaction: Trx): Promise<string> {
  const sub = releasedArea(subGeometry, "/subGeometry", []);
  if (intersection(sub, area).coordinates.length === 0) {
    throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", "the subGeometry does not intersect the extent");
  }
  const subGeometryId = geometryIdOf(sub);
  await store.insertGeometry(transaction, subGeometryId, sub);
  return subGeometryId;
}

export function createRelease(deps: ReleaseDeps): ReleaseHandlers {
  const { db, clock, imagery, credits, signer, results } = deps;

  /** Makes scenes known that only their catalogues know so far, before a transaction begins. */
  async function prepare(sceneIds: readonly string[], signal: AbortSignal): Promise<void> {
    for (const sceneId of new Set(sceneIds)) {
      // oxlint-disable-next-line no-await-in-loop -- most are known: a catalogue is asked for few
      const scene = await imagery.catalogueScene(sceneId, signal);
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
    }
  }

  async function admit(
    typeIds: readonly string[],
    sceneIds: readonly string[],
    area: MultiPolygon,
    context: RequestContext,
    transaction: Trx,
  ): Promise<void> {
    for (const sceneId of new Set(sceneIds)) {
      const scene = await imagery.known(sceneId, transaction);
      if (scene === null) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${sceneId}`);
      await credits.requireAllocated(context.caller, scene, area, transaction, typeIds);
    }
  }

  /** A map of one scene, or of the pair or series that its type compares; it goes by the name of the latest. */
  async function makeMap(
    scenes: readonly StoredScene[],
    mapType: MapTypeDescriptor,
    part: ReleasedPart,
    geometryId: string,
    job: PipelineJob,
  ): Promise<SucceededMap | FailedMap> {
    const latest = scenes.at(-1);
    if (latest === undefined) throw new RangeError("a map needs a scene");
    const { sceneId } = latest.scene;
    const plan = planMap(latest, mapType, part);
    if (plan.kind === "refused") return failure(mapType, sceneId, plan.errorCode, plan.errorMessage);
    let resultId: string | null = null;
    if (mapType.analysis !== undefined) {
      const request = { mapType, analysis: mapType.analysis, scenes, area: part.inside };
      const outcome = await results.ensure(request, job.signal);
      if (outcome.kind === "refused") return failure(mapType, sceneId, outcome.errorCode, outcome.errorMessage);
      ({ resultId } = outcome.result);
    }
    const { maxZoom, tiles } = plan;
    const inputs = { sceneId, mapType: mapType.id, version: mapType.version, geometryId, resultId };
    const mapId = mapIdOf(inputs);
    const sceneIds = scenes.length === 1 ? null : scenes.map(({ scene }) => scene.sceneId);
    await store.insertMap(db, { mapId, ...inputs, maxZoom, tiles, sceneIds }, clock.now());
    return {
      mapId: await signer.sign({ mapId, mapType: mapType.id, geometryId, version: mapType.version, tiles }),
      mapType: mapType.id,
      sceneId,
      status: "succeeded",
      maxZoom,
      tiles: tiles.map(({ zoom, x, y }) => [zoom, x, y]),
    };
  }

  /** A map that cannot be made is reported beside those that can. */
  async function tryMap(
    scenes: readonly StoredScene[],
    mapType: MapTypeDescriptor,
    part: ReleasedPart,
    geometryId: string,
    job: PipelineJob,
  ): Promise<SucceededMap | FailedMap> {
    try {
      return await makeMap(scenes, mapType, part, geometryId, job);
    } catch (error) {
      if (job.signal.aborted || !(error instanceof ServiceError) || statusOf(error) >= 500) throw error;
      return failure(mapType, scenes.at(-1)?.scene.sceneId ?? "", error.code, error.message);
    }
  }

  /** Maps of pairs and series, once all of their scenes are there. */
  async function makeGroupMaps(
    mapTypes: readonly MapTypeDescriptor[],
    fetched: readonly StoredScene[],
    area: MultiPolygon,
    geometryId: string,
    job: PipelineJob,
  ): Promise<readonly (SucceededMap | FailedMap)[]> {
    const outcomes: (SucceededMap | FailedMap)[] = [];
    for (const mapType of mapTypes) {
      const grouped = sceneGroups(mapType, fetched);
      outcomes.push(
        ...grouped.refusals.map(({ sceneId, error }) => failure(mapType, sceneId, error.code, error.message)),
      );
      for (const scenes of grouped.groups) {
        const part = releasedPart(
          scenes.map(({ scene }) => scene),
          area,
        );
        // oxlint-disable-next-line no-await-in-loop -- one analysis has all threads
        outcomes.push(await tryMap(scenes, mapType, part, geometryId, job));
      }
    }
    return outcomes;
  }

  async function makeMaps(
    typeIds: readonly string[],
    sceneIds: readonly string[],
    extent: GeoJson,
    job: PipelineJob,
  ): Promise<ReleaseResult> {
    const area = releasedArea(extent, "/extent", sceneIds);
    const geometryId = geometryIdOf(area);
    await job.report({ message: "Preparing analysis", step: 1 });
    await store.insertGeometry(db, geometryId, area);
    const mapTypes = typeIds.flatMap((id) => deps.mapTypes.find(id) ?? []);
    const single = mapTypes.filter((mapType) => (mapType.analysis?.scenes.max ?? 1) === 1);
    const grouped = mapTypes.filter((mapType) => !single.includes(mapType));
    const outcomes: (SucceededMap | FailedMap)[] = [];
    const fetched: StoredScene[] = [];
    const fetching = fetchAhead(deps, [...new Set(sceneIds)], area, job);
    for await (const { sceneId, stored, refusal } of fetching) {
      job.signal.throwIfAborted();
      if (stored === null) {
        outcomes.push(...mapTypes.map((mapType) => failure(mapType, sceneId, refusal.code, refusal.message)));
      } else {
        fetched.push(stored);
        await job.report({ message: "Analyzing", provider: stored.scene.provider, step: 5 });
        const part = releasedPart([stored.scene], area);
        for (const mapType of single) {
          // Whoever waits for an analysis can look at what there is already.
          if (mapType.analysis !== undefined) await job.savePartial(releaseResult(typeIds, outcomes));
          outcomes.push(await tryMap([stored], mapType, part, geometryId, job));
        }
      }
      await job.savePartial(releaseResult(typeIds, outcomes));
    }
    if (fetched.length > 0) outcomes.push(...(await makeGroupMaps(grouped, fetched, area, geometryId, job)));
    await job.report({ message: "Finalizing analysis", step: 6 });
    return releaseResult(typeIds, outcomes);
  }

  return {
    release: {
      async prepare(request, { signal }) {
        requestedTypes(deps, request);
        releasedArea(request.extent, "/extent", request.sceneIds);
        await prepare(request.sceneIds, signal);
      },
      async admit(request, context, transaction) {
        const typeIds = requestedTypes(deps, request);
        const area = releasedArea(request.extent, "/extent", request.sceneIds);
        await admit(typeIds, request.sceneIds, area, context, transaction);
        if (request.subGeometry === undefined) return undefined;
        return { subGeometryId: await keepSubGeometry(request.subGeometry, area, transaction) };
      },
      async run(request, job) {
        const result = await makeMaps(requestedTypes(deps, request), request.sceneIds, request.extent, job);
        return { result: request.mapTypes === undefined ? { ...result, ...flatten(result) } : result };
      },
    },
    legacyRelease: {
      async prepare({ mapType, sceneId, extent }, { signal }) {
        requireMapTypes(deps.mapTypes, [mapType], () => "/mapType");
        releasedArea(extent, "/extent", [sceneId]);
        await prepare([sceneId], signal);
      },
      async admit({ mapType, sceneId, extent }, context, transaction) {
        requireMapTypes(deps.mapTypes, [mapType], () => "/mapType");
        await admit([mapType], [sceneId], releasedArea(extent, "/extent", [sceneId]), context, transaction);
        return undefined;
      },
      async run({ mapType, sceneId, extent }, job) {
        return { result: flatten(await makeMaps([mapType], [sceneId], extent, job)) };
      },
    },
  };
}

/** `maps` and `failed`, and both by map type. */
function releaseResult(typeIds: readonly string[], outcomes: readonly (SucceededMap | FailedMap)[]): ReleaseResult {
  return {
    ...Object.fromEntries(typeIds.map((id) => [id, outcomes.filter(({ mapType }) => mapType === id)])),
    maps: outcomes.filter((outcome) => outcome.status === "succeeded"),
    failed: outcomes.filter((outcome) => outcome.status === "failed"),
  };
}
