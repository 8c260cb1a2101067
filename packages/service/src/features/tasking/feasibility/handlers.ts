import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import type { Log } from "@swath/base/log/log";
import type { feasibilityContract } from "@swath/contract/features/tasking/feasibility-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Handlers } from "../../../platform/context.ts";
import type { CreditsService } from "../../credits/service.ts";
import { checkTaskingCredit } from "../price/check-credit.ts";
import { runMultiStudy } from "./multi-study.ts";
import { agreeStudy, providerOfStudy, runStudy, type StudyDeps } from "./study.ts";

export interface FeasibilityDeps extends StudyDeps {
  readonly credits: Pick<CreditsService, "datasetPrices" | "spendableMicro">;
  readonly log: Log;
}

export function feasibilityHandlers(deps: FeasibilityDeps): Handlers<typeof feasibilityContract> {
  return {
    feasibility: {
      async prepare(parameters, { caller }) {
        providerOfStudy(deps, await agreeStudy(deps, { caller, parameters, path: "" }));
      },
      async run(parameters, { caller, report, signal }) {
        await report({ message: "Waiting for provider data to become available", step: 1 });
        return { result: await lastWord(runStudy(deps, { caller, parameters, path: "" }, signal)) };
      },
    },
    multiFeasibility: {
      async prepare({ params }, { caller, signal }) {
        const share = loopShare();
        for (const [index, parameters] of params.entries()) {
          if (isUsedUp(share)) await giveWay(share, signal);
          await agreeStudy(deps, { caller, parameters, path: `/params/${index}` });
        }
      },
      async run(request, job) {
        await job.report({ message: "Waiting for provider data to become available", step: 1 });
        return await runMultiStudy(deps, request, job);
      },
    },
    checkTaskingCredit: (order, { caller }) => checkTaskingCredit(deps, caller, order),
  };
}

/** Adapters try again themselves: their refusal is the answer, and the pipeline is not run again. */
async function lastWord<Result>(study: Promise<Result>): Promise<Result> {
  try {
    return await study;
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ServiceError(cause.code, cause.message, { cause, isFinal: true });
  }
}
