import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, PipelineHandler } from "../../platform/context.ts";
import { agreeStudy, providerOfStudy, runStudy, type StudyDeps } from "../tasking/feasibility/study.ts";
import { readFilter } from "./filter.ts";
import { readInterval, searchedInterval } from "./interval.ts";
import { productNamed, type KnownProductsDeps } from "./known-products.ts";
import { comparedProperties, type OfferedPass, type ShownSearch } from "./opportunity.ts";
import type { Product } from "./product.ts";
import type { KeptRequest } from "./search-store.ts";
import { inWordsOfStapi } from "./stapi-error.ts";

/** The result of a search. */
export interface FoundOpportunities {
  readonly priority: string;
  readonly geometry: ShownSearch["geometry"];
  readonly areaKm2: number;
  readonly searched: ShownSearch["searched"];
  readonly passes: readonly OfferedPass[];
}

export interface SearchDeps extends KnownProductsDeps {
  readonly studies: StudyDeps;
}

/** The study that a search stands for. @throws {ServiceError} BAD-REQUEST */
function studyOf({ clock }: SearchDeps, product: Product, request: KeptRequest) {
  const filter = readFilter(product, request.filter);
  const searched = searchedInterval(readInterval(request.datetime), product.info, clock.now().getTime());
  const parameters: OrderParameters = {
    provider: product.provider.id,
    dataset: product.dataset.dataset,
    name: product.id,
    // The schema of the request has checked it.
    geometry: request.geometry as OrderParameters["geometry"],
    priority: filter.priority,
    startTime: new Date(searched.startMs).toISOString(),
    endTime: new Date(searched.endMs).toISOString(),
    orderOptions: filter.maxCloudCover === null ? {} : { maxCloudCover: filter.maxCloudCover },
  };
  return { filter, parameters, searched };
}

/** @throws {ServiceError} for a search that its product or its contract does not allow */
export async function checkSearch(
  deps: SearchDeps,
  caller: Caller,
  product: Product,
  request: KeptRequest,
): Promise<void> {
  const { parameters } = studyOf(deps, product, request);
  const agreed = await inWordsOfStapi(agreeStudy(deps.studies, { caller, parameters, path: "" }));
  providerOfStudy(deps.studies, agreed);
}

/** Runs searches: studies whose windows meet the filter. */
export function searchHandler(deps: SearchDeps): PipelineHandler<KeptRequest, FoundOpportunities> {
  return {
    async run(request, { caller, report, signal }) {
      await report({ message: "Waiting for provider data to become available", step: 1 });
      return { result: await lastWord(runSearch(deps, caller, request, signal)) };
    },
  };
}

async function runSearch(
  deps: SearchDeps,
  caller: Caller,
  request: KeptRequest,
  signal: AbortSignal,
): Promise<FoundOpportunities> {
  const product = await productNamed(deps, caller, request.productId);
  const { filter, parameters, searched } = studyOf(deps, product, request);
  const study = runStudy(deps.studies, { caller, parameters, path: "" }, signal);
  const { areaKm2, geometry, windows } = await inWordsOfStapi(study);
  const { priority } = filter;
  const passes = windows
    .map(({ elementsEpoch: _epoch, strips: _strips, ...pass }) => pass)
    .filter((pass) => filter.holds(comparedProperties(pass, product, priority)));
  return { priority, geometry, areaKm2, searched, passes };
}

/** Adapters try again themselves: their refusal is the answer, and the pipeline is not run again. */
async function lastWord<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search;
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new ServiceError(cause.code, cause.message, { cause, isFinal: true });
  }
}
