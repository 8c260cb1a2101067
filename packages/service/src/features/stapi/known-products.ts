import type { Clock } from "@swath/base/clock";
import { ServiceError } from "@swath/kernel/errors/service-error";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Caller } from "../../platform/context.ts";
import type { TaskingContracts } from "../tasking/contracts/tasking-contracts.ts";
import { productsOf, type Product, type ProductSources } from "./product.ts";

export interface KnownProductsDeps extends ProductSources {
  readonly clock: Clock;
  readonly contracts: Pick<TaskingContracts, "usualContracts">;
}

/** The products that the caller can order under its contracts; of all providers with null. */
export async function knownProducts(
  deps: KnownProductsDeps,
  caller: Pick<Caller, "groupId">,
  provider: string | null = null,
): Promise<readonly Product[]> {
  return productsOf(deps, await deps.contracts.usualContracts(caller, provider, deps.clock.now().getTime()));
}

/** @throws {ServiceError} DATA-NOT-AVAILABLE */
export async function productNamed(
  deps: KnownProductsDeps,
  caller: Pick<Caller, "groupId">,
  productId: string,
): Promise<Product> {
  // The form of scene identifiers: provider, dataset and kind.
  const parts = parseSceneId(productId);
  const products = parts === null ? [] : await knownProducts(deps, caller, parts.provider);
  const found = products.find(({ id }) => id === productId);
  if (found !== undefined) return found;
  throw new ServiceError("DATA-NOT-AVAILABLE", `there is no product ${productId.slice(0, 100)}`);
}
