import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineJob, PipelineOutcome } from "../../platform/context.ts";
import type { SearchRequest, SearchResult } from "@swath/contract/features/imagery/contract";
import type { ImageryService } from "./service.ts";

/**
 * Runs a search. When sources have failed, what the others answered is kept for callers who take partial results, and
 * the search ends with the first failure's own code.
 */
export async function runSearch(
  service: Pick<ImageryService, "search">,
  request: SearchRequest,
  job: Pick<PipelineJob, "caller" | "report" | "savePartial" | "signal">,
): Promise<PipelineOutcome<SearchResult>> {
  await job.report({ message: "Preparing analysis", step: 1 });
  const result = await service.search(request, job.signal, job.caller);
  const [failure] = result.failedDatasets ?? [];
  if (failure === undefined) return { result };
  await job.savePartial(result);
  // The sources have tried again already.
  throw new ServiceError(
    failure.errorCode,
    `${failure.provider} ${failure.dataset}: ${failure.errorMessage}; allowPartial answers what others have found`,
    { isFinal: true },
  );
}
