import type { Bounds } from "@swath/kernel/geometry/geojson";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { SceneModel } from "../scene-model.ts";
import { captureOf } from "./capture-name.ts";
import type { Capture } from "./capture.ts";
import { capturesBetween } from "./captures-between.ts";
import { cloudCover } from "./cloud-cover.ts";
import { PRODUCTS, type Product } from "./products.ts";
import { swathModel } from "./swath-model.ts";
import type { SwathPlan } from "./swath-plan.ts";
import {
  publishedAtMs,
  WORLD_PRODUCTS,
  worldModel,
  worldMomentOf,
  worldMoments,
  type WorldProduct,
} from "./world-product.ts";

const swathProducts = new Map<string, Product>(PRODUCTS.map((one) => [keyOf(one.provider, one.dataset), one]));
const worldProducts = new Map<string, WorldProduct>(
  WORLD_PRODUCTS.map((one) => [keyOf(one.provider, one.dataset), one]),
);

function keyOf(provider: string, dataset: string): string {
  return `${provider}/${dataset}`;
}

/** Whether the constellation has the dataset. */
export function isSimulated(provider: string, dataset: string): boolean {
  const key = keyOf(provider, dataset);
  return swathProducts.has(key) || worldProducts.has(key);
}

/** How the dataset is imaged along swaths. Null for datasets of the whole world and unknown ones. */
export function planOf(provider: string, dataset: string): SwathPlan | null {
  return swathProducts.get(keyOf(provider, dataset))?.plan ?? null;
}

/** A search of the constellation. */
export interface CatalogueQuery {
  readonly provider: string;
  readonly dataset: string;
  /** Within -180 to 180, or east beyond. */
  readonly boxes: readonly Bounds[];
  /** Half-open interval; null where it is open. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Scenes published later do not exist yet. */
  readonly nowMs: number;
}

/**
 * Scenes whose footprint overlaps one of the boxes or nearly so, newest first, then by identifier. Made one by one as
 * they are asked for. Nothing for datasets the constellation does not have.
 */
export function* scenesBetween(query: CatalogueQuery): Generator<SceneModel, void, undefined> {
  const key = keyOf(query.provider, query.dataset);
  const world = worldProducts.get(key);
  const fromMs = query.fromMs ?? -Infinity;
  if (world !== undefined) {
    const overlaps = query.boxes.some(([, south, , north]) => south < world.northDeg && north > world.southDeg);
    if (!overlaps) return;
    const toMs = query.toMs ?? query.nowMs + 1;
    for (const startMs of worldMoments(world, fromMs, toMs, query.nowMs)) yield worldModel(world, startMs);
    return;
  }
  const product = swathProducts.get(key);
  if (product === undefined) return;
  const latest = query.nowMs - product.plan.latencyMs + 1;
  const toMs = Math.min(query.toMs ?? latest, latest);
  let second: SceneModel[] = [];
  for (const capture of capturesBetween(product.plan, query.boxes, fromMs, toMs)) {
    if (second.length > 0 && second[0]?.acquiredAtMs !== capture.acquiredAtMs) {
      yield* byIdentifier(second);
      second = [];
    }
    const model = modelFor(product, capture);
    if (model !== null) second.push(model);
  }
  yield* byIdentifier(second);
}

function byIdentifier(models: SceneModel[]): SceneModel[] {
  return models.length < 2 ? models : models.toSorted((a, b) => (a.sceneId < b.sceneId ? -1 : 1));
}

function modelFor(product: Product, capture: Capture): SceneModel | null {
  const model = swathModel(product, capture);
  return product.maxCloudCover >= 1 || (cloudCover(model) ?? 0) <= product.maxCloudCover ? model : null;
}

/** A scene and when it is published. */
export interface CatalogueEntry {
  readonly model: SceneModel;
  readonly publishedAtMs: number;
}

/** The scene of that identifier, worked out from it alone; null when the constellation never made it. */
export function catalogueEntry(sceneId: string): CatalogueEntry | null {
  const parts = parseSceneId(sceneId);
  if (parts === null || parts.clip !== undefined) return null;
  const key = keyOf(parts.provider, parts.dataset);
  const world = worldProducts.get(key);
  if (world !== undefined) {
    const startMs = worldMomentOf(world, parts.local);
    if (startMs === null) return null;
    return { model: worldModel(world, startMs), publishedAtMs: publishedAtMs(world, startMs) };
  }
  const product = swathProducts.get(key);
  const capture = product === undefined ? null : captureOf(product.plan, parts.local);
  if (product === undefined || capture === null) return null;
  const model = modelFor(product, capture);
  return model === null ? null : { model, publishedAtMs: model.acquiredAtMs + product.plan.latencyMs };
}

/** As `catalogueEntry`, whenever it is published. */
export function modelOf(sceneId: string): SceneModel | null {
  return catalogueEntry(sceneId)?.model ?? null;
}
