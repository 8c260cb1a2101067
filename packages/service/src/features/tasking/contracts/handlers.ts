import type { taskingContractsContract } from "@swath/contract/features/tasking/contracts-contract";
import type { Handlers } from "../../../platform/context.ts";
import type { TaskingContracts } from "./tasking-contracts.ts";

export function contractsHandlers(contracts: TaskingContracts): Handlers<typeof taskingContractsContract> {
  return {
    listContracts: (request, { caller }) => contracts.list(caller, request),
    setContract: (request, { caller, requestId }) => contracts.set(caller, request, requestId),
    deleteContract: ({ id }, { caller, requestId }) => contracts.delete(caller, id, requestId),
  };
}
