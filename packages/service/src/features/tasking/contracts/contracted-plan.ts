import type { OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import type { OrderPriority } from "@swath/kernel/tasking/order-priority";
import { parseInstant } from "@swath/kernel/time/instant";
import type { Caller } from "../../../platform/context.ts";
import type { Catalog } from "../../../providers/catalog.ts";
import { imagingModeOf } from "../../../providers/imaging-mode.ts";
import { namedDataset, type TaskedDataset } from "../parameters/named-dataset.ts";
import { planOrder, type OrderPlan, type PlannedUse } from "../parameters/order-plan.ts";
import type { TimeInterval } from "../parameters/requested-interval.ts";
import type { AgreedContract } from "./agreed-contract.ts";
import { checkOrderOptions, type AgreedOptions } from "./check-order-options.ts";
import type { TaskingContracts } from "./tasking-contracts.ts";

/** A request for a study or an order under its contract. The interval is still to be checked. */
export interface ContractedPlan {
  readonly plan: OrderPlan;
  readonly contract: AgreedContract;
  /** Of the order in its request, such as `/params/0`; empty for the request itself. */
  readonly path: string;
}

export interface ContractedPlanDeps {
  readonly catalog: Pick<Catalog, "findDataset" | "findProvider" | "providers">;
  readonly contracts: Pick<TaskingContracts, "contractFor">;
}

/**
 * The plan of a request and the contract that it names, or the default contract. A request without a priority has the
 * default of the contract where the dataset offers it.
 *
 * @throws {ServiceError} as `planOrder` and `contractFor` do
 */
export async function contractedPlan(
  { catalog, contracts }: ContractedPlanDeps,
  caller: Pick<Caller, "groupId">,
  parameters: OrderParameters,
  { purpose, path, nowMs }: PlannedUse & { readonly nowMs: number },
): Promise<ContractedPlan> {
  const tasked = namedDataset(catalog, parameters, path);
  const contract = await contracts.contractFor(caller, {
    provider: tasked.provider.id,
    contractId: parameters.orderOptions?.contractId,
    atMs: parameters.startTime === undefined ? nowMs : (parseInstant(parameters.startTime) ?? nowMs),
    path,
  });
  const priority = parameters.priority ?? offeredDefault(tasked, contract);
  const plan = planOrder(catalog, priority === null ? parameters : { ...parameters, priority }, { purpose, path });
  return { plan, contract, path };
}

function offeredDefault({ taskingInfo }: TaskedDataset, { terms }: AgreedContract): OrderPriority | null {
  const offered = Object.values(taskingInfo).flatMap(({ priorities }) => Object.keys(priorities));
  const usual = offered.find((priority) => priority === terms.priority.default);
  // Keys of a record of priorities.
  return (usual as OrderPriority | undefined) ?? null;
}

/**
 * What holds for a plan under its contract in an interval.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the allowed values
 */
export function agreedOptions({ plan, contract, path }: ContractedPlan, { fromMs, toMs }: TimeInterval): AgreedOptions {
  return checkOrderOptions(contract, {
    mode: imagingModeOf(plan.tasked.dataset),
    priority: plan.priority,
    orderOptions: plan.orderOptions,
    startMs: fromMs,
    endMs: toMs,
    path,
  });
}
