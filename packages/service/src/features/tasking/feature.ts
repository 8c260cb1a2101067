import { taskingContract } from "@swath/contract/features/tasking/contract";
import { defineFeature } from "../../feature-kit/define-feature.ts";
import { audit } from "../audit/feature.ts";
import { credits } from "../credits/feature.ts";
import { ingestion } from "../ingestion/feature.ts";
import { users } from "../users/feature.ts";
import { contractsHandlers } from "./contracts/handlers.ts";
import { createTaskingContracts } from "./contracts/tasking-contracts.ts";
import { elementsHandlers } from "./elements/handlers.ts";
import { feasibilityHandlers } from "./feasibility/handlers.ts";
import { createOrderPoller, POLLER_LIMITS } from "./poll/poller.ts";
import { forgetWindows, FORGET_WINDOWS_EVERY_MS } from "./feasibility/forget-windows.ts";
import { ordersHandlers } from "./orders/handlers.ts";
import { createOrderService } from "./orders/order-service.ts";
import { presentOfOrders } from "./orders/present-of-orders.ts";

const POLL = "tasking: poll orders";
/** A round without due orders is one look at an index. */
const POLL_EVERY_MS = 1_000;
/** Time for the answer of a provider to a study. */
const PROVIDER_TIMEOUT_MS = 60_000;

export const tasking = defineFeature({
  name: "tasking",
  contract: taskingContract,
  needs: ["catalog", "clock", "db", "log", "schedule", "taskingProviders", audit, credits, ingestion, users],
  create: (needs) => {
    const contracts = createTaskingContracts(needs);
    const ledger = needs.credits.ledger;
    const studies = { ...needs, contracts, credits: ledger, providerTimeoutMs: PROVIDER_TIMEOUT_MS };
    const onIdle = (): void => needs.schedule.soon(POLL, 0);
    const poller = createOrderPoller({ ...needs, ...POLLER_LIMITS, credits: ledger, onIdle });
    const orders = createOrderService({
      ...needs,
      contracts,
      credits: ledger,
      presentOf: presentOfOrders(needs),
      refresh: (orderId, signal) => poller.refreshOrder(orderId, signal),
    });
    const disposal = { [Symbol.asyncDispose]: () => poller[Symbol.asyncDispose]() };
    return { contracts, elements: needs, orders, poller, studies, ...disposal };
  },
  handlers: ({ contracts, elements, orders, studies }) => ({
    ...contractsHandlers(contracts),
    ...elementsHandlers(elements),
    ...feasibilityHandlers(studies),
    ...ordersHandlers(orders),
  }),
  schedules: ({ poller, studies }) => [
    { name: POLL, everyMs: POLL_EVERY_MS, runsIn: "workers", run: (signal) => poller.startDue(signal) },
    {
      name: "tasking: forget expired windows",
      everyMs: FORGET_WINDOWS_EVERY_MS,
      runsIn: "workers",
      run: async (signal) => void (await forgetWindows(studies, signal)),
    },
  ],
});
