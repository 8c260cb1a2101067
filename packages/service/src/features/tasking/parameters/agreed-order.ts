import type { OrderOptions, OrderParameters } from "@swath/contract/features/tasking/order-parameters";
import type { Caller, Db } from "../../../platform/context.ts";
import type { AgreedContract } from "../contracts/agreed-contract.ts";
import type { AgreedOptions } from "../contracts/check-order-options.ts";
import { agreedOptions, contractedPlan, type ContractedPlanDeps } from "../contracts/contracted-plan.ts";
import { taskingPayer } from "../paying-group.ts";
import type { OrderPlan, PlannedUse } from "./order-plan.ts";
import type { TimeInterval } from "./requested-interval.ts";

export interface AgreeDeps extends ContractedPlanDeps {
  readonly db: Db;
}

/** A study or an order that its dataset and its contract allow. */
export interface AgreedOrder {
  readonly plan: OrderPlan;
  readonly interval: TimeInterval;
  readonly terms: AgreedOptions;
  /** Group that pays. */
  readonly payerGroupId: string;
}

export interface AgreeOptions extends PlannedUse {
  readonly nowMs: number;
  readonly intervalOf: (plan: OrderPlan) => TimeInterval;
}

/**
 * Checks the parameters of a study or an order against its dataset and its contract.
 *
 * @throws {ServiceError} VALIDATION-ERROR, EXTENT-TOO-LARGE; each names the values that are allowed
 */
export async function agreeOrder(
  deps: AgreeDeps,
  caller: Caller,
  parameters: OrderParameters,
  { intervalOf, nowMs, path, purpose }: AgreeOptions,
): Promise<AgreedOrder> {
  const contracted = await contractedPlan(deps, caller, parameters, { nowMs, path, purpose });
  const { plan, contract } = contracted;
  const interval = intervalOf(plan);
  const orderOptions = purpose === "study" ? withLicence(contract, plan.orderOptions) : plan.orderOptions;
  const terms = agreedOptions({ ...contracted, plan: { ...plan, orderOptions } }, interval);
  return { plan, interval, terms, payerGroupId: await taskingPayer(deps.db, caller) };
}

/** An order accepts a licence by its name; a study needs to accept none. */
function withLicence({ terms }: AgreedContract, options: OrderOptions): OrderOptions {
  const [usual] = terms.eula.allowed;
  return options.eula !== undefined || usual === undefined ? options : { ...options, eula: usual };
}
