import { km2ToSquareMetres } from "@swath/kernel/credits/micro";
import { freeAreasOf, mapTypePriceOf, priceOf, type Payer, type PriceRule } from "@swath/kernel/credits/pricing";
import type { SoldArea } from "@swath/kernel/credits/sold-area";
import { boundsOf } from "@swath/kernel/credits/coverage";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { GeoJson, MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { Scene } from "@swath/kernel/scenes/scene";
import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { Caller, Db } from "../../platform/context.ts";
import type { MapTypes } from "@swath/maps/registry";
import type { Catalog } from "../../providers/catalog.ts";
import { findDataset } from "../../providers/registry.ts";
import type { ImageryService, SceneView } from "../imagery/service.ts";
import { declaredPrice } from "./declared-price.ts";
import { quoteScenes, sceneKeyOf, type Quote, type QuotedScene } from "./quote.ts";
import type { Areas } from "../../platform/geometry/areas.ts";
import { readState, type LedgerState, type StateQuestion, type StateRequest } from "./ledger-state.ts";

/** Credits are allocated between these parallels only. */
const MAX_LATITUDE_DEG = 85;

export interface AreaRequest {
  readonly sceneIds: readonly string[];
  readonly geojson: GeoJson;
  readonly costFreeAllocation?: boolean | undefined;
  /** Map types that are to be released: those with a price of their own are paid for too. */
  readonly mapTypes?: readonly string[] | undefined;
}

export interface QuoteDeps {
  readonly areas: Pick<Areas, "missingKm2" | "planAllocation" | "read" | "sold">;
  readonly db: Db;
  readonly clock: Clock;
  readonly mapTypes: Pick<MapTypes, "pricedIds">;
  /** Knows scenes of all catalogues: an area is paid for before its pixels are fetched. */
  readonly imagery: Pick<ImageryService, "seenBy">;
  /** The configured datasets and their prices; all as built in unless given. */
  readonly catalog?: Pick<Catalog, "findDataset">;
}

const builtIn: Pick<Catalog, "findDataset"> = { findDataset };

/** Price of a scene for a group, and where it is free. */
export function priced(
  rules: readonly PriceRule[],
  scene: Scene,
  payer: Payer,
  catalog: Pick<Catalog, "findDataset"> = builtIn,
): Pick<QuotedScene, "price" | "freeAreas"> {
  const wanted = { provider: scene.provider, dataset: scene.dataset, ...payer };
  const declared = declaredPrice(catalog, scene.provider, scene.dataset);
  return { price: priceOf(rules, wanted, declared), freeAreas: freeAreasOf(rules, wanted) };
}

/** A map type that costs something of its own, and where it is free. */
export interface PricedMapType extends Pick<QuotedScene, "price" | "freeAreas"> {
  readonly mapType: string;
}

/** Those of the map types that cost something on top of a scene, in the order of their names. */
export function pricedMapTypes(
  rules: readonly PriceRule[],
  { provider, dataset }: Scene,
  payer: Payer,
  mapTypes: readonly string[],
): readonly PricedMapType[] {
  const wanted = { provider, dataset, ...payer };
  return [...new Set(mapTypes)].toSorted().flatMap((mapType) => {
    const price = mapTypePriceOf(rules, wanted, mapType);
    return price === null ? [] : [{ mapType, price, freeAreas: freeAreasOf(rules, wanted, mapType) }];
  });
}

/**
 * What of a scene has to be paid for to use an area of it.
 *
 * @throws {ServiceError} EXTENT-TOO-LARGE when it takes too many store tiles
 */
export async function sold(
  { areas, catalog = builtIn }: Pick<QuoteDeps, "areas" | "catalog">,
  scene: Scene,
  area: MultiPolygon,
  signal?: AbortSignal,
): Promise<SoldArea> {
  const hasTiles = catalog.findDataset(scene.provider, scene.dataset)?.dataset.hasStoreTiles === true;
  try {
    return await areas.sold(area, scene.footprint, hasTiles ? scene.crsEpsg : null, signal);
  } catch (cause) {
    if (!hasTiles || !(cause instanceof RangeError)) throw cause;
    throw new ServiceError("EXTENT-TOO-LARGE", cause.message, { cause });
  }
}

/** What of one scene a request is about. */
export interface SoldScene extends SoldArea {
  readonly scene: Scene;
  /** Map types to release of the scene; the map types of the request unless given. */
  readonly mapTypes?: readonly string[];
}

/** The area of a request, from a caller that knows it, and the signal that ends its work. */
export interface KnownArea {
  /** Of `geojson`, in normal form. */
  readonly area?: MultiPolygon | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The part of each scene that a request is about, each scene once.
 *
 * @throws {ServiceError} VALIDATION-ERROR, NON-EXISTING-SCENE, EXTENT-HAS-NO-INTERSECTION, EXTENT-TOO-LARGE
 */
export async function soldScenes(
  deps: QuoteDeps,
  caller: Caller,
  request: AreaRequest,
  { area: known, signal }: KnownArea,
): Promise<readonly [SoldScene, ...SoldScene[]]> {
  const sceneIds = new Set(request.sceneIds);
  const rules = { path: "/geojson", maxLatitudeDeg: MAX_LATITUDE_DEG, sceneCount: sceneIds.size };
  const area = known ?? (await deps.areas.read(request.geojson, rules, signal));
  const scenes: SoldScene[] = [];
  const share = loopShare();
  for (const scene of await scenesOf(deps.imagery.seenBy(caller), [...sceneIds], signal)) {
    const { sceneId } = scene;
    if (isUsedUp(share)) await giveWay(share, signal);
    const { area: inside, tiles } = await sold(deps, scene, area, signal);
    // Neighbours that touch have no area in common but what floating point leaves.
    if (km2ToSquareMetres(areaKm2(inside)) === 0) {
      throw new ServiceError("EXTENT-HAS-NO-INTERSECTION", `the area does not intersect the scene ${sceneId}`);
    }
    scenes.push({ scene, area: inside, tiles });
  }
  const [first, ...rest] = scenes;
  if (first === undefined) throw new ServiceError("VALIDATION-ERROR", "/sceneIds must name a scene");
  return [first, ...rest];
}

/** Scenes looked up at once: rows of one statement; a source gets this many requests at most. */
const SCENES_AT_ONCE = 64;

/** Scenes in the order of their ids. @throws {ServiceError} NON-EXISTING-SCENE */
async function scenesOf(
  seen: Pick<SceneView, "sceneInfo">,
  sceneIds: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Scene[]> {
  const scenes: Scene[] = [];
  for (let at = 0; at < sceneIds.length; at += SCENES_AT_ONCE) {
    const together = sceneIds.slice(at, at + SCENES_AT_ONCE);
    scenes.push(...(await Promise.all(together.map((sceneId) => seen.sceneInfo({ sceneId }, signal)))));
  }
  return scenes;
}

/** Every scene key that a request may grow: of the scenes and of the map types that may have a price of their own. */
export function sceneKeysOf(scenes: readonly SoldScene[], mapTypes: readonly string[]): readonly string[] {
  return [...new Set(scenes.flatMap(({ scene }) => [null, ...mapTypes].map((mapType) => sceneKeyOf(scene, mapType))))];
}

function questions(scenes: readonly SoldScene[], mapTypes: readonly string[]): readonly StateQuestion[] {
  const areas = new Map<string, MultiPolygon["coordinates"]>();
  for (const { scene, area } of scenes) {
    for (const key of sceneKeysOf([{ scene, area, tiles: null }], mapTypes)) {
      areas.set(key, [...(areas.get(key) ?? []), ...area.coordinates]);
    }
  }
  return [...areas].map(([sceneKey, coordinates]) => ({ sceneKey, bounds: boundsOf(coordinates) }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Reads what a group has and holds. */
export type ReadState = (request: StateRequest) => Promise<LedgerState>;

/** The cost of a request for a group now, scene by scene in the order of the scene keys; nothing is locked. */
export async function quoteScenesNow(
  { areas, clock, catalog, mapTypes: known }: QuoteDeps,
  groupId: string,
  scenes: readonly SoldScene[],
  request: Pick<AreaRequest, "costFreeAllocation" | "mapTypes">,
  options: {
    readonly read: ReadState;
    /** Moment whose prices hold; now unless given. */
    readonly at?: Date | undefined;
    readonly tier?: string | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly Quote[]> {
  const typesOf = (scene: SoldScene): readonly string[] => known.pricedIds(scene.mapTypes ?? request.mapTypes ?? []);
  const mapTypes = [...new Set(scenes.flatMap(typesOf))];
  const state = await options.read({
    groupId,
    at: options.at ?? clock.now(),
    providers: [...new Set(scenes.map(({ scene }) => scene.provider))],
    datasets: [...new Set(scenes.map(({ scene }) => scene.dataset))],
    mapTypes,
    coverage: questions(scenes, mapTypes),
  });
  const payer = { groupId, tier: options.tier ?? state.tier };
  const wanted = scenes.flatMap((one): readonly QuotedScene[] => {
    const { scene } = one;
    return [
      { ...one, sceneKey: sceneKeyOf(scene), mapType: null, ...priced(state.rules, scene, payer, catalog) },
      ...pricedMapTypes(state.rules, scene, payer, typesOf(one)).map((type) => ({
        ...one,
        ...type,
        sceneKey: sceneKeyOf(scene, type.mapType),
      })),
    ];
  });
  // One order for all, so that what scenes under one key share goes to the same of them every time.
  const ordered = wanted.toSorted(
    (a, b) => compare(a.sceneKey, b.sceneKey) || compare(a.scene.sceneId, b.scene.sceneId),
  );
  return await quoteScenes(ordered, state.coverage, (quoted, before) =>
    areas.planAllocation(
      {
        before,
        addition: quoted.area,
        freeAreas: quoted.freeAreas,
        price: quoted.price,
        costFree: request.costFreeAllocation ?? false,
      },
      options.signal,
    ),
  );
}

/** The cost of a request of the caller for a group now, without locks. `tier` replaces the tier of the group. */
export async function quoteArea(
  deps: QuoteDeps,
  caller: Caller,
  groupId: string,
  request: AreaRequest,
  options: KnownArea & { readonly tier?: string } = {},
): Promise<readonly Quote[]> {
  const scenes = await soldScenes(deps, caller, request, options);
  const read: ReadState = (one) => readState(deps.db, one);
  return await quoteScenesNow(deps, groupId, scenes, request, { ...options, read });
}
