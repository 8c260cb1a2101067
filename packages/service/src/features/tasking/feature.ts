import { taskingContract } from "@swath/contract/features/tasking/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { credits } from "../credits/feature.ts";
import { users } from "../users/feature.ts";
import { contractsHandlers } from "./contracts/handlers.ts";
import { createTaskingContracts } from "./contracts/tasking-contracts.ts";
import { feasibilityHandlers } from "./feasibility/handlers.ts";
import { forgetWindows, FORGET_WINDOWS_EVERY_MS } from "./feasibility/forget-windows.ts";
import { ordersHandlers } from "./orders/handlers.ts";
import { createOrderService } from "./orders/order-service.ts";
import { presentOfOrders } from "./orders/present-of-orders.ts";

/** Time for the answer of a provider to a study. */
const PROVIDER_TIMEOUT_MS = 60_000;

export const tasking = defineFeature({
  name: "tasking",
  contract: taskingContract,
  needs: ["catalog", "clock", "db", "log", "taskingProviders", audit, credits, users],
  create: (needs) => {
    const contracts = createTaskingContracts(needs);
    const studies = { ...needs, contracts, credits: needs.credits.ledger, providerTimeoutMs: PROVIDER_TIMEOUT_MS };
    const orders = createOrderService({
      ...needs,
      contracts,
      credits: needs.credits.ledger,
      presentOf: presentOfOrders(needs),
      refresh: null,
    });
    return { contracts, orders, studies };
  },
  handlers: ({ contracts, orders, studies }) => ({
    ...contractsHandlers(contracts),
    ...feasibilityHandlers(studies),
    ...ordersHandlers(orders),
  }),
  schedules: ({ studies }) => [
    {
      name: "tasking: forget expired windows",
      everyMs: FORGET_WINDOWS_EVERY_MS,
      runsIn: "workers",
      run: async (signal) => void (await forgetWindows(studies, signal)),
    },
  ],
});
