import type { ReleaseRequest, ReleaseResult } from "@swath/contract/features/maps/release-contract";
import type { MapTypes } from "@swath/maps/registry";
import type { PipelineJob, PipelineOutcome } from "../../../platform/context.ts";
import type { CreditsService } from "../../credits/service.ts";
import type { ReleaseCharge } from "../../credits/release-payments.ts";
import type { PayableScene } from "../../credits/release-quote.ts";
import type { MadeMaps } from "./make-maps.ts";
import type { ReleasePlan } from "./release-plan.ts";
import { recordReleased } from "./released-event.ts";
import { releaseResult, type MapOutcome } from "./release-result.ts";

export interface PaidReleaseDeps {
  readonly credits: Pick<CreditsService, "planCharge" | "settleRelease">;
  readonly mapTypes: Pick<MapTypes, "pricedIds">;
}

/** The end of a release that pays for its maps: their charge is part of the transaction that marks it RESOLVED. */
export async function paidRelease(
  { credits, mapTypes }: PaidReleaseDeps,
  { extent }: Pick<ReleaseRequest, "extent">,
  { area, typeIds }: Pick<ReleasePlan, "area" | "typeIds">,
  made: MadeMaps,
  job: Pick<PipelineJob, "caller" | "pipelineId" | "signal">,
  flat: (result: ReleaseResult) => ReleaseResult,
): Promise<PipelineOutcome<ReleaseResult>> {
  const { caller, pipelineId, signal } = job;
  const known = { area, signal };
  const result = flat(releaseResult(typeIds, made.outcomes));
  const charge = await credits.planCharge(pipelineId, { caller, scenes: paidScenes(made), extent, known });
  return {
    result,
    async commit(trx) {
      const { scenes, ...sums } = await credits.settleRelease(trx, charge);
      await recordReleased(trx, job, result);
      const charged = withCharges(mapTypes, made, scenes);
      return { ...flat(releaseResult(typeIds, charged)), payment: { ...sums, scenes: [...scenes] } };
    },
  };
}

/** The scenes that maps were made of, with the types of these maps. */
export function paidScenes({ outcomes, scenesOf }: MadeMaps): readonly PayableScene[] {
  const typesOf = new Map<string, Set<string>>();
  for (const outcome of outcomes) {
    for (const sceneId of scenesOf.get(outcome) ?? []) {
      typesOf.set(sceneId, (typesOf.get(sceneId) ?? new Set()).add(outcome.mapType));
    }
  }
  return [...typesOf].map(([sceneId, types]) => ({ sceneId, mapTypes: [...types] }));
}

/** The maps with their charges: each entry of the charge goes to the first map that it pays for. */
function withCharges(
  mapTypes: PaidReleaseDeps["mapTypes"],
  { outcomes, scenesOf }: MadeMaps,
  charged: ReleaseCharge["scenes"],
): readonly MapOutcome[] {
  const open = new Map(charged.map((one) => [chargeKey(one.sceneId, one.mapType), one.credits]));
  const take = (key: string): number => {
    const credits = open.get(key) ?? 0;
    open.delete(key);
    return credits;
  };
  return outcomes.map((outcome) => {
    const sceneIds = scenesOf.get(outcome);
    if (outcome.status === "failed" || sceneIds === undefined) return outcome;
    const prices = [null, ...mapTypes.pricedIds([outcome.mapType])];
    const credits = sceneIds.flatMap((sceneId) => prices.map((mapType) => take(chargeKey(sceneId, mapType))));
    // Micro-credits: further digits of a sum are rounding errors.
    return { ...outcome, chargedCredits: Number(credits.reduce((sum, one) => sum + one, 0).toFixed(6)) };
  });
}

function chargeKey(sceneId: string, mapType: string | null): string {
  return JSON.stringify([sceneId, mapType]);
}
