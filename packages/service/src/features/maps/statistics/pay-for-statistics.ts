import type { StatisticsRequest, StatisticsResult } from "@swath/contract/features/maps/statistics-contract";
import type { PipelineJob, PipelineOutcome } from "../../../platform/context.ts";
import type { CreditsService } from "../../credits/service.ts";
import type { MadeMaps } from "../release/make-maps.ts";
import { paidScenes } from "../release/paid-release.ts";
import type { ReleasePlan } from "../release/release-plan.ts";

export interface PayForStatisticsDeps {
  readonly credits: Pick<CreditsService, "planCharge" | "settleRelease">;
}

/** The end of statistics that pay for their maps: the charge is part of the transaction that marks them RESOLVED. */
export async function payForStatistics(
  { credits }: PayForStatisticsDeps,
  { areas: extent }: Pick<StatisticsRequest, "areas">,
  { area, counted }: { readonly area: ReleasePlan["area"]; readonly counted: MadeMaps },
  result: StatisticsResult,
  { caller, pipelineId, signal }: Pick<PipelineJob, "caller" | "pipelineId" | "signal">,
): Promise<PipelineOutcome<StatisticsResult>> {
  const purchase = { caller, scenes: paidScenes(counted), extent, known: { area, signal } };
  const charge = await credits.planCharge(pipelineId, purchase);
  return {
    result,
    async commit(trx) {
      const { scenes, ...sums } = await credits.settleRelease(trx, charge);
      return { ...result, payment: { ...sums, scenes: [...scenes] } };
    },
  };
}
