import type { ordersContract } from "@swath/contract/features/tasking/order-contract";
import type { Handlers } from "../../../platform/context.ts";
import type { OrderService } from "./order-service.ts";

export function ordersHandlers(orders: OrderService): Handlers<typeof ordersContract> {
  return {
    createOrder: (request, { caller }) => orders.create(caller, request),
    createBatch: (request, { caller }) => orders.createBatch(caller, request),
    cancelOrder: (request, { caller, signal }) => orders.cancel(caller, request, signal),
    getOrder: (request, { caller, signal }) => orders.get(caller, request, signal),
    listOrders: (request, { caller }) => orders.list(caller, request),
    listCaptures: (request, { caller, signal }) => orders.listCaptures(caller, request, signal),
  };
}
