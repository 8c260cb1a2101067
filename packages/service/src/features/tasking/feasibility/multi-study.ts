import type { Log } from "@swath/base/log/log";
import type {
  FailedFeasibility,
  FeasibilityResult,
  MultiFeasibilityRequest,
  MultiFeasibilityResult,
} from "@swath/contract/features/tasking/feasibility-contract";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineJob, PipelineOutcome } from "../../../platform/context.ts";
import { LatestSave } from "./latest-save.ts";
import { runStudy, type StudyDeps } from "./study.ts";

/** Studies that run at once: a slow provider holds one place, and the others go on. */
const STUDIES_AT_ONCE = 4;

/** Answers of the studies of a request so far, by their place. */
interface Answers {
  readonly results: Map<number, FeasibilityResult>;
  readonly failed: Map<number, FailedFeasibility>;
}

/**
 * Runs the studies of a request side by side. Each answer becomes a partial result at once. A study that fails is named
 * with the reason, and the others go on.
 */
export async function runMultiStudy(
  deps: StudyDeps & { readonly log: Log },
  { params }: MultiFeasibilityRequest,
  job: Pick<PipelineJob, "caller" | "savePartial" | "signal">,
): Promise<PipelineOutcome<MultiFeasibilityResult>> {
  const { caller, savePartial, signal } = job;
  const answers: Answers = { results: new Map(), failed: new Map() };
  const saving = new LatestSave(savePartial);
  const waiting = [...params.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, parameters] = next;
      try {
        const study = { caller, parameters, path: `/params/${index}` };
        answers.results.set(index, await runStudy(deps, study, signal));
      } catch (error) {
        signal.throwIfAborted();
        answers.failed.set(index, failureOf(deps.log, index, parameters.dataset, error));
      }
      if (waiting.length > 0 || answers.results.size + answers.failed.size < params.length) {
        saving.tell(resultOf(answers));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(STUDIES_AT_ONCE, params.length) }, worker));
  await saving.settle();
  return { result: resultOf(answers) };
}

function resultOf({ results, failed }: Answers): MultiFeasibilityResult {
  return { failedDatasets: inOrder(failed), results: inOrder(results) };
}

function inOrder<Value>(byIndex: ReadonlyMap<number, Value>): Value[] {
  return [...byIndex].toSorted(([one], [other]) => one - other).map(([, value]) => value);
}

function failureOf(log: Log, index: number, dataset: string, error: unknown): FailedFeasibility {
  if (error instanceof ServiceError) return { index, dataset, error: error.code, errorMessage: error.message };
  log.error({ err: error, dataset }, "a study failed unexpectedly");
  return { index, dataset, error: "PROCESSING-ERROR", errorMessage: "the study failed unexpectedly" };
}
