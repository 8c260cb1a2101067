import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { overlapRatio, prepareArea, type PreparedArea } from "@swath/kernel/geometry/intersection-ratio";
import { simplifyFootprint } from "@swath/kernel/geometry/simplify";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { FoundScene } from "@swath/contract/features/imagery/contract";
import type { Db } from "../../platform/context.ts";
import type { RegisteredDataset } from "../../providers/catalog.ts";
import { rememberScenes, type KnownScenes } from "./catalogue-rows.ts";
import { datasetKeyOf, datasetNameOf, type DatasetKeys } from "./dataset-keys.ts";
import type { Hit } from "./hit.ts";
import { requestedName } from "./requested-names.ts";
import { toScene } from "./scene-record.ts";
import type { SearchPlan } from "./search-plan.ts";
import * as store from "./store.ts";

/** A scene of a page, with the key of its row. */
export interface PageScene {
  readonly sceneKey: number;
  readonly scene: Scene;
}

/** How old the row of a source's scene may be before a search that meets it again brings it up to date. */
const REFRESH_MS = 86_400_000;

/** The scenes of a page by their ids. Scenes of sources get rows. */
export async function pageScenes(
  { db, keys }: { readonly db: Db; readonly keys: DatasetKeys },
  page: readonly Hit[],
  { known, forceRefresh, now }: { readonly known: KnownScenes; readonly forceRefresh: boolean; readonly now: Date },
): Promise<ReadonlyMap<string, PageScene>> {
  const tableKeys = page.flatMap(({ origin }) => (origin.kind === "table" ? [origin.sceneKey] : []));
  const fromSources = page.flatMap(({ origin }) => (origin.kind === "source" ? [origin.scene] : []));
  const staleBefore = forceRefresh ? now : new Date(now.getTime() - REFRESH_MS);
  const [documents, remembered] = await Promise.all([
    tableKeys.length === 0 ? [] : store.readDocuments(db, tableKeys),
    rememberScenes(db, fromSources, { known, now, staleBefore, datasetKeyOf: (one) => datasetKeyOf(keys, one) }),
  ]);
  const byKey = new Map(documents.map((row) => [row.scene_key, row.document]));
  const scenes = new Map<string, PageScene>(remembered);
  for (const { key, origin, footprint } of page) {
    if (origin.kind !== "table") continue;
    const document = byKey.get(origin.sceneKey);
    if (document === undefined) continue;
    scenes.set(key.sceneId, { sceneKey: origin.sceneKey, scene: toScene(document, footprint) });
  }
  return scenes;
}

/** How found scenes are answered. */
export interface Answering {
  readonly plan: SearchPlan;
  readonly extent: PreparedArea;
  readonly mayDownload: (registered: RegisteredDataset) => boolean;
}

/** The answer for each hit of a page whose scene has a row. */
export async function foundScenes(
  page: readonly Hit[],
  scenes: ReadonlyMap<string, PageScene>,
  { plan, extent, mayDownload }: Answering,
  signal: AbortSignal,
): Promise<readonly FoundScene[]> {
  const { datasets, names, simplified, counted } = plan;
  const registeredOf = new Map(
    datasets.map((one) => [datasetNameOf({ provider: one.provider.id, dataset: one.dataset.dataset }), one]),
  );
  const found: FoundScene[] = [];
  const share = loopShare();
  for (const hit of page) {
    const scene = scenes.get(hit.key.sceneId)?.scene;
    if (scene === undefined) continue;
    if (counted && isUsedUp(share)) await giveWay(share, signal);
    const registered = registeredOf.get(datasetNameOf(scene));
    const fetchable = hit.origin.kind === "source" && registered?.dataset.archiveDownload === true;
    found.push({
      ...scene,
      ...requestedName(names, scene),
      footprint: simplified ? simplifyFootprint(scene.footprint) : scene.footprint,
      downloadable: (hit.ingested || fetchable) && registered !== undefined && mayDownload(registered),
      minArea: registered?.dataset.minAreaKm2 ?? 0,
      // Such a dataset is stored in cuttings only, also where their scene is unknown.
      clippedImagery: hit.clipped || (hit.ingested && registered?.dataset.clip === "required"),
      ...(counted ? { extentShare: overlapRatio(extent, prepareArea(hit.footprint), "extent") } : {}),
    });
  }
  return found;
}
