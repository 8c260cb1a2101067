import type { FeatureContract } from "../../kit/contract.ts";
import { taskingContractsContract } from "./contracts-contract.ts";
import { elementsContract } from "./elements-contract.ts";
import { feasibilityContract } from "./feasibility-contract.ts";
import { ordersContract } from "./order-contract.ts";

/** Satellite tasking: feasibility, orders, captures and contracts. */
export const taskingContract = {
  ...elementsContract,
  ...feasibilityContract,
  ...taskingContractsContract,
  ...ordersContract,
} as const satisfies FeatureContract;
