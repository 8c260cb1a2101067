import type { FeatureContract } from "../../kit/contract.ts";

/** Satellite tasking: feasibility, orders, captures and contracts. */
export const taskingContract = {} as const satisfies FeatureContract;
