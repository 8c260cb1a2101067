import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller } from "../../platform/context.ts";
import type { TaskingContracts } from "../tasking/contracts/tasking-contracts.ts";
import { productsOf, type Product, type ProductSources } from "./product.ts";

export interface KnownProductsDeps extends ProductSources {
  readonly clock: Clock;
  readonly contracts: Pick<TaskingContracts, "usualContracts">;
}

/** The products that the caller can order under its contracts. */
export async function knownProducts(
  deps: KnownProductsDeps,
  caller: Pick<Caller, "groupId">,
): Promise<readonly Product[]> {
  return productsOf(deps, await deps.contracts.usualContracts(caller, deps.clock.now().getTime()));
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE */
export async function productNamed(
  deps: KnownProductsDeps,
  caller: Pick<Caller, "groupId">,
  productId: string,
): Promise<Product> {
  const found = (await knownProducts(deps, caller)).find(({ id }) => id === productId);
  if (found !== undefined) return found;
  throw new ServiceError("DATA-NOT-AVAILABLE", `there is no product ${productId.slice(0, 100)}`);
}
