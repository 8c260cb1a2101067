import { taskingContract } from "@swath/contract/features/tasking/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { contractsHandlers } from "./contracts/handlers.ts";
import { createTaskingContracts } from "./contracts/tasking-contracts.ts";

export const tasking = defineFeature({
  name: "tasking",
  contract: taskingContract,
  needs: ["catalog", "clock", "db", audit],
  create: (needs) => ({ contracts: createTaskingContracts(needs) }),
  handlers: ({ contracts }) => ({ ...contractsHandlers(contracts) }),
});
