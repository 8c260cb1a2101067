import type { Clock } from "@swath/base/clock";
import type { FeasibilityResult } from "@swath/contract/features/tasking/feasibility-contract";
import { MAX_WINDOWS } from "@swath/contract/features/tasking/feasibility-contract";
import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import { squareMetresToKm2 } from "@swath/kernel/credits/micro";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../../platform/context.ts";
import type { OfferedWindow, TaskingProvider, TaskingProviders } from "../../../tasking-providers/tasking-provider.ts";
import type { CreditsService } from "../../credits/service.ts";
import { agreeOrder, type AgreeDeps, type AgreedOrder } from "../parameters/agreed-order.ts";
import { studyInterval } from "../parameters/requested-interval.ts";
import { orderPrice } from "../price/order-price.ts";
import { explainEmptyStudy } from "./empty-study.ts";
import { orbitsOfOffers } from "./orbits-of-offers.ts";
import { windowOfOffer } from "./window-of-offer.ts";
import { insertWindows } from "./window-store.ts";

export interface StudyDeps extends AgreeDeps {
  readonly clock: Clock;
  readonly credits: Pick<CreditsService, "datasetPrices">;
  readonly taskingProviders: Pick<TaskingProviders, "providerOf">;
  /** Time for the answer of a provider. */
  readonly providerTimeoutMs: number;
}

/** One study of a request. */
export interface RequestedStudy {
  readonly caller: Caller;
  readonly parameters: OrderParameters;
  /** Of the study in its request, such as `/params/0`. */
  readonly path: string;
}

/**
 * Refuses a study that its dataset or its contract does not allow.
 *
 * @throws {ServiceError} VALIDATION-ERROR, EXTENT-TOO-LARGE
 */
export async function agreeStudy(deps: StudyDeps, { caller, parameters, path }: RequestedStudy): Promise<AgreedOrder> {
  const nowMs = deps.clock.now().getTime();
  return await agreeOrder(deps, caller, parameters, {
    nowMs,
    path,
    purpose: "study",
    intervalOf: ({ info }) => studyInterval(parameters, info, nowMs, path),
  });
}

/** The adapter of a dataset. @throws {ServiceError} NO-VALID-BINDING */
export function providerOfStudy(
  { taskingProviders }: Pick<StudyDeps, "taskingProviders">,
  { plan: { tasked } }: AgreedOrder,
): TaskingProvider {
  const { provider, dataset } = tasked;
  const found = taskingProviders.providerOf(provider.id, dataset.dataset);
  if (found !== null) return found;
  throw new ServiceError("NO-VALID-BINDING", `no adapter takes orders of ${provider.id} ${dataset.dataset}`);
}

/**
 * Asks the provider, prices the windows and keeps them.
 *
 * @throws {ServiceError} as `agreeStudy`; NO-VALID-BINDING; SERVICE-UNAVAILABLE when the provider does not answer
 */
export async function runStudy(
  deps: StudyDeps,
  requested: RequestedStudy,
  signal: AbortSignal,
): Promise<FeasibilityResult> {
  const { caller, parameters } = requested;
  const agreed = await agreeStudy(deps, requested);
  const { plan, payerGroupId, terms } = agreed;
  const [price, offers] = await Promise.all([
    orderPrice(deps.credits, { groupId: payerGroupId, plan, agreedCreditsPerKm2: terms.creditsPerKm2 }),
    askProvider(deps, agreed, signal),
  ]);
  signal.throwIfAborted();
  const providerName = parameters.provider ?? parameters.orderOptions?.provider ?? plan.tasked.provider.id;
  const frame = { agreed, caller, price, nowMs: deps.clock.now().getTime(), providerName };
  const offered = offers
    .flatMap((offer) => {
      const window = windowOfOffer(frame, offer);
      return window === null ? [] : [{ offer, window }];
    })
    .slice(0, MAX_WINDOWS);
  const windows = offered.map(({ window }) => window);
  await insertWindows(deps.db, windows);
  return {
    provider: providerName,
    dataset: parameters.dataset,
    geometry: plan.area.geometry,
    originalGeometry: plan.originalGeometry,
    areaKm2: squareMetresToKm2(price.areaM2),
    windows: windows.map(({ document }) => document),
    orbits: orbitsOfOffers(offered.map(({ offer }) => offer)),
    ...(offered.length === 0 ? { empty: explainEmptyStudy(agreed, offers) } : {}),
  };
}

async function askProvider(
  deps: StudyDeps,
  agreed: AgreedOrder,
  signal: AbortSignal,
): Promise<readonly OfferedWindow[]> {
  const { plan, interval } = agreed;
  const { provider, dataset } = plan.tasked;
  const inTime = AbortSignal.timeout(deps.providerTimeoutMs);
  const request = {
    provider: provider.id,
    dataset: dataset.dataset,
    geometry: plan.area.geometry,
    ...interval,
    priority: plan.priority,
    orderOptions: plan.orderOptions,
  };
  try {
    const offers = await untilAborted(
      providerOfStudy(deps, agreed).feasibility(request, AbortSignal.any([signal, inTime])),
      AbortSignal.any([signal, inTime]),
    );
    return offers.toSorted((one, other) => one.startMs - other.startMs);
  } catch (cause) {
    signal.throwIfAborted();
    if (!inTime.aborted) throw cause;
    const seconds = deps.providerTimeoutMs / 1000;
    throw new ServiceError("SERVICE-UNAVAILABLE", `${provider.name} has not answered within ${seconds} s`, { cause });
  }
}

/** The result of work, or the reason of a signal that the work may not listen to. */
async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
