import { isGranted } from "@swath/kernel/permissions/permission";
import type { Caller } from "../../platform/context.ts";
import type { AssetsService } from "../assets/service.ts";
import type { SceneHolding } from "../credits/scene-holdings.ts";
import type { CreditsService } from "../credits/service.ts";
import type { BrowsedScene } from "../imagery/browse/browse-scenes.ts";
import { ownerKey, type AudienceKey } from "../imagery/visibility.ts";
import { wantsMember, type Fields } from "./fields.ts";

/** The parts of items that follow from the rights of their reader. */
export interface ItemView {
  readonly baseUrl: string;
  /** Signs the address of a file of a scene; null where no data assets are asked for. */
  readonly addressOf: ((sceneId: string, name: string) => string) | null;
  /** By scene; absent where neither prices nor data assets are asked for. */
  readonly holdings: ReadonlyMap<string, SceneHolding>;
  readonly showsPrices: boolean;
  /** The reader as owner of scenes. */
  readonly owner: AudienceKey;
}

/** Whether the reader may have the pixels of the whole scene: it is paid for, free, or an upload of the own group. */
export function holdsWhole({ owner, scene }: BrowsedScene, view: Pick<ItemView, "holdings" | "owner">): boolean {
  return owner === view.owner || view.holdings.get(scene.sceneId)?.heldRatio === 1;
}

export interface ItemViewDeps {
  readonly assets: Pick<AssetsService, "addressesFor">;
  readonly credits: Pick<CreditsService, "sceneHoldings">;
}

interface Reader {
  readonly caller: Caller;
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

export const PRICE_PERMISSION = "credits.check-area";
/** Properties that follow from prices and holdings. */
const PRICED = ["swath:credits_per_km2", "swath:allocated_ratio", "order:status"];

/** Whether a caller may see prices and the holdings of its group. */
export function seesPrices({ permissions }: Pick<Caller, "permissions">): boolean {
  return isGranted(permissions, PRICE_PERMISSION);
}

export function wantsAssets(fields: Fields | null): boolean {
  return wantsMember(fields, "assets");
}

/** One statement for all scenes, and none where nothing that is asked for depends on it. */
export async function itemView(
  { assets, credits }: ItemViewDeps,
  scenes: readonly BrowsedScene[],
  fields: Fields | null,
  { baseUrl, caller, signal }: Reader,
): Promise<ItemView> {
  const showsPrices = seesPrices(caller);
  const wantsPrices = PRICED.some((name) => wantsMember(fields, `properties.${name}`));
  const priced = scenes.filter(({ ingested, raster }) => raster !== null || (wantsPrices && (showsPrices || ingested)));
  const holdings = await credits.sceneHoldings(
    caller,
    priced.map(({ scene }) => scene),
    signal,
  );
  return {
    baseUrl,
    addressOf: wantsAssets(fields) ? assets.addressesFor(caller, baseUrl) : null,
    holdings: new Map(
      priced.flatMap(({ scene }, index): [string, SceneHolding][] => {
        const holding = holdings[index];
        return holding === undefined ? [] : [[scene.sceneId, holding]];
      }),
    ),
    showsPrices,
    owner: ownerKey(caller),
  };
}
