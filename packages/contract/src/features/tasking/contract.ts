import type { FeatureContract } from "../../kit/contract.ts";
import { taskingContractsContract } from "./contracts-contract.ts";

/** Satellite tasking: feasibility, orders, captures and contracts. */
export const taskingContract = {
  ...taskingContractsContract,
} as const satisfies FeatureContract;
