import type { Clock } from "@swath/base/clock";
import type { TaskingProviders } from "../../../tasking-providers/tasking-provider.ts";
import type { OrderRow } from "./order-store.ts";

/** The present of each order, milliseconds since 1970, UTC: of its provider, else of the clock. */
export function presentOfOrders(deps: {
  readonly clock: Clock;
  readonly taskingProviders: Pick<TaskingProviders, "providerOf">;
}): (order: Pick<OrderRow, "provider" | "dataset" | "created_at">) => number {
  return ({ provider, dataset, created_at: created }) =>
    deps.taskingProviders.providerOf(provider, dataset)?.presentOf({ createdMs: created.getTime() }) ??
    deps.clock.now().getTime();
}
